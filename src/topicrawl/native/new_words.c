/* Numbers of new words: text/new_words.py in C. */

#include "new_words.h"

#include "hash_table.h"

#include <stdbool.h>
#include <string.h>

enum { SHORT = 4 };  /* letters of a plural, at least */

/* Whether a word ends with these letters. */
static bool ends_with(PyObject *word, const char *ending)
{
    Py_ssize_t letters = (Py_ssize_t)strlen(ending), first = PyUnicode_GET_LENGTH(word) - letters;
    bool same = first >= 0;
    for (Py_ssize_t i = 0; same && i < letters; i++)
        same = PyUnicode_READ_CHAR(word, first + i) == (Py_UCS4)ending[i];
    return same;
}

/* base_form(word) */
PyObject *base_form(PyObject *module, PyObject *word)
{
    (void)module;
    if (!PyUnicode_Check(word))
        return PyErr_Format(PyExc_TypeError, "a word is a str");
    Py_ssize_t length = PyUnicode_GET_LENGTH(word);
    if (length < SHORT || !ends_with(word, "s") || ends_with(word, "ss") || ends_with(word, "us") || ends_with(word, "is"))
        return Py_NewRef(word);
    if (length > SHORT && ends_with(word, "ies")) {
        PyObject *stem = PyUnicode_Substring(word, 0, length - 3);
        PyObject *made = stem == NULL ? NULL : PyUnicode_FromFormat("%Uy", stem);
        Py_XDECREF(stem);
        return made;
    }
    bool is_long = ends_with(word, "sses") || ends_with(word, "xes") || ends_with(word, "ches") || ends_with(word, "shes")
        || ends_with(word, "zzes");
    return PyUnicode_Substring(word, 0, length - (is_long ? 2 : 1));
}

/* What words have numbers, and the next number. */
typedef struct {
    TextTable forms;        /* words in columns, */
    int64_t slots;
    Py_buffer known;        /* of int32_t, and the number of each */
    PyObject *recent;       /* dictionary: the latest words, and the number of each */
    PyObject *base, *stop_words;
    int64_t size;
} Numbering;

/* The number of a word in columns, -1 where it is not there, -2 with an exception set. */
static int64_t known_number(const Numbering *numbering, PyObject *word)
{
    int64_t form = hash_table_number(&numbering->forms, numbering->slots, word);
    if (form >= numbering->known.len / (Py_ssize_t)sizeof(int32_t)) {
        PyErr_SetString(PyExc_ValueError, "a word without a number");
        return -2;
    }
    return form < 0 ? form : ((const int32_t *)numbering->known.buf)[form];
}

/* Whether a word is neither a stop word nor a single Latin letter; -1 with an exception set. */
static int says_something(const Numbering *numbering, PyObject *word)
{
    int stops = PySet_Contains(numbering->stop_words, word);
    if (stops != 0)
        return stops < 0 ? -1 : 0;
    return !(PyUnicode_GET_LENGTH(word) == 1 && PyUnicode_IS_ASCII(word));
}

static bool keep(const Numbering *numbering, PyObject *word, int64_t number)
{
    PyObject *value = PyLong_FromLongLong(number);
    bool kept = value != NULL && PyDict_SetItem(numbering->recent, word, value) == 0;
    Py_XDECREF(value);
    return kept;
}

static bool add_word(Numbering *numbering, PyObject *word);

/* Give a word the number of its base form, which gets one first if it has none. */
static bool add_form(Numbering *numbering, PyObject *word, PyObject *base)
{
    int64_t number = known_number(numbering, base);
    if (number == -2)
        return false;
    if (number >= 0)
        return keep(numbering, word, number);
    if (Py_EnterRecursiveCall(" in the base form of a word"))
        return false;
    bool added = add_word(numbering, base);
    Py_LeaveRecursiveCall();
    PyObject *given = added ? PyDict_GetItemWithError(numbering->recent, base) : NULL;
    if (given == NULL && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "a base form without a number");
    return given != NULL && PyDict_SetItem(numbering->recent, word, given) == 0;
}

/* Give a number to a word that is not in columns; false with an exception set on failure. */
static bool add_word(Numbering *numbering, PyObject *word)
{
    int known = PyDict_Contains(numbering->recent, word), says = known == 0 ? says_something(numbering, word) : 0;
    if (known != 0 || says < 0)
        return known > 0;
    if (!says)
        return keep(numbering, word, 0);
    PyObject *base = PyObject_CallOneArg(numbering->base, word);
    if (base != NULL && !PyUnicode_Check(base)) {
        PyErr_SetString(PyExc_TypeError, "the base form of a word is a str");
        Py_CLEAR(base);
    }
    if (base == NULL)
        return false;
    bool added = base == word || PyUnicode_Compare(base, word) == 0 ? keep(numbering, word, numbering->size++)
                                                                     : add_form(numbering, word, base);
    Py_DECREF(base);
    return added;
}

/* The number of a word, a new reference; NULL with an exception set. It is given one if it has none and `adds`. */
static PyObject *number_of(Numbering *numbering, PyObject *word, bool adds)
{
    if (!PyUnicode_Check(word))
        return PyErr_Format(PyExc_TypeError, "a word is a str");
    int64_t known = known_number(numbering, word);
    if (known >= 0)
        return PyLong_FromLongLong(known);
    if (known == -2 || (adds && !add_word(numbering, word)))
        return NULL;
    PyObject *given = PyDict_GetItemWithError(numbering->recent, word);
    return given != NULL ? Py_NewRef(given) : PyErr_Occurred() ? NULL : PyLong_FromLong(0);
}

static PyObject *number_all(Numbering *numbering, PyObject *words, bool adds)
{
    PyObject *numbers = PyList_New(0);
    hash_table_fetch(&numbering->forms, numbering->slots, words);
    for (Py_ssize_t i = 0; numbers != NULL && i < PyList_GET_SIZE(words); i++) {
        PyObject *word = Py_NewRef(PyList_GET_ITEM(words, i)), *number = number_of(numbering, word, adds);
        if (number == NULL || PyList_Append(numbers, number) < 0)
            Py_CLEAR(numbers);
        Py_XDECREF(number);
        Py_DECREF(word);
    }
    return numbers;
}

/* number_words(words, recent, size, most, base, stop_words, slots, ends, texts, known): the numbers, and the size then */
PyObject *number_words(PyObject *module, PyObject *arguments)
{
    Numbering numbering;
    PyObject *words, *numbers = NULL;
    long long size, most;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!LLOOy*y*y*y*", &PyList_Type, &words, &PyDict_Type, &numbering.recent, &size, &most,
                          &numbering.base, &numbering.stop_words, &numbering.forms.slots, &numbering.forms.ends,
                          &numbering.forms.texts, &numbering.known))
        return NULL;
    numbering.size = size;
    numbering.slots = hash_table_size(&numbering.forms.slots);
    if (numbering.slots && !PyAnySet_Check(numbering.stop_words))
        PyErr_SetString(PyExc_TypeError, "stop words are a set");
    else if (numbering.slots)
        numbers = number_all(&numbering, words, size < most);
    PyBuffer_Release(&numbering.forms.slots);
    PyBuffer_Release(&numbering.forms.ends);
    PyBuffer_Release(&numbering.forms.texts);
    PyBuffer_Release(&numbering.known);
    return numbers == NULL ? NULL : Py_BuildValue("NL", numbers, (long long)numbering.size);
}
