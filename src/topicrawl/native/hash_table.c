/* The hash table of frontier/hash_table.py: every link of every page is looked up in it. */

#include "hash_table.h"

#include "fetch.h"

#include <stdbool.h>
#include <string.h>

#define TAG 0x7FFFFFFF
#define SHIFT 32
#define NUMBER 0xFFFFFFFF

int64_t hash_table_size(const Py_buffer *slots)
{
    int64_t size = slots->len / (Py_ssize_t)sizeof(int64_t);
    if (size > 0 && (size & (size - 1)) == 0)
        return size;
    PyErr_SetString(PyExc_ValueError, "the number of slots must be a power of two");
    return 0;
}

/* Whether the text of this number is `url`: 1, 0, or -1 with an error set. */
static int is_text(const TextTable *table, int64_t number, PyObject *url)
{
    const int64_t *ends = table->ends.buf;
    if (number < 0 || number + 1 >= table->ends.len / (Py_ssize_t)sizeof(int64_t))
        return 0;
    int64_t begin = ends[number], length = ends[number + 1] - begin;
    if (begin < 0 || length < 0 || begin > table->texts.len - length)
        return 0;
    const char *text = (const char *)table->texts.buf + begin;
    if (PyUnicode_IS_COMPACT_ASCII(url))
        return PyUnicode_GET_LENGTH(url) == length && memcmp(PyUnicode_1BYTE_DATA(url), text, (size_t)length) == 0;
    PyObject *bytes = PyUnicode_AsEncodedString(url, "utf-8", "surrogatepass");
    if (bytes == NULL)
        return -1;
    int same = PyBytes_GET_SIZE(bytes) == length && memcmp(PyBytes_AS_STRING(bytes), text, (size_t)length) == 0;
    Py_DECREF(bytes);
    return same;
}

int64_t hash_table_number(const TextTable *table, int64_t size, PyObject *url)
{
    const int64_t *slots = table->slots.buf;
    Py_hash_t hash = PyUnicode_Check(url) ? PyObject_Hash(url) : -1;
    if (hash == -1) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "a URL is a str");
        return -2;
    }
    int64_t tag = hash & TAG;
    for (int64_t probe = 0; probe < size; probe++) {
        int64_t entry = slots[(tag + probe) & (size - 1)];
        if (entry == 0)
            break;
        if (entry >> SHIFT != tag)
            continue;
        int same = is_text(table, (entry & NUMBER) - 1, url);
        if (same != 0)
            return same > 0 ? (entry & NUMBER) - 1 : -2;
    }
    return -1;
}

/* Have the processor fetch the slots of texts; others than str are left out. Their hashes are known from then on. */
static void fetch_slots(const int64_t *slots, int64_t size, PyObject *texts)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(texts); i++) {
        PyObject *text = PyList_GET_ITEM(texts, i);
        if (PyUnicode_CheckExact(text))
            FETCH(&slots[PyObject_Hash(text) & TAG & (size - 1)]);
    }
}

void hash_table_fetch(const TextTable *table, int64_t size, PyObject *texts)
{
    const int64_t *slots = table->slots.buf, *ends = table->ends.buf;
    int64_t known = table->ends.len / (Py_ssize_t)sizeof(int64_t);
    fetch_slots(slots, size, texts);
    for (int reads_end = 0; reads_end < 2; reads_end++)
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(texts); i++) {
            PyObject *text = PyList_GET_ITEM(texts, i);
            int64_t tag = PyUnicode_CheckExact(text) ? PyObject_Hash(text) & TAG : -1;
            int64_t entry = tag < 0 ? 0 : slots[tag & (size - 1)], number = (entry & NUMBER) - 1;
            if (entry == 0 || entry >> SHIFT != tag || number < 0 || number >= known)
                continue;
            if (reads_end == 0)
                FETCH(&ends[number]);
            else if (ends[number] >= 0 && ends[number] < table->texts.len)
                FETCH((const char *)table->texts.buf + ends[number]);
        }
}

static PyObject *numbers_of(const TextTable *table, PyObject *urls)
{
    int64_t size = hash_table_size(&table->slots);
    PyObject *found = size ? PyList_New(PyList_GET_SIZE(urls)) : NULL;
    if (found != NULL)
        hash_table_fetch(table, size, urls);
    for (Py_ssize_t i = 0; found != NULL && i < PyList_GET_SIZE(found); i++) {
        int64_t number = i < PyList_GET_SIZE(urls) ? hash_table_number(table, size, PyList_GET_ITEM(urls, i)) : -1;
        PyObject *item = number == -2 ? NULL : number == -1 ? Py_NewRef(Py_None) : PyLong_FromLongLong(number);
        if (item == NULL)
            Py_CLEAR(found);
        else
            PyList_SET_ITEM(found, i, item);
    }
    return found;
}

