/* A growing stretch of bytes. The only place of the reader that asks for memory by the byte. */

#ifndef TOPICRAWL_BUFFER_H
#define TOPICRAWL_BUFFER_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    char *data;
    size_t size, room;
} Buffer;

/* Room for `more` bytes behind the end; false with a MemoryError set when there is none. */
static inline bool buffer_reserve(Buffer *buffer, size_t more)
{
    if (buffer->room - buffer->size >= more)
        return true;
    if (more > PY_SSIZE_T_MAX / 4 || buffer->size > PY_SSIZE_T_MAX / 4) {  /* neither sum nor doubling overflows */
        PyErr_NoMemory();
        return false;
    }
    size_t room = 2 * (buffer->size + more) + 256;
    char *data = PyMem_Realloc(buffer->data, room);
    if (data == NULL) {
        PyErr_NoMemory();
        return false;
    }
    buffer->data = data;
    buffer->room = room;
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

/* The i-th of the numbers that a buffer holds. */
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
