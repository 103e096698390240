/* Arrays of NumPy as arguments: their buffers, taken and given back together. */

#ifndef TOPICRAWL_ARRAYS_H
#define TOPICRAWL_ARRAYS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>

enum { MOST_ARRAYS = 48 };

typedef struct {
    Py_buffer of[MOST_ARRAYS];
    int64_t lengths[MOST_ARRAYS];  /* how many numbers each has */
    int count;
} Arrays;

/* Take the buffers of the arguments, one for each letter of `kinds`: the type of its numbers, `h` int16, `u` uint16, `i` int32,
   `l` int64, `f` float, `d` double, `b` byte or bool; in upper case if it is written. False with an exception set if one is not a
   contiguous array of that type; `arrays_free` in any case. */
bool arrays_take(Arrays *arrays, PyObject *arguments, const char *kinds);
void arrays_free(Arrays *arrays);

/* None, or NULL where an exception is set, after the arrays are given back. */
PyObject *arrays_done(Arrays *arrays);

#define ARRAY_IN(arrays, type, place) ((type *)(arrays)->of[place].buf)
#define LENGTH_IN(arrays, place) ((arrays)->lengths[place])

/* The same of the variable `arrays`. */
#define ARRAY(type, place) ARRAY_IN(&arrays, type, place)
#define LENGTH(place) LENGTH_IN(&arrays, place)

#endif
