#include "arrays.h"

#include <ctype.h>
#include <string.h>

/* Whether a buffer of this format and size holds numbers of a kind. */
static bool is_kind(const Py_buffer *buffer, char kind)
{
    const char *format = buffer->format == NULL ? "B" : buffer->format;
    switch (tolower(kind)) {
    case 'i':
        return strchr("il", format[0]) != NULL && buffer->itemsize == sizeof(int32_t);
    case 'l':
        return strchr("lq", format[0]) != NULL && buffer->itemsize == sizeof(int64_t);
    case 'h':
        return format[0] == 'h';
    case 'u':
        return format[0] == 'H';
    case 'f':
        return format[0] == 'f';
    case 'd':
        return format[0] == 'd';
    default:
        return strchr("bB?", format[0]) != NULL && buffer->itemsize == 1;
    }
}

static bool take(Arrays *arrays, PyObject *argument, char kind)
{
    Py_buffer *buffer = &arrays->of[arrays->count];
    int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (isupper(kind) ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(argument, buffer, flags) < 0)
        return false;
    arrays->count++;
    if (is_kind(buffer, kind)) {
        arrays->lengths[arrays->count - 1] = buffer->len / buffer->itemsize;
        return true;
    }
    PyErr_Format(PyExc_TypeError, "array %d has numbers of another type", arrays->count);
    return false;
}

bool arrays_take(Arrays *arrays, PyObject *arguments, const char *kinds)
{
    arrays->count = 0;
    size_t wanted = strlen(kinds);
    if (wanted > MOST_ARRAYS || PyTuple_GET_SIZE(arguments) != (Py_ssize_t)wanted) {
        PyErr_Format(PyExc_TypeError, "%zu arrays are needed", wanted);
        return false;
    }
    for (size_t i = 0; i < wanted; i++)
        if (!take(arrays, PyTuple_GET_ITEM(arguments, (Py_ssize_t)i), kinds[i]))
            return false;
    return true;
}

void arrays_free(Arrays *arrays)
{
    for (int i = 0; i < arrays->count; i++)
        PyBuffer_Release(&arrays->of[i]);
    arrays->count = 0;
}

PyObject *arrays_done(Arrays *arrays)
{
    arrays_free(arrays);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}
