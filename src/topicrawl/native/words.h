#ifndef TOPICRAWL_WORDS_H
#define TOPICRAWL_WORDS_H

#include "kinds.h"
#include "word_table.h"

typedef struct {
    PyObject_HEAD
    Kinds kinds;
    WordTable table;
    bool pairs;  /* whether single characters next to each other are read in pairs */
} Words;

/* The type `Words`: see _native.pyi. */
extern PyType_Spec words_spec;

/* Its method `read_urls`. */
PyObject *words_read_urls(PyObject *object, PyObject *arguments);

#endif
