#ifndef TOPICRAWL_PAGE_H
#define TOPICRAWL_PAGE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* read_page(url, text, join, fold, nfkc, refresh_target, leads_nowhere, entities): the columns of a page as a tuple, or
None: read it in Python. */
PyObject *read_page(PyObject *module, PyObject *arguments);

#endif
