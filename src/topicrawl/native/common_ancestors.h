#ifndef TOPICRAWL_MEETINGS_H
#define TOPICRAWL_MEETINGS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* The type `CommonAncestors`: see _native.pyi. */
extern PyType_Spec meetings_spec;

#endif
