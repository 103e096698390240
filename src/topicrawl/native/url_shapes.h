/* The shapes of URLs: value/url_shapes.py in C. */

#ifndef TOPICRAWL_URL_SHAPES_H
#define TOPICRAWL_URL_SHAPES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

PyObject *group_names(PyObject *module, PyObject *arguments);
PyObject *parts_of_paths(PyObject *module, PyObject *urls);

#endif
