#ifndef TOPICRAWL_COMMON_ANCESTORS_H
#define TOPICRAWL_COMMON_ANCESTORS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* The type `CommonAncestors`: see _native.pyi. */
extern PyType_Spec common_ancestors_spec;

#endif
