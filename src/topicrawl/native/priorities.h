/* Priorities of links, and the largest of a column: frontier/priorities.py in C. */

#ifndef TOPICRAWL_PRIORITIES_H
#define TOPICRAWL_PRIORITIES_H

#include "arrays.h"

PyObject *set_priorities(PyObject *module, PyObject *arguments);
PyObject *largest_place(PyObject *module, PyObject *arguments);

#endif
