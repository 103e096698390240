#ifndef TOPICRAWL_HASH_TABLE_H
#define TOPICRAWL_HASH_TABLE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

/* Texts one after the other, where each ends, and a slot for each; frontier/texts.py. */
typedef struct {
    Py_buffer slots, ends, texts;
} TextTable;

/* How many slots a table has; 0, with an error set, where they are not a power of two. */
int64_t hash_table_size(const Py_buffer *slots);

/* Have the processor fetch what is read of each text of a list that is looked up: its slot, and then what that names. */
void hash_table_fetch(const TextTable *table, int64_t size, PyObject *texts);

/* The number of a text in a table of this size, -1 where it is unknown, -2 with an error set. */
int64_t hash_table_number(const TextTable *table, int64_t size, PyObject *text);

/* lookup(urls, slots, ends, texts): the number of each text, or None. insert(urls, slots, number): add new texts.
   insert_all(slots, ends, texts): add all texts to an empty table. texts_of(first, end, ends, texts): the texts of these
   numbers. frontier/hash_table.py defines them. */
PyObject *hash_table_lookup(PyObject *module, PyObject *arguments);
PyObject *hash_table_insert(PyObject *module, PyObject *arguments);
PyObject *hash_table_insert_all(PyObject *module, PyObject *arguments);
PyObject *hash_table_texts_of(PyObject *module, PyObject *arguments);

#endif
