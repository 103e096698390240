/* What names mean as nouns, by the words of WordNet. */

#ifndef TOPICRAWL_NOUNS_H
#define TOPICRAWL_NOUNS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

PyObject *noun_named(PyObject *module, PyObject *arguments);

#endif
