/* Priorities of links, and the largest of a column: frontier/priorities.py in C. */

#ifndef TOPICRAWL_PRIORITIES_H
#define TOPICRAWL_PRIORITIES_H

#include "arrays.h"

/* The queue of links, by number; `host` and `held` say whether a link may be chosen now. */
typedef struct {
    const uint8_t *state;
    const int32_t *host;
    const uint8_t *held;
    double *priority, *key;
    uint8_t *is_stale;  /* blocks of keys that have changed */
} Queue;

/* Set the priority of a link that has a place in all of these. */
void set_priority(const Queue *queue, int64_t link, double priority);

/* Whether so many blocks are enough for a column of `size`. */
bool blocks_cover(int64_t blocks, int64_t size);

PyObject *set_priorities(PyObject *module, PyObject *arguments);
PyObject *largest_place(PyObject *module, PyObject *arguments);

#endif
