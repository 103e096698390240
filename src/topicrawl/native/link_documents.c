/* Adds tokens to the documents of links, and weighs documents: value/document_rows.py in C. */

#include "link_documents.h"

#include "fetch.h"

#include <math.h>
#include <string.h>

enum { MOST_WEIGHTS = 8, USUAL_WEIGHTS = 4 };
enum { LINE = 64 };  /* bytes of a line of the cache */

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

enum { PLACES = 8 };  /* as in document_rows.py */

/* Add the tokens of a name, 64 bits each: token × PLACES + place. */
static bool add_name(const Documents *documents, int64_t link, PyObject *name)
{
    if (!PyBytes_Check(name) || PyBytes_GET_SIZE(name) % (Py_ssize_t)sizeof(int64_t) != 0) {
        PyErr_SetString(PyExc_TypeError, "the tokens of a name are bytes, eight for each");
        return false;
    }
    for (Py_ssize_t at = 0; at < PyBytes_GET_SIZE(name); at += (Py_ssize_t)sizeof(int64_t)) {
        int64_t said;
        memcpy(&said, PyBytes_AS_STRING(name) + at, sizeof said);
        documents_add(documents, link, (int32_t)(said / PLACES), (uint8_t)(said % PLACES));
    }
    return true;
}

/* add_names(tokens, places, sizes, links, names): names[i] is that of links[i] */
PyObject *add_names(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.count = 0};
    Documents documents;
    PyObject *given = PyTuple_GetSlice(arguments, 0, 4);
    PyObject *names = PyTuple_GET_SIZE(arguments) == 5 ? PyTuple_GET_ITEM(arguments, 4) : NULL;
    (void)module;
    if (given == NULL || !arrays_take(&arrays, given, "IBBl") || !documents_in(&arrays, 0, &documents)) {
        Py_XDECREF(given);
        return arrays_done(&arrays);
    }
    const int64_t *links = ARRAY(int64_t, 3);
    if (names == NULL || !PyList_Check(names) || PyList_GET_SIZE(names) != LENGTH(3))
        PyErr_SetString(PyExc_ValueError, "every link needs a name");
    else if (documents_have(&documents, links, LENGTH(3)))
        for (int64_t i = 0; i < LENGTH(3) && add_name(&documents, links[i], PyList_GET_ITEM(names, (Py_ssize_t)i)); i++)
            ;
    Py_DECREF(given);
    return arrays_done(&arrays);
}

/* --- sums --------------------------------------------------------------------------------------------------------- */

/* How documents are weighed: each token has a row of `kinds` weights, each kind its own amounts. */
typedef struct {
    double amounts[UINT8_MAX + 1][MOST_WEIGHTS];  /* by place and kind, for every place that a byte can name */
    const int64_t *most;                          /* by kind: tokens of a document that count, the first ones */
    const double *table;
    int64_t last;                                 /* the row of all tokens beyond */
    int kinds;
} Scale;

/* Add the tokens from `first` to before `end` of a document to sums and squares. Kinds for which they do not count have
   the `counts` 0: what is added for them is 0, which takes less time than to ask. */
static inline void add_tokens(const Scale *scale, const int32_t *tokens, const uint8_t *places, int64_t first, int64_t end,
                              const double *counts, int kinds, double *sums, double *squares)
{
    for (int64_t i = first; i < end; i++) {
        int64_t token = tokens[i] >= 0 && tokens[i] < scale->last ? tokens[i] : scale->last;
        const double *weights = scale->table + token * kinds, *amounts = scale->amounts[places[i]];
        for (int kind = 0; kind < kinds; kind++) {
            double amount = amounts[kind] * counts[kind];
            squares[kind] += amount * amount;
            sums[kind] += weights[kind] * amount;
        }
    }
}

/* For each kind: Σ weight × amount over a document, divided by the length of the amounts. `kinds` is a constant where it
   is called most, so that the compiler computes several kinds at once. */
