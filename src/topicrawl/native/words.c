/* The words of texts by number. A word is known by its mark (topic/words.py), so that only new ones become strings. */

#include "words.h"

#include "buffer.h"
#include "kinds.h"

enum { FIRST_PLACES = 1024 };
#define BASE 0x9E3779B97F4A7C15u  /* as in topic/words.py */

typedef struct {
    uint64_t mark;
    int64_t number;  /* FREE where no word is */
} Place;

enum { FREE = -1 };

typedef struct {
    PyObject_HEAD
    Kinds kinds;
    PyObject *number;  /* gives a new word its number */
    Place *places;     /* open addressing; at least a quarter is free */
    size_t mask, used;
    Buffer spelled;    /* a new word, of Py_UCS4 */
} Words;

/* Where `mark` is, or where it would be. */
static Place *place_of(Place *places, size_t mask, uint64_t mark)
{
    size_t at = (size_t)((mark * BASE) >> 32) & mask;
    while (places[at].number != FREE && places[at].mark != mark)  /* ends: some are free */
        at = (at + 1) & mask;
    return &places[at];
}

static bool make_places(Words *self, size_t count)
{
    Place *places = PyMem_New(Place, count);
    if (places == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (size_t i = 0; i < count; i++)
        places[i].number = FREE;
    for (size_t i = 0; self->places != NULL && i <= self->mask; i++)
        if (self->places[i].number != FREE)
            *place_of(places, count - 1, self->places[i].mark) = self->places[i];
    PyMem_Free(self->places);
    self->places = places;
    self->mask = count - 1;
    return true;
}

/* The number of a word that was not seen before; FREE with an exception set when it gets none. */
static int64_t new_number(Words *self, const Text *text, Py_ssize_t start, Py_ssize_t end, uint64_t mark)
{
    self->spelled.size = 0;
    for (Py_ssize_t at = start; at < end; at++) {
        Py_UCS4 folded = folded_at(text, at);
        if (!buffer_add(&self->spelled, &folded, sizeof folded))
            return FREE;
    }
    PyObject *word = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, self->spelled.data, end - start);
    if (word == NULL)
        return FREE;
    PyObject *given = PyObject_CallOneArg(self->number, word);
    Py_DECREF(word);
    if (given == NULL)
        return FREE;
    int64_t number = PyLong_AsLongLong(given);
    Py_DECREF(given);
    if (number < 0) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "the number of a word is 0 or more");
        return FREE;
    }
    if (4 * self->used >= 3 * self->mask && !make_places(self, 2 * (self->mask + 1)))
        return FREE;
    *place_of(self->places, self->mask, mark) = (Place){mark, number};
    self->used++;
    return number;
}

typedef struct {
    Buffer numbers, starts;  /* of int64_t */
} Found;

static bool add_word(Words *self, const Text *text, Py_ssize_t start, Py_ssize_t end, uint64_t mark, Found *found)
{
    int64_t number = place_of(self->places, self->mask, mark)->number, begin = start;
    if (number == FREE && (number = new_number(self, text, start, end, mark)) == FREE)
        return false;
    return buffer_add(&found->numbers, &number, sizeof number) && buffer_add(&found->starts, &begin, sizeof begin);
}

static bool read_words(Words *self, const Text *text, Found *found)
{
    for (Py_ssize_t at = 0; at < text->length;) {
        const Letter *letter = letter_at(text, at);
        int kind = letter->kind;
        Py_ssize_t start = at++;
        if (kind != LETTER && kind != RUNNING)
            continue;
        uint64_t mark = letter->folded + 1, power = BASE;
        for (; kind == LETTER && at < text->length && (letter = letter_at(text, at))->kind == LETTER; at++) {
            mark += ((uint64_t)letter->folded + 1) * power;
            power *= BASE;
        }
        if (!add_word(self, text, start, at, mark, found))
            return false;
    }
    return true;
}

static PyObject *as_bytes(const Buffer *buffer)
{
    return PyByteArray_FromStringAndSize(buffer->data, (Py_ssize_t)buffer->size);
}

static PyObject *words_read(PyObject *object, PyObject *string)
{
    Words *self = (Words *)object;
    Text text;
    Found found = {0};
    PyObject *read = NULL;
    if (!PyUnicode_Check(string))
        return PyErr_Format(PyExc_TypeError, "a text is a str");
    if (self->places == NULL)
        return PyErr_Format(PyExc_TypeError, "words without a beginning");
    if (!open_text(&self->kinds, string, &text))
        return NULL;
    if (read_words(self, &text, &found))
        read = Py_BuildValue("NN", as_bytes(&found.numbers), as_bytes(&found.starts));
    buffer_free(&found.numbers);
    buffer_free(&found.starts);
    return read;
}

static int words_init(PyObject *object, PyObject *arguments, PyObject *named)
{
    Words *self = (Words *)object;
    PyObject *number, *fold, *kinds;
    (void)named;
    if (self->number != NULL) {
        PyErr_SetString(PyExc_TypeError, "words begin once");
        return -1;
    }
    if (!PyArg_ParseTuple(arguments, "OOO", &number, &fold, &kinds))
        return -1;
    self->number = Py_NewRef(number);
    return kinds_init(&self->kinds, fold, kinds) && make_places(self, FIRST_PLACES) ? 0 : -1;
}

static void words_dealloc(PyObject *object)
{
    Words *self = (Words *)object;
    PyTypeObject *type = Py_TYPE(object);
    kinds_free(&self->kinds);
    Py_XDECREF(self->number);
    PyMem_Free(self->places);
    buffer_free(&self->spelled);
    type->tp_free(object);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"read", words_read, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_init, words_init},
    {Py_tp_dealloc, words_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec words_spec = {
    .name = "topicrawl._native.Words",
    .basicsize = sizeof(Words),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};
