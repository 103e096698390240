/* eˣ with the same bits everywhere: floats.py in C. */

#ifndef TOPICRAWL_EXPONENTIALS_H
#define TOPICRAWL_EXPONENTIALS_H

#include "arrays.h"

PyObject *exp_all(PyObject *module, PyObject *arguments);

#endif