static inline void weigh(const Documents *documents, int64_t link, const Scale *scale, int kinds, double *found)
{
    const int32_t *tokens = documents->tokens + link * documents->width;
    const uint8_t *places = documents->places + link * documents->width;
    int64_t size = documents->sizes[link] < documents->width ? documents->sizes[link] : documents->width;
    double sums[MOST_WEIGHTS] = {0.0}, squares[MOST_WEIGHTS] = {0.0}, counts[MOST_WEIGHTS];
    for (int64_t first = 0, end; first < size; first = end) {
        end = size;
        for (int kind = 0; kind < kinds; kind++) {
            counts[kind] = first < scale->most[kind] ? 1.0 : 0.0;
            if (first < scale->most[kind] && scale->most[kind] < end)
                end = scale->most[kind];
        }
        add_tokens(scale, tokens, places, first, end, counts, kinds, sums, squares);
    }
    for (int kind = 0; kind < kinds; kind++)
        found[kind] = squares[kind] > 0.0 ? sums[kind] / sqrt(squares[kind]) : 0.0;
}

/* Have the processor fetch the document of a link. */
static void fetch_document(const Documents *documents, int64_t link)
{
    const char *tokens = (const char *)(documents->tokens + link * documents->width);
    for (int64_t at = 0; at < documents->width * (int64_t)sizeof(int32_t); at += LINE)
        FETCH(tokens + at);
    FETCH(documents->places + link * documents->width);
}

/* Have it fetch the weights of the tokens of a link's document. */
static void fetch_weights(const Documents *documents, int64_t link, const Scale *scale)
{
    const int32_t *tokens = documents->tokens + link * documents->width;
    int64_t size = documents->sizes[link] < documents->width ? documents->sizes[link] : documents->width;
    for (int64_t i = 0; i < size; i++)
        if (tokens[i] >= 0 && tokens[i] < scale->last)
            FETCH(scale->table + (int64_t)tokens[i] * scale->kinds);
}

/* The scale in the arrays `amounts`, `most` and `table`; false with an exception set if they do not fit. */
static bool scale_in(const Arrays *given, Scale *scale)
{
    const Arrays arrays = *given;
    int64_t kinds = LENGTH(4), places = kinds ? LENGTH(3) / kinds : 0, rows = kinds ? LENGTH(7) / kinds : 0;
    *scale = (Scale){.most = ARRAY(int64_t, 4), .table = ARRAY(double, 7), .last = rows - 1, .kinds = (int)kinds};
    if (kinds < 1 || kinds > MOST_WEIGHTS || places > UINT8_MAX + 1 || LENGTH(3) != kinds * places || rows < 1
        || LENGTH(7) != rows * kinds) {
        PyErr_SetString(PyExc_ValueError, "every place needs amounts, and every token weights");
        return false;
    }
    for (int64_t place = 0; place < places; place++)
        for (int64_t kind = 0; kind < kinds; kind++)
            scale->amounts[place][kind] = ARRAY(double, 3)[place * kinds + kind];
    return true;
}

/* weigh_documents(tokens, places, sizes, amounts, most, links, found, table): a row of `found` for each kind */
PyObject *weigh_documents(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    Documents documents;
    Scale scale;
    double sums[MOST_WEIGHTS];
    (void)module;
    if (!arrays_take(&arrays, arguments, "ibbdllDd") || !documents_in(&arrays, 0, &documents)
        || !scale_in(&arrays, &scale))
        return arrays_done(&arrays);
    const int64_t *links = ARRAY(int64_t, 5);
    int64_t rows = LENGTH(5);
    if (LENGTH(6) != rows * scale.kinds)
        PyErr_SetString(PyExc_ValueError, "every kind needs a row of results");
    else if (documents_have(&documents, links, rows))
        for (int64_t row = 0; row < rows; row++) {
            if (row + 2 < rows)
                fetch_document(&documents, links[row + 2]);
            if (row + 1 < rows)
                fetch_weights(&documents, links[row + 1], &scale);
            if (scale.kinds == USUAL_WEIGHTS)
                weigh(&documents, links[row], &scale, USUAL_WEIGHTS, sums);
            else
                weigh(&documents, links[row], &scale, scale.kinds, sums);
            for (int kind = 0; kind < scale.kinds; kind++)
                ARRAY(double, 6)[kind * rows + row] = sums[kind];
        }
    return arrays_done(&arrays);
}
