#ifndef TOPICRAWL_SEATS_H
#define TOPICRAWL_SEATS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* find(urls, slots, ends, texts): the number of each text, or None. seat(urls, slots, number): enter new texts.
   frontier/hash_table.py says what they do. */
PyObject *seats_find(PyObject *module, PyObject *arguments);
PyObject *seats_seat(PyObject *module, PyObject *arguments);

#endif
