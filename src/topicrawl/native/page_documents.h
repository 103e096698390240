/* Pages as sparse vectors: judge/page_vectors.py in C. */

#ifndef TOPICRAWL_PAGE_DOCUMENTS_H
#define TOPICRAWL_PAGE_DOCUMENTS_H

#include "arrays.h"

enum { BODY, BEGINNING, TITLE, URL, FIELDS };  /* fields of a page, and how many, as in page_vectors.py */

PyObject *add_by_token(PyObject *module, PyObject *arguments);
PyObject *count_fields(PyObject *module, PyObject *arguments);
PyObject *count_tokens(PyObject *module, PyObject *arguments);
PyObject *place_fields(PyObject *module, PyObject *arguments);
PyObject *project(PyObject *module, PyObject *arguments);
PyObject *weigh_compact(PyObject *module, PyObject *arguments);
PyObject *weigh_fields(PyObject *module, PyObject *arguments);

#endif
