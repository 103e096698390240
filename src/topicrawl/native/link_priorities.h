/* The priorities of links, from their features to the queue: scout/link_priorities.py in C. */

#ifndef TOPICRAWL_LINK_PRIORITIES_H
#define TOPICRAWL_LINK_PRIORITIES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

PyObject *prioritise_links(PyObject *module, PyObject *arguments);

#endif
