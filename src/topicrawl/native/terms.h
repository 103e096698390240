#ifndef TOPICRAWL_TERMS_H
#define TOPICRAWL_TERMS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* The type `Terms`: see _native.pyi. */
extern PyType_Spec terms_spec;

#endif
