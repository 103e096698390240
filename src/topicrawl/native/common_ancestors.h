#ifndef TOPICRAWL_MEETINGS_H
#define TOPICRAWL_MEETINGS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* The type `Meetings`: see _native.pyi. */
extern PyType_Spec meetings_spec;

#endif
