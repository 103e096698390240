/* The first sense of a name as a noun: topic/wordnet/names.py in C, for names of Latin letters; Python does all others.

   The words of WordNet are found by bisection in one text: it takes neither memory nor time before the first name. */

#include "nouns.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { LONGEST_PHRASE = 4, LETTERS = 256 };  /* words as in names.py; letters of a name */
enum { NO_NOUN = -1, FAILED = -2 };          /* the latter: an exception is set */

typedef struct {
    Py_buffer text, bounds, first;  /* words separated by newlines; int32_t: where each ends, its first sense */
    int64_t words;
    PyObject *exceptions;           /* inflected form -> part of speech -> base forms */
} Nouns;

typedef struct {
    char letters[LETTERS + 8];
    int64_t starts[LETTERS / 2 + 1], ends[LETTERS / 2 + 1];  /* of each word; there is a space between two */
    int64_t words;
} Name;

typedef struct {
    const char *letters;
    int64_t length;
} Part;

/* One of the words of WordNet; an empty one where bounds are not within the text. */
static Part word_of(const Nouns *nouns, int64_t number)
{
    const int32_t *bounds = nouns->bounds.buf;
    int64_t start = (int64_t)bounds[number] + 1, end = bounds[number + 1];
    bool is_within = start >= 0 && start <= end && end <= nouns->text.len;
    return is_within ? (Part){(const char *)nouns->text.buf + start, end - start} : (Part){nouns->text.buf, 0};
}

static int compared(Part one, Part other)
{
    size_t common = (size_t)(one.length < other.length ? one.length : other.length);
    int order = memcmp(one.letters, other.letters, common);
    return order ? order : (one.length > other.length) - (one.length < other.length);
}

