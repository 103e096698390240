#ifndef TOPICRAWL_SPARSE_H
#define TOPICRAWL_SPARSE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* Products of sparse rows: see _native.pyi. */
PyObject *sparse_add_back(PyObject *module, PyObject *arguments);
PyObject *sparse_add_both(PyObject *module, PyObject *arguments);
PyObject *sparse_add_by_row(PyObject *module, PyObject *arguments);
PyObject *sparse_add_by_column(PyObject *module, PyObject *arguments);
PyObject *sparse_add_pairs(PyObject *module, PyObject *arguments);
PyObject *sparse_transpose(PyObject *module, PyObject *arguments);

#endif
