/* Parts of names as numbers: value/grams.py in C, for names of Latin letters; Python does all others. */

#include "name_parts.h"

#include "new_words.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { LENGTH = 4, MOST = 24, LONGEST = 80 };  /* as in grams.py and kinds.py: of a part, parts, letters of a name */

/* The cyclic redundancy check of zlib over the bytes of a part, bit by bit: there are four. */
static uint32_t checksum(const char *part)
{
    uint32_t sum = 0xFFFFFFFF;
    for (int i = 0; i < LENGTH; i++) {
        sum ^= (uint8_t)part[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (0xEDB88320 & (0 - (sum & 1)));
    }
    return ~sum;
}

typedef struct {
    long long numbers[MOST];
    int count;
} Parts;

static void add_part(Parts *parts, long long number)
{
    for (int i = 0; i < parts->count; i++)
        if (parts->numbers[i] == number)
            return;
    if (parts->count < MOST)
        parts->numbers[parts->count++] = number;
}

/* Add the parts of a word of Latin letters; false with an exception set on failure. */
static bool add_parts(Parts *parts, PyObject *word, long long first, long long buckets)
{
    char marked[LONGEST + 2] = "^";
    if (PyUnicode_GET_LENGTH(word) < LENGTH)
        return true;
    PyObject *base = base_form(NULL, word);
    if (base == NULL)
        return false;
    Py_ssize_t length = PyUnicode_GET_LENGTH(base);  /* at most LONGEST: that of the word, which is checked */
    memcpy(marked + 1, PyUnicode_1BYTE_DATA(base), (size_t)length);
    marked[1 + length] = '$';
    for (Py_ssize_t at = 0; at + LENGTH <= length + 2; at++)
        add_part(parts, first + checksum(marked + at) % buckets);
    Py_DECREF(base);
    return true;
}

static PyObject *as_list(const Parts *parts)
{
    PyObject *made = PyList_New(parts->count);
    for (int i = 0; made != NULL && i < parts->count; i++) {
        PyObject *number = PyLong_FromLongLong(parts->numbers[i]);
        if (number == NULL)
            Py_CLEAR(made);
        else
            PyList_SET_ITEM(made, i, number);
    }
    return made;
}

/* name_parts(words, first, buckets): None where a word is not of Latin letters, or too long */
PyObject *name_parts(PyObject *module, PyObject *arguments)
{
    PyObject *words;
    Parts parts = {.count = 0};
    long long first, buckets;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!LL", &PyList_Type, &words, &first, &buckets))
        return NULL;
    if (buckets < 1)
        return PyErr_Format(PyExc_ValueError, "there is at least one bucket");
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(words); i++) {
        PyObject *word = PyList_GET_ITEM(words, i);
        if (!PyUnicode_Check(word))
            return PyErr_Format(PyExc_TypeError, "a word is a str");
        if (!PyUnicode_IS_COMPACT_ASCII(word) || PyUnicode_GET_LENGTH(word) > LONGEST)
            return Py_NewRef(Py_None);
        if (!add_parts(&parts, word, first, buckets))
            return NULL;
    }
    return as_list(&parts);
}
