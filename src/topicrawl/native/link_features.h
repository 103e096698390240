/* Features of links, written to columns: value/link_features.py in C. */

#ifndef TOPICRAWL_LINK_FEATURES_H
#define TOPICRAWL_LINK_FEATURES_H

#include "arrays.h"

PyObject *measure_links(PyObject *module, PyObject *arguments);
PyObject *measure_hosts(PyObject *module, PyObject *arguments);
PyObject *lose_by_failures(PyObject *module, PyObject *arguments);

#endif
