/* The words of texts as numbers. Words are looked up by their hash (topic/words.py): only new words become strings. */

#include "words.h"

#include "buffer.h"
#include "kinds.h"

enum { FIRST_SLOTS = 1024 };
#define BASE 0x9E3779B97F4A7C15u  /* as in topic/words.py */

typedef struct {
    uint64_t hash;
    int64_t number;  /* FREE in a free slot */
} Slot;

enum { FREE = -1 };

typedef struct {
    PyObject_HEAD
    Kinds kinds;
    PyObject *number;  /* Python function: the number of a new word */
    Slot *slots;       /* open addressing; at least a quarter is free */
    size_t mask, used;
    Buffer letters;    /* of a new word, as Py_UCS4 */
} Words;

/* The slot of `hash`, or the free one where it belongs. */
static Slot *slot_of(Slot *slots, size_t mask, uint64_t hash)
{
    size_t at = (size_t)((hash * BASE) >> 32) & mask;
    while (slots[at].number != FREE && slots[at].hash != hash)  /* ends: some are free */
        at = (at + 1) & mask;
    return &slots[at];
}

static bool resize(Words *self, size_t count)
{
    Slot *slots = PyMem_New(Slot, count);
    if (slots == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (size_t i = 0; i < count; i++)
        slots[i].number = FREE;
    for (size_t i = 0; self->slots != NULL && i <= self->mask; i++)
        if (self->slots[i].number != FREE)
            *slot_of(slots, count - 1, self->slots[i].hash) = self->slots[i];
    PyMem_Free(self->slots);
    self->slots = slots;
    self->mask = count - 1;
    return true;
}

/* The number of a word that was not seen before; FREE with an exception set when it gets none. */
static int64_t new_number(Words *self, const Text *text, Py_ssize_t start, Py_ssize_t end, uint64_t hash)
{
    self->letters.size = 0;
    for (Py_ssize_t at = start; at < end; at++) {
        Py_UCS4 folded = folded_at(text, at);
        if (!buffer_add(&self->letters, &folded, sizeof folded))
            return FREE;
    }
    PyObject *word = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, self->letters.data, end - start);
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
    if (4 * self->used >= 3 * self->mask && !resize(self, 2 * (self->mask + 1)))
        return FREE;
    *slot_of(self->slots, self->mask, hash) = (Slot){hash, number};
    self->used++;
    return number;
}

typedef struct {
    Buffer numbers, starts;  /* of int64_t */
} Found;

static bool add_word(Words *self, const Text *text, Py_ssize_t start, Py_ssize_t end, uint64_t hash, Found *found)
{
    int64_t number = slot_of(self->slots, self->mask, hash)->number, begin = start;
    if (number == FREE && (number = new_number(self, text, start, end, hash)) == FREE)
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
        uint64_t hash = letter->folded + 1, power = BASE;
        for (; kind == LETTER && at < text->length && (letter = letter_at(text, at))->kind == LETTER; at++) {
            hash += ((uint64_t)letter->folded + 1) * power;
            power *= BASE;
        }
        if (!add_word(self, text, start, at, hash, found))
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
    if (self->slots == NULL)
        return PyErr_Format(PyExc_TypeError, "Words was not initialized");
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
        PyErr_SetString(PyExc_TypeError, "Words is already initialized");
        return -1;
    }
    if (!PyArg_ParseTuple(arguments, "OOO", &number, &fold, &kinds))
        return -1;
    self->number = Py_NewRef(number);
    return kinds_init(&self->kinds, fold, kinds) && resize(self, FIRST_SLOTS) ? 0 : -1;
}

static void words_dealloc(PyObject *object)
{
    Words *self = (Words *)object;
    PyTypeObject *type = Py_TYPE(object);
    kinds_free(&self->kinds);
    Py_XDECREF(self->number);
    PyMem_Free(self->slots);
    buffer_free(&self->letters);
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