/* The first word that is not before these letters. */
static int64_t word_from(const Nouns *nouns, Part wanted)
{
    int64_t low = 0, high = nouns->words;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (compared(word_of(nouns, middle), wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first sense of exactly these letters, or `NO_NOUN`. */
static int64_t sense_of(const Nouns *nouns, Part wanted)
{
    int64_t number = word_from(nouns, wanted);
    bool known = number < nouns->words && compared(word_of(nouns, number), wanted) == 0;
    return known ? ((const int32_t *)nouns->first.buf)[number] : NO_NOUN;
}

/* Whether a word of several words begins with these letters, the last of which is a space. */
static bool begins_phrase(const Nouns *nouns, Part begin)
{
    int64_t number = word_from(nouns, begin);
    Part found = number < nouns->words ? word_of(nouns, number) : (Part){begin.letters, 0};
    return found.length >= begin.length && memcmp(found.letters, begin.letters, (size_t)begin.length) == 0;
}

/* The first sense of one of the base forms that the exceptions list for a noun; `is_listed` says whether they do. */
static int64_t irregular_sense(const Nouns *nouns, Part wanted, bool *is_listed)
{
    PyObject *form = PyUnicode_FromStringAndSize(wanted.letters, wanted.length);
    PyObject *listed = form == NULL ? NULL : PyDict_GetItemWithError(nouns->exceptions, form);
    Py_XDECREF(form);
    if (listed != NULL && !PyDict_Check(listed))
        PyErr_SetString(PyExc_TypeError, "exceptions by part of speech are a dictionary");
    PyObject *bases = PyErr_Occurred() || listed == NULL ? NULL : PyDict_GetItemString(listed, "n");
    *is_listed = bases != NULL;
    int64_t sense = NO_NOUN;
    if (bases != NULL && !PyTuple_Check(bases))
        PyErr_SetString(PyExc_TypeError, "base forms are a tuple");
    for (Py_ssize_t i = 0; bases != NULL && !PyErr_Occurred() && sense == NO_NOUN && i < PyTuple_GET_SIZE(bases); i++) {
        Py_ssize_t length;
        const char *letters = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(bases, i), &length);
        sense = letters == NULL ? NO_NOUN : sense_of(nouns, (Part){letters, length});
    }
    return PyErr_Occurred() ? FAILED : sense;
}

static bool ends_with(Part word, const char *ending)
{
    int64_t length = (int64_t)strlen(ending);
    return word.length >= length && memcmp(word.letters + word.length - length, ending, (size_t)length) == 0;
}

/* The first sense of the singular of what looks like a plural. */
static int64_t singular_sense(const Nouns *nouns, Part word)
{
    static const char *const endings[][2] = {{"s", ""}, {"ses", "s"}, {"ves", "f"}, {"xes", "x"}, {"zes", "z"},
                                             {"ches", "ch"}, {"shes", "sh"}, {"men", "man"}, {"ies", "y"}};
    char base[LETTERS + 8];
    int64_t sense = NO_NOUN;
    if (word.length <= 2 || ends_with(word, "ss"))
        return NO_NOUN;
    for (size_t i = 0; sense == NO_NOUN && i < sizeof endings / sizeof endings[0]; i++) {
        if (!ends_with(word, endings[i][0]))
            continue;
        size_t stem = (size_t)word.length - strlen(endings[i][0]), added = strlen(endings[i][1]);
        memcpy(base, word.letters, stem);
        memcpy(base + stem, endings[i][1], added);
        sense = sense_of(nouns, (Part){base, (int64_t)(stem + added)});
    }
    return sense;
}

/* The first sense of what a part of a name may be a form of. `is_odd`: only the exceptions may know it. */
static int64_t first_noun(const Nouns *nouns, Part part, bool is_odd)
{
    bool is_listed;
    int64_t sense = is_odd ? NO_NOUN : sense_of(nouns, part);
    if (sense != NO_NOUN)
        return sense;
    sense = irregular_sense(nouns, part, &is_listed);
    return sense != NO_NOUN || is_listed || is_odd ? sense : singular_sense(nouns, part);
}

/* Parts of several words, the longest first, the last among equals, then single words from the last on. */
static int64_t sense_of_name(const Nouns *nouns, const Name *name)
{
    bool begins[LETTERS / 2 + 1];
    int64_t sense = NO_NOUN, longest = name->words < LONGEST_PHRASE ? name->words : LONGEST_PHRASE;
    for (int64_t i = 0; i + 1 < name->words; i++)
        begins[i] = begins_phrase(nouns, (Part){name->letters + name->starts[i], name->starts[i + 1] - name->starts[i]});
    for (int64_t length = longest; sense == NO_NOUN && length > 0; length--)
        for (int64_t i = name->words - length; sense == NO_NOUN && i >= 0; i--) {
            int64_t last = i + length - 1;
            Part part = {name->letters + name->starts[i], name->ends[last] - name->starts[i]};
            sense = first_noun(nouns, part, length > 1 && !begins[i]);
        }
    return sense;
}

/* Put the words in a row. False where one has other letters, or there are too many: then an exception may be set. */
static bool joined(PyObject *words, Name *name)
{
    int64_t end = 0;
    name->words = 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(words); i++) {
        PyObject *word = PyList_GET_ITEM(words, i);
        if (!PyUnicode_Check(word)) {
            PyErr_SetString(PyExc_TypeError, "a word is a str");
            return false;
        }
        Py_ssize_t length = PyUnicode_GET_LENGTH(word);
        if (!PyUnicode_IS_COMPACT_ASCII(word) || length < 1 || length >= LETTERS - end)
            return false;
        const char *letters = (const char *)PyUnicode_1BYTE_DATA(word);
        name->starts[name->words] = end;
        for (Py_ssize_t at = 0; at < length; at++) {
            if (letters[at] < 'a' || letters[at] > 'z')
                return false;
            name->letters[end++] = letters[at];
        }
        name->ends[name->words++] = end;
        name->letters[end++] = ' ';
    }
    return true;
}

/* Whether the words lie within their text, and each has a first sense; sets an exception if not. */
static bool fits(Nouns *nouns)
{
    const int32_t *bounds = nouns->bounds.buf;
    nouns->words = nouns->bounds.len / (Py_ssize_t)sizeof(int32_t) - 1;
    bool is_whole = nouns->words >= 0 && nouns->first.len == nouns->words * (Py_ssize_t)sizeof(int32_t)
        && bounds[0] >= -1 && bounds[nouns->words] <= nouns->text.len;
    if (!is_whole)
        PyErr_SetString(PyExc_ValueError, "words that do not fit their text");
    return is_whole;
}

/* noun_named(words, text, bounds, first, exceptions): -1 where it names none, None where Python has to look */
PyObject *noun_named(PyObject *module, PyObject *arguments)
{
    PyObject *words;
    Nouns nouns;
    Name name;
    int64_t sense = FAILED;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!y*y*y*O!", &PyList_Type, &words, &nouns.text, &nouns.bounds, &nouns.first,
                          &PyDict_Type, &nouns.exceptions))
        return NULL;
    bool is_known = fits(&nouns) && joined(words, &name);
    if (is_known)
        sense = sense_of_name(&nouns, &name);
    PyBuffer_Release(&nouns.text);
    PyBuffer_Release(&nouns.bounds);
    PyBuffer_Release(&nouns.first);
    if (PyErr_Occurred())
        return NULL;
    return is_known ? PyLong_FromLongLong(sense) : Py_NewRef(Py_None);
}
