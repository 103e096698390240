/* Pages as sparse vectors: how often each token occurs in each field. judge/page_vectors.py in C. */

#include "page_documents.h"

#include "buffer.h"

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

enum { FEW = 64 };  /* numbers that are sorted faster one by one */

static void sort_few(int32_t *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        int32_t number = numbers[i];
        size_t at = i;
        for (; at > 0 && numbers[at - 1] > number; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = number;
    }
}

/* Sort numbers of 0 or more, digit by digit; `other` has room for as many. Returns where they are: there or here. */
static int32_t *sorted(int32_t *numbers, int32_t *other, size_t count)
{
    if (count < FEW) {
        sort_few(numbers, count);
        return numbers;
    }
    int32_t largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = numbers[i] > largest ? numbers[i] : largest;
    for (int shift = 0; shift < 31 && largest >> shift > 0; shift += DIGIT_BITS) {
        size_t ends[DIGITS] = {0};
        for (size_t i = 0; i < count; i++)
            ends[numbers[i] >> shift & (DIGITS - 1)]++;
        for (size_t digit = 0, end = 0; digit < DIGITS; digit++) {
            size_t begin = end;
            end += ends[digit];
            ends[digit] = begin;
        }
        for (size_t i = 0; i < count; i++)
            other[ends[numbers[i] >> shift & (DIGITS - 1)]++] = numbers[i];  /* below `count`: counted above */
        int32_t *swapped = numbers;
        numbers = other;
        other = swapped;
    }
    return numbers;
}

typedef struct {
    Buffer columns, counts, tokens, scratch;  /* of int32_t */
} Counts;

/* Count the first `most` tokens of a field that are words (0 is none), those of `said` in ascending order. What differs from
   one token to the next is no branch, because a processor could not guess it. */
static bool count_field(Counts *counts, const int64_t *said, int64_t size, int64_t most, int field)
{
    size_t room = ((size_t)size + 1) * sizeof(int32_t);
    counts->tokens.size = counts->scratch.size = 0;
    if (!buffer_reserve(&counts->tokens, room) || !buffer_reserve(&counts->scratch, room)
        || !buffer_reserve(&counts->columns, room) || !buffer_reserve(&counts->counts, room))
        return false;
    int32_t *tokens = buffer_ints(&counts->tokens);
    uint64_t outside = 0;
    int64_t found = 0;
    for (int64_t i = 0; i < size && found < most; i++) {
        outside |= (uint64_t)said[i] | (uint64_t)(INT32_MAX / FIELDS - 1 - said[i]);
        tokens[found] = (int32_t)said[i];
        found += said[i] != 0;
    }
    if (outside >> 63 != 0) {
        PyErr_SetString(PyExc_ValueError, "the number of a token is out of range");
        return false;
    }
    tokens = sorted(tokens, buffer_ints(&counts->scratch), (size_t)found);
    int32_t *columns = buffer_ints(&counts->columns) + buffer_count(&counts->columns);
    int32_t *ends = buffer_ints(&counts->counts) + buffer_count(&counts->counts);
    int64_t different = -1;
    int32_t before = 0;  /* no token */
    for (int64_t i = 0; i < found; i++) {
        different += tokens[i] != before;
        before = tokens[i];
        columns[different] = before * FIELDS + field;
        ends[different] = (int32_t)(i + 1);
    }
    for (int64_t i = different; i > 0; i--)
        ends[i] -= ends[i - 1];
    counts->columns.size += (size_t)(different + 1) * sizeof(int32_t);
    counts->counts.size += (size_t)(different + 1) * sizeof(int32_t);
    return true;
}

static PyObject *as_bytes(const Buffer *buffer)
{
    return PyByteArray_FromStringAndSize(buffer->data, (Py_ssize_t)buffer->size);
}

/* count_fields(beginning, text, title, url): columns and counts */
PyObject *count_fields(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.count = 0};
    Counts counts = {0};
    PyObject *texts = PyTuple_GetSlice(arguments, 1, 4), *found = NULL;
    long long beginning = PyTuple_GET_SIZE(arguments) ? PyLong_AsLongLong(PyTuple_GET_ITEM(arguments, 0)) : 0;
    (void)module;
    if (texts != NULL && !(beginning == -1 && PyErr_Occurred()) && arrays_take(&arrays, texts, "lll")
        && count_field(&counts, ARRAY(int64_t, 0), LENGTH(0), INT64_MAX, BODY)
        && count_field(&counts, ARRAY(int64_t, 0), LENGTH(0), beginning, BEGINNING)
        && count_field(&counts, ARRAY(int64_t, 1), LENGTH(1), INT64_MAX, TITLE)
        && count_field(&counts, ARRAY(int64_t, 2), LENGTH(2), INT64_MAX, URL))
        found = Py_BuildValue("NN", as_bytes(&counts.columns), as_bytes(&counts.counts));
    Py_XDECREF(texts);
    arrays_free(&arrays);
    buffer_free(&counts.columns);
    buffer_free(&counts.counts);
    buffer_free(&counts.tokens);
    buffer_free(&counts.scratch);
    return found;
}

/* count_tokens(columns, frequency) */
PyObject *count_tokens(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    (void)module;
    if (!arrays_take(&arrays, arguments, "iI"))
        return arrays_done(&arrays);
    const int32_t *columns = ARRAY(int32_t, 0);
    for (int64_t at = 0; at < LENGTH(0); at++) {
        if (columns[at] < 0 || columns[at] / FIELDS >= LENGTH(1)) {
            PyErr_SetString(PyExc_ValueError, "the number of a token is out of range");
            break;
        }
        ARRAY(int32_t, 1)[columns[at] / FIELDS] += columns[at] % FIELDS == BODY;
    }
    return arrays_done(&arrays);
}
