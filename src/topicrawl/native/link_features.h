/* Features of links, written to columns: scout/link_features.py in C. */

#ifndef TOPICRAWL_LINK_FEATURES_H
#define TOPICRAWL_LINK_FEATURES_H

#include "arrays.h"

PyObject *measure_links(PyObject *module, PyObject *arguments);
PyObject *measure_hosts(PyObject *module, PyObject *arguments);

/* The chance that `count` links of this chance all fail, by squares. */
double chance_in_a_row(double chance, int64_t count);

#endif