PyObject *hash_table_lookup(PyObject *module, PyObject *arguments)
{
    PyObject *urls;
    TextTable table;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!y*y*y*", &PyList_Type, &urls, &table.slots, &table.ends, &table.texts))
        return NULL;
    PyObject *found = numbers_of(&table, urls);
    PyBuffer_Release(&table.slots);
    PyBuffer_Release(&table.ends);
    PyBuffer_Release(&table.texts);
    return found;
}

static bool insert(const Py_buffer *buffer, int64_t size, PyObject *url, int64_t number)
{
    int64_t *slots = buffer->buf;
    Py_hash_t hash = PyObject_Hash(url);
    if (hash == -1)
        return false;
    int64_t tag = hash & TAG;
    for (int64_t probe = 0; probe < size; probe++) {
        int64_t slot = (tag + probe) & (size - 1);
        if (slots[slot] == 0) {
            slots[slot] = tag << SHIFT | (number + 1);
            return true;
        }
    }
    PyErr_SetString(PyExc_ValueError, "the table is full");
    return false;
}

PyObject *hash_table_insert(PyObject *module, PyObject *arguments)
{
    PyObject *urls;
    Py_buffer slots;
    long long number;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!w*L", &PyList_Type, &urls, &slots, &number))
        return NULL;
    int64_t size = hash_table_size(&slots);
    bool done = size != 0;
    if (done)
        fetch_slots(slots.buf, size, urls);
    for (Py_ssize_t i = 0; done && i < PyList_GET_SIZE(urls); i++)
        done = insert(&slots, size, PyList_GET_ITEM(urls, i), number + i);
    PyBuffer_Release(&slots);
    return done ? Py_NewRef(Py_None) : NULL;
}

/* The text of a number that is below the number of ends less one, as a str; NULL with an error set. */
static PyObject *text_of(const Py_buffer *ends, const Py_buffer *texts, int64_t number)
{
    int64_t begin = ((const int64_t *)ends->buf)[number], length = ((const int64_t *)ends->buf)[number + 1] - begin;
    if (begin < 0 || length < 0 || begin > texts->len - length)
        return PyErr_Format(PyExc_ValueError, "a text is outside the texts");
    return PyUnicode_DecodeUTF8((const char *)texts->buf + begin, length, "surrogatepass");
}

PyObject *hash_table_texts_of(PyObject *module, PyObject *arguments)
{
    Py_buffer ends, texts;
    long long first, end;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "LLy*y*", &first, &end, &ends, &texts))
        return NULL;
    PyObject *found = NULL;
    if (first < 0 || end < first || end >= ends.len / (Py_ssize_t)sizeof(int64_t))
        PyErr_SetString(PyExc_ValueError, "a text is outside the texts");
    else
        found = PyList_New((Py_ssize_t)(end - first));
    for (long long number = first; found != NULL && number < end; number++) {
        PyObject *text = text_of(&ends, &texts, number);
        if (text == NULL)
            Py_CLEAR(found);
        else
            PyList_SET_ITEM(found, (Py_ssize_t)(number - first), text);
    }
    PyBuffer_Release(&ends);
    PyBuffer_Release(&texts);
    return found;
}

/* Adds the text of this number, as lookup will see it: a str. */
static bool insert_text(const TextTable *table, int64_t size, int64_t number)
{
    PyObject *text = text_of(&table->ends, &table->texts, number);
    bool done = text != NULL && insert(&table->slots, size, text, number);
    Py_XDECREF(text);
    return done;
}

PyObject *hash_table_insert_all(PyObject *module, PyObject *arguments)
{
    TextTable table;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "w*y*y*", &table.slots, &table.ends, &table.texts))
        return NULL;
    int64_t size = hash_table_size(&table.slots), count = table.ends.len / (Py_ssize_t)sizeof(int64_t) - 1;
    bool done = size != 0;
    for (int64_t number = 0; done && number < count; number++)
        done = insert_text(&table, size, number);
    PyBuffer_Release(&table.slots);
    PyBuffer_Release(&table.ends);
    PyBuffer_Release(&table.texts);
    return done ? Py_NewRef(Py_None) : NULL;
}
