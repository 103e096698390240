/* Sums over the edges of the link graph: scout/edge_sums.py in C. */

#ifndef TOPICRAWL_EDGE_SUMS_H
#define TOPICRAWL_EDGE_SUMS_H

#include "arrays.h"

PyObject *add_places(PyObject *module, PyObject *arguments);
PyObject *add_to_targets(PyObject *module, PyObject *arguments);
PyObject *add_visited(PyObject *module, PyObject *arguments);

#endif
