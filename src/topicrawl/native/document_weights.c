/* Weighs the documents of links: scout/document_rows.py in C. */

#include "link_documents.h"

#include "fetch.h"

#include <math.h>

enum { MOST_WEIGHTS = 8, USUAL_WEIGHTS = 3 };
enum { LINE = 64 };  /* bytes of a line of the cache */

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

/* The scale in the arrays `amounts` and `most`, which follow each other, and `table`; false with an exception set if they
   do not fit. */
static bool scale_in(const Arrays *given, int first, int of_table, Scale *scale)
{
    const double *amounts = ARRAY_IN(given, double, first);
    int64_t kinds = LENGTH_IN(given, first + 1), cells = LENGTH_IN(given, first), places = kinds ? cells / kinds : 0;
    int64_t rows = kinds ? LENGTH_IN(given, of_table) / kinds : 0;
    *scale = (Scale){.most = ARRAY_IN(given, int64_t, first + 1), .table = ARRAY_IN(given, double, of_table),
                     .last = rows - 1, .kinds = (int)kinds};
    if (kinds < 1 || kinds > MOST_WEIGHTS || places > UINT8_MAX + 1 || cells != kinds * places || rows < 1
        || LENGTH_IN(given, of_table) != rows * kinds) {
        PyErr_SetString(PyExc_ValueError, "every place needs amounts, and every token weights");
        return false;
    }
    for (int64_t place = 0; place < places; place++)
        for (int64_t kind = 0; kind < kinds; kind++)
            scale->amounts[place][kind] = amounts[place * kinds + kind];
    return true;
}

/* weigh_documents(tokens, places, sizes, by, amounts, most, links, found, table): a row of `found` for each kind */
PyObject *weigh_documents(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    Documents documents;
    Scale scale;
    double sums[MOST_WEIGHTS];
    (void)module;
    if (!arrays_take(&arrays, arguments, "ibbidllDd") || !documents_in(&arrays, 0, &documents)
        || !scale_in(&arrays, 4, 8, &scale))
        return arrays_done(&arrays);
    const int64_t *links = ARRAY(int64_t, 6);
    int64_t rows = LENGTH(6);
    if (LENGTH(7) != rows * scale.kinds)
        PyErr_SetString(PyExc_ValueError, "every kind needs a row of results");
    else if (documents_have(&documents, links, rows))
        for (int64_t row = 0; row < rows; row++) {
            weigh(&documents, links[row], &scale, scale.kinds, sums);
            for (int kind = 0; kind < scale.kinds; kind++)
                ARRAY(double, 7)[kind * rows + row] = sums[kind];
        }
    return arrays_done(&arrays);
}

enum { SIMILAR, TOKEN, COMPANY };  /* the kinds of weights of `predict_links` */

/* The first link from `row` on that was not weighed by these weights, or the end. */
static int64_t next_of(const Documents *documents, const int64_t *links, int64_t count, int64_t row, int32_t number)
{
    while (row < count && documents->by[links[row]] == number)
        row++;
    return row;
}

/* predict_links(tokens, places, sizes, by, amounts, most, links, table, number, predicted, text, company): `number` is that
   of the weights */
PyObject *predict_links(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    Documents documents;
    Scale scale;
    double sums[MOST_WEIGHTS];
    (void)module;
    if (!arrays_take(&arrays, arguments, "ibbIdlldl" "FFF") || !documents_in(&arrays, 0, &documents)
        || !scale_in(&arrays, 4, 7, &scale))
        return arrays_done(&arrays);
    const int64_t *links = ARRAY(int64_t, 6);
    int64_t count = LENGTH(6), columns = LENGTH(10);
    bool fits = scale.kinds == USUAL_WEIGHTS && LENGTH(8) == 1 && LENGTH(9) == documents.count
        && LENGTH(11) == columns;
    for (int64_t row = 0; fits && row < count; row++)
        fits = links[row] >= 0 && links[row] < columns && links[row] < documents.count;
    if (!fits) {
        PyErr_SetString(PyExc_ValueError, "links, documents and columns that do not fit");
        return arrays_done(&arrays);
    }
    int32_t number = (int32_t)ARRAY(int64_t, 8)[0];
    for (int64_t row = next_of(&documents, links, count, 0, number), next; row < count; row = next) {
        int64_t link = links[row];
        documents.by[link] = number;
        next = next_of(&documents, links, count, row + 1, number);
        if (next < count)
            fetch_weights(&documents, links[next], &scale);
        if (next + 1 < count)
            fetch_document(&documents, links[next + 1]);
        weigh(&documents, link, &scale, USUAL_WEIGHTS, sums);
        ARRAY(float, 9)[link] = (float)sums[TOKEN];
        ARRAY(float, 10)[link] = (float)(sums[SIMILAR] > 0.0 ? sums[SIMILAR] : 0.0);
        ARRAY(float, 11)[link] = (float)sums[COMPANY];
    }
    return arrays_done(&arrays);
}
