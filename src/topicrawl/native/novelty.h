#ifndef TOPICRAWL_NOVELTY_H
#define TOPICRAWL_NOVELTY_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* learn(sample, salt, known): see _native.pyi. */
PyObject *novelty_learn(PyObject *module, PyObject *arguments);

#endif
