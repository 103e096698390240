/* The words of texts as numbers: value/word_numbers.py in C. */

#include "words.h"

typedef struct {
    Buffer numbers, starts;  /* of int64_t */
} Found;

typedef struct {
    const Text *text;
    Py_ssize_t start, end;
} Span;

enum { AHEAD = 32 };

/* Words that are read and not yet looked up, so that the table is fetched for several at a time. */
typedef struct {
    struct {
        Py_ssize_t start, end;
        uint64_t hash;
    } words[AHEAD];
    int count;
} Pending;

/* The word at a `Span`, folded. */
static PyObject *word_at(const void *place)
{
    const Span *span = place;
    PyObject *word = PyUnicode_New(span->end - span->start, 0x10FFFF);
    if (word == NULL)
        return NULL;
    for (Py_ssize_t at = span->start; at < span->end; at++)
        PyUnicode_WRITE(PyUnicode_4BYTE_KIND, PyUnicode_DATA(word), at - span->start, folded_at(span->text, at));
    PyObject *compact = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, PyUnicode_DATA(word), span->end - span->start);
    Py_DECREF(word);
    return compact;
}

/* Whether the word that begins at `at` is a single character. */
static bool is_single(const Text *text, Py_ssize_t at)
{
    int kind = kind_at(text, at);
    return kind == RUNNING || (kind == LETTER && kind_at(text, at + 1) != LETTER);
}

/* Read a word, or the pair of characters that begins there. */
static inline void read_word(Words *self, Span span, uint64_t hash, Pending *pending)
{
    if (self->pairs && span.end == span.start + 1 && is_single(span.text, span.end)) {
        hash += ((uint64_t)folded_at(span.text, span.end) + 1) * HASH_BASE;
        span.end++;
    }
    table_fetch(&self->table, hash);
    pending->words[pending->count].start = span.start;
    pending->words[pending->count].end = span.end;
    pending->words[pending->count].hash = hash;
    pending->count++;
}

/* Look up all words that were read. */
static bool add_words(Words *self, const Text *text, Pending *pending, Found *found)
{
    int64_t numbers[AHEAD], starts[AHEAD];
    for (int i = 0; i < pending->count; i++)
        numbers[i] = table_expect(&self->table, pending->words[i].hash);
    for (int i = 0; i < pending->count; i++) {
        Span span = {text, pending->words[i].start, pending->words[i].end};
        starts[i] = span.start;
        if (numbers[i] != NOT_MET)
            continue;
        numbers[i] = table_number(&self->table, pending->words[i].hash, word_at, &span);
        if (numbers[i] == 0 && PyErr_Occurred())
            return false;
    }
    size_t size = (size_t)pending->count * sizeof(int64_t);
    pending->count = 0;
    return buffer_add(&found->numbers, numbers, size) && buffer_add(&found->starts, starts, size);
}

/* All words of a text whose characters have this size: a constant where it is called, so that each has its own loop. */
static inline bool read_sized(Words *self, const Text *text, int size, Found *found)
{
#define LETTER_AT(at) letter_of(text->kinds, PyUnicode_READ(size, text->data, at))
    Pending pending = {.count = 0};
    for (Py_ssize_t at = 0; at < text->length;) {
        const Letter *letter = LETTER_AT(at);
        int kind = letter->kind;
        Py_ssize_t start = at++;
        if (kind != LETTER && kind != RUNNING)
            continue;
        uint64_t hash = letter->folded + 1, power = HASH_BASE;
        for (; kind == LETTER && at < text->length && (letter = LETTER_AT(at))->kind == LETTER; at++) {
            hash += ((uint64_t)letter->folded + 1) * power;
            power *= HASH_BASE;
        }
        read_word(self, (Span){text, start, at}, hash, &pending);
        if (pending.count == AHEAD && !add_words(self, text, &pending, found))
            return false;
    }
    return add_words(self, text, &pending, found);
#undef LETTER_AT
}

static bool read_words(Words *self, const Text *text, Found *found)
{
    switch (text->kind) {
    case PyUnicode_1BYTE_KIND:
        return read_sized(self, text, PyUnicode_1BYTE_KIND, found);
    case PyUnicode_2BYTE_KIND:
        return read_sized(self, text, PyUnicode_2BYTE_KIND, found);
    default:
        return read_sized(self, text, PyUnicode_4BYTE_KIND, found);
    }
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
    if (self->table.slots == NULL)
        return PyErr_Format(PyExc_TypeError, "Words was not initialized");
    if (!open_text(&self->kinds, string, &text))
        return NULL;
    table_tidy(&self->table);
    (void)read_words(self, &text, &found);  /* where it fails, this fails too and forgets what is half read: */
    if (table_settle(&self->table, (int64_t *)found.numbers.data, found.numbers.size / sizeof(int64_t)))
        read = Py_BuildValue("NN", as_bytes(&found.numbers), as_bytes(&found.starts));
    buffer_free(&found.numbers);
    buffer_free(&found.starts);
    return read;
}

static int words_init(PyObject *object, PyObject *arguments, PyObject *named)
{
    Words *self = (Words *)object;
    PyObject *number_all, *fold, *kinds;
    int pairs;
    (void)named;
    if (self->table.number_all != NULL) {
        PyErr_SetString(PyExc_TypeError, "Words is already initialized");
        return -1;
    }
    if (!PyArg_ParseTuple(arguments, "OOOp", &number_all, &fold, &kinds, &pairs))
        return -1;
    self->pairs = pairs;
    return kinds_init(&self->kinds, fold, kinds) && table_init(&self->table, number_all) ? 0 : -1;
}

static void words_dealloc(PyObject *object)
{
    Words *self = (Words *)object;
    PyTypeObject *type = Py_TYPE(object);
    kinds_free(&self->kinds);
    table_free(&self->table);
    type->tp_free(object);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"read", words_read, METH_O, NULL},
    {"read_urls", words_read_urls, METH_VARARGS, NULL},
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
