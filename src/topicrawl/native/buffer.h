/* A growable byte array. The page reader allocates its raw memory only here. */

#ifndef TOPICRAWL_BUFFER_H
#define TOPICRAWL_BUFFER_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    char *data;
    size_t size, capacity;
} Buffer;

/* Reserve `more` bytes after the end; false with a MemoryError set when that fails. */
static inline bool buffer_reserve(Buffer *buffer, size_t more)
{
    if (buffer->capacity - buffer->size >= more)
        return true;
    if (more > PY_SSIZE_T_MAX / 4 || buffer->size > PY_SSIZE_T_MAX / 4) {  /* neither sum nor doubling overflows */
        PyErr_NoMemory();
        return false;
    }
    size_t capacity = 2 * (buffer->size + more) + 256;
    char *data = PyMem_Realloc(buffer->data, capacity);
    if (data == NULL) {
        PyErr_NoMemory();
        return false;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

static inline bool buffer_add(Buffer *buffer, const void *bytes, size_t size)
{
    if (!buffer_reserve(buffer, size))
        return false;
    if (size > 0)
        memcpy(buffer->data + buffer->size, bytes, size);  /* reserved above */
    buffer->size += size;
    return true;
}

static inline bool buffer_add_int(Buffer *buffer, int32_t number)
{
    return buffer_add(buffer, &number, sizeof number);
}

/* The contents as an array of numbers, buffer_count of them. */
static inline int32_t *buffer_ints(const Buffer *buffer)
{
    return (int32_t *)buffer->data;
}

static inline size_t buffer_count(const Buffer *buffer)
{
    return buffer->size / sizeof(int32_t);
}

static inline void buffer_free(Buffer *buffer)
{
    PyMem_Free(buffer->data);
    *buffer = (Buffer){0};
}

#endif
