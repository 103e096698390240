#ifndef TOPICRAWL_WEIGHTED_SUMS_H
#define TOPICRAWL_WEIGHTED_SUMS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

PyObject *weighted_sums(PyObject *module, PyObject *arguments);

#endif
