/* Parts of names as numbers: value/grams.py in C. */

#ifndef TOPICRAWL_NAME_PARTS_H
#define TOPICRAWL_NAME_PARTS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

PyObject *name_parts(PyObject *module, PyObject *arguments);

#endif
