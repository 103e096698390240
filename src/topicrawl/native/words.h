#ifndef TOPICRAWL_WORDS_H
#define TOPICRAWL_WORDS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* The type `Words`: see _native.pyi. */
extern PyType_Spec words_spec;

#endif
