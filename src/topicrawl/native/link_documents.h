/* The documents of links: scout/document_rows.py in C. */

#ifndef TOPICRAWL_LINK_DOCUMENTS_H
#define TOPICRAWL_LINK_DOCUMENTS_H

#include "arrays.h"

enum { NEVER = 0 };  /* the number of no weights, as in document_rows.py */

/* Rows of `width` tokens, with the place of each, how many of them are filled, and the number of the weights by which each
   row was last weighed as it is. */
typedef struct {
    int32_t *tokens;
    uint8_t *places, *sizes;
    int32_t *by;
    int64_t count, width;
} Documents;

/* The documents in four arrays; false with an exception set if these do not fit each other. */
bool documents_in(const Arrays *arrays, int first, Documents *documents);

/* Whether all of these are numbers of documents; sets an exception if not. */
bool documents_have(const Documents *documents, const int64_t *links, int64_t count);

/* Add a token at a place: better places first, among equals the oldest first, each token once. A row that changes was
   weighed by no weights. */
void documents_add(const Documents *documents, int64_t link, int32_t token, uint8_t place);

PyObject *add_names(PyObject *module, PyObject *arguments);
PyObject *add_to_documents(PyObject *module, PyObject *arguments);
PyObject *add_link_texts(PyObject *module, PyObject *arguments);
PyObject *predict_links(PyObject *module, PyObject *arguments);
PyObject *weigh_documents(PyObject *module, PyObject *arguments);

#endif
