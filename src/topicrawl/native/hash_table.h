#ifndef TOPICRAWL_HASH_TABLE_H
#define TOPICRAWL_HASH_TABLE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* lookup(urls, slots, ends, texts): the number of each text, or None. insert(urls, slots, number): add new texts.
   insert_all(slots, ends, texts): add all texts to an empty table. frontier/hash_table.py defines them. */
PyObject *hash_table_lookup(PyObject *module, PyObject *arguments);
PyObject *hash_table_insert(PyObject *module, PyObject *arguments);
PyObject *hash_table_insert_all(PyObject *module, PyObject *arguments);

#endif
