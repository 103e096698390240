#ifndef TOPICRAWL_POSTINGS_H
#define TOPICRAWL_POSTINGS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* The type `Postings`: see _native.pyi. */
extern PyType_Spec postings_spec;

/* Its values that count: see _native.pyi. */
PyObject *keep_largest(PyObject *module, PyObject *arguments);

#endif
