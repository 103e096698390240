/* Adds tokens to the documents of links, and weighs documents: value/document_rows.py in C. */

#include "link_documents.h"

#include <math.h>
#include <string.h>

enum { MOST_WEIGHTS = 8 };

bool documents_in(const Arrays *given, int first, Documents *documents)
{
    const Py_buffer *tokens = &given->of[first], *places = &given->of[first + 1], *sizes = &given->of[first + 2];
    int64_t count = sizes->len, cells = places->len;
    *documents = (Documents){tokens->buf, places->buf, sizes->buf, count, count ? cells / count : 0};
    if (documents->width <= UINT8_MAX && documents->width * count == cells
        && tokens->len == cells * (int64_t)sizeof(int32_t))
        return true;
    PyErr_SetString(PyExc_ValueError, "arrays of different documents");
    return false;
}

bool documents_have(const Documents *documents, const int64_t *links, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (links[i] < 0 || links[i] >= documents->count) {
            PyErr_SetString(PyExc_IndexError, "a link without a document");
            return false;
        }
    return true;
}

void documents_add(const Documents *documents, int64_t link, int32_t token, uint8_t place)
{
    int64_t width = documents->width;
    int32_t *tokens = documents->tokens + link * width;
    uint8_t *places = documents->places + link * width;
    int64_t size = documents->sizes[link] < width ? documents->sizes[link] : width, found = 0;
    while (found < size && tokens[found] != token)
        found++;
    if (found < size && places[found] >= place)
        return;
    int64_t at = found;
    while (at > 0 && places[at - 1] < place)
        at--;
    if (at == width)
        return;
    int64_t moved = (found < width ? found : width - 1) - at;  /* the last one is dropped from a full row */
    memmove(tokens + at + 1, tokens + at, (size_t)moved * sizeof *tokens);
    memmove(places + at + 1, places + at, (size_t)moved);
    tokens[at] = token;
    places[at] = place;
    if (found == size && size < width)
        documents->sizes[link]++;
}

/* add_to_documents(tokens, places, sizes, links, said, at_places) */
PyObject *add_to_documents(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    Documents documents;
    (void)module;
    if (!arrays_take(&arrays, arguments, "IBBlll") || !documents_in(&arrays, 0, &documents))
        return arrays_done(&arrays);
    const int64_t *links = ARRAY(int64_t, 3), *tokens = ARRAY(int64_t, 4), *places = ARRAY(int64_t, 5);
    if (LENGTH(4) != LENGTH(3) || LENGTH(5) != LENGTH(3))
        PyErr_SetString(PyExc_ValueError, "every token needs a link and a place");
    else if (documents_have(&documents, links, LENGTH(3)))
        for (int64_t i = 0; i < LENGTH(3); i++)
            documents_add(&documents, links[i], (int32_t)tokens[i], (uint8_t)places[i]);
    return arrays_done(&arrays);
}

/* --- sums --------------------------------------------------------------------------------------------------------- */

typedef struct {
    const double *of;
    int64_t last;  /* its place; it is the weight of all tokens beyond */
} Weights;

static double weight_of(const Weights *weights, int32_t token)
{
    return weights->of[token >= 0 && token < weights->last ? token : weights->last];
}

typedef struct {
    double by_place[UINT8_MAX + 1];  /* the amount of a token, for every place that a byte can name */
    int64_t most;                    /* tokens of a document that count: the first ones */
    Weights weights[MOST_WEIGHTS];
    int kinds;
} Scale;

/* For each of the weights: Σ weight × amount over a document, divided by the length of the amounts. */
static void weigh(const Documents *documents, int64_t link, const Scale *scale, double *sums)
{
    const int32_t *tokens = documents->tokens + link * documents->width;
    const uint8_t *places = documents->places + link * documents->width;
    int64_t size = documents->sizes[link] < documents->width ? documents->sizes[link] : documents->width;
    double square = 0.0;
    for (int kind = 0; kind < scale->kinds; kind++)
        sums[kind] = 0.0;
    for (int64_t i = 0; i < size && i < scale->most; i++) {
        double amount = scale->by_place[places[i]];
        square += amount * amount;
        for (int kind = 0; kind < scale->kinds; kind++)
            sums[kind] += weight_of(&scale->weights[kind], tokens[i]) * amount;
    }
    double length = sqrt(square);
    for (int kind = 0; kind < scale->kinds; kind++)
        sums[kind] = length > 0.0 ? sums[kind] / length : 0.0;
}

/* The scale in the arrays from `by_place` on; false with an exception set if they do not fit. */
static bool scale_in(const Arrays *given, int64_t most, int kinds, Scale *scale)
{
    const Py_buffer *by_place = &given->of[3];
    int64_t places = by_place->len / by_place->itemsize;
    *scale = (Scale){.most = most, .kinds = kinds};
    bool fits = places <= UINT8_MAX + 1;
    if (fits)
        memcpy(scale->by_place, by_place->buf, (size_t)by_place->len);
    for (int kind = 0; kind < kinds; kind++) {
        const Py_buffer *weights = &given->of[6 + kind];
        scale->weights[kind] = (Weights){weights->buf, weights->len / weights->itemsize - 1};
        fits = fits && scale->weights[kind].last >= 0;
    }
    if (!fits)
        PyErr_SetString(PyExc_ValueError, "amounts for places and weights for tokens are needed");
    return fits;
}

static void weigh_all(const Arrays *given, int64_t most, int kinds)
{
    Documents documents;
    Scale scale;
    const Arrays arrays = *given;
    const int64_t *links = ARRAY(int64_t, 4);
    int64_t rows = LENGTH(4);
    double *found = ARRAY(double, 5), sums[MOST_WEIGHTS];
    if (!documents_in(given, 0, &documents) || !scale_in(given, most, kinds, &scale)
        || !documents_have(&documents, links, rows))
        return;
    if (LENGTH(5) != rows * kinds) {
        PyErr_SetString(PyExc_ValueError, "every weight needs a row of results");
        return;
    }
    for (int64_t row = 0; row < rows; row++) {
        weigh(&documents, links[row], &scale, sums);
        for (int kind = 0; kind < kinds; kind++)
            found[kind * rows + row] = sums[kind];
    }
}

/* weigh_documents(most, tokens, places, sizes, by_place, links, found, *weights): a row of `found` for each weight */
PyObject *weigh_documents(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.count = 0};
    char taken[] = "ibbdlDdddddddd";
    Py_ssize_t kinds = PyTuple_GET_SIZE(arguments) - 7;
    (void)module;
    if (kinds < 1 || kinds > MOST_WEIGHTS)
        return PyErr_Format(PyExc_TypeError, "one to %d weights are needed", MOST_WEIGHTS);
    int64_t most = PyLong_AsLongLong(PyTuple_GET_ITEM(arguments, 0));
    PyObject *rest = most == -1 && PyErr_Occurred() ? NULL : PyTuple_GetSlice(arguments, 1, 7 + kinds);
    taken[6 + kinds] = '\0';
    if (rest != NULL && arrays_take(&arrays, rest, taken))
        weigh_all(&arrays, most, (int)kinds);
    Py_XDECREF(rest);
    return arrays_done(&arrays);
}
