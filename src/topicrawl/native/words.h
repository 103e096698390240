#ifndef TOPICRAWL_WORDS_H
#define TOPICRAWL_WORDS_H

#include "kinds.h"
#include "word_table.h"

/* A text that is read. */
typedef struct {
    Buffer codes;            /* of its characters, a byte each: see words.c */
    Buffer numbers, starts;  /* of int64_t: of the words found */
} Reading;

typedef struct {
    PyObject_HEAD
    Kinds kinds;
    WordTable table;
    bool pairs;  /* whether single characters next to each other are read in pairs */
    Reading reading;  /* kept for the next text, so that its memory is there already */
} Words;

/* The type `Words`: see _native.pyi. */
extern PyType_Spec words_spec;

/* The hash by `key` of the characters from `start` to before `end`, folded. */
uint64_t hash_folded(const HashKey *key, const Text *text, Py_ssize_t start, Py_ssize_t end);

/* Its method `read_urls`. */
PyObject *words_read_urls(PyObject *object, PyObject *arguments);

#endif
