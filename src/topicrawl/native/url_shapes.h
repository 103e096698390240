/* The shapes of URLs: scout/url_shapes.py in C. */

#ifndef TOPICRAWL_URL_SHAPES_H
#define TOPICRAWL_URL_SHAPES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

PyObject *group_names(PyObject *module, PyObject *arguments);

#endif
