/* Pages as sparse vectors: the weights of their tokens. judge/page_vectors.py in C. */

#include "page_documents.h"

#include "fetch.h"

#include <math.h>

enum { AHEAD = 16 };  /* cells that are fetched ahead */

/* Numbers of columns, in order of first use: see `weigh_compact`. */
typedef struct {
    int32_t *by_column;  /* the number of each column below `width`, plus `base`; anything else: none yet */
    int64_t width, base, count, room;
    int32_t *used;       /* the columns by number, room for `room` */
    int32_t *numbers;    /* of each cell */
} Numbering;

typedef struct {
    const int32_t *columns, *counts;
    const double *amounts, *idf, *fields;  /* of counts, of tokens (the last for all later ones), of fields */
    int64_t largest, last;                 /* count and token that have one */
    double *values;
} Weighing;

/* Give a number to the column of the cell at `at`, of 0 or more; false if it does not fit. */
static inline bool number_cell(Numbering *numbering, const int32_t *columns, int64_t at, int64_t end)
{
    int32_t column = columns[at];
    if (column >= numbering->width)
        return false;
    if (at + AHEAD < end && columns[at + AHEAD] >= 0 && columns[at + AHEAD] < numbering->width)
        FETCH(&numbering->by_column[columns[at + AHEAD]]);
    int64_t number = (int64_t)numbering->by_column[column] - numbering->base;
    if (number < 0 || number >= numbering->count) {
        if (numbering->count == numbering->room)
            return false;
        number = numbering->count++;
        numbering->used[number] = column;
        numbering->by_column[column] = (int32_t)(numbering->base + number);
    }
    numbering->numbers[at] = (int32_t)number;
    return true;
}

/* What the weights of one document, from `first` to before `end`, are multiplied by in each field. Cells of a field follow
   each other, so that its sum stays in a register. Columns get numbers meanwhile, because
   each addition waits for the one before; `numbering` is NULL where that is not wanted. */
static inline bool scale_document(const Weighing *given, int64_t first, int64_t end, double *scales, Numbering *numbering)
{
    const Weighing weighing = *given;  /* what is written through `values` does not change it */
    double sum = 0.0;
    uint32_t open_field = BODY;
    scales[BODY] = scales[BEGINNING] = scales[TITLE] = scales[URL] = 0.0;
    for (int64_t at = first; at < end; at++) {
        int32_t column = weighing.columns[at], count = weighing.counts[at];
        if (column < 0 || count < 0 || count > weighing.largest
            || (numbering != NULL && !number_cell(numbering, weighing.columns, at, end))) {
            PyErr_SetString(PyExc_ValueError, "a column or count is out of range");
            return false;
        }
        uint32_t token = (uint32_t)column / FIELDS, its_field = (uint32_t)column % FIELDS;
        double value = weighing.amounts[count] * weighing.idf[token < weighing.last ? token : weighing.last];
        if (weighing.values != NULL)
            weighing.values[at] = value;
        if (its_field != open_field) {
            scales[open_field] = sum;
            open_field = its_field;
            sum = scales[open_field];
        }
        sum += value * value;
    }
    scales[open_field] = sum;
    for (int field = 0; field < FIELDS; field++) {
        double length = sqrt(scales[field]);
        scales[field] = weighing.fields[field] / (length > 1e-12 ? length : 1e-12);
    }
    return true;
}

/* The weights of one document. */
static inline bool weigh_document(const Weighing *weighing, int64_t first, int64_t end, Numbering *numbering)
{
    double scales[FIELDS];
    if (!scale_document(weighing, first, end, scales, numbering))
        return false;
    for (int64_t at = first; at < end; at++)
        weighing->values[at] *= scales[(uint32_t)weighing->columns[at] % FIELDS];
    return true;
}

/* The projection of one document with these scales; columns beyond the direction are left out. */
static double place_document(const Weighing *weighing, int64_t first, int64_t end, const double *scales,
                             const double *direction, int64_t width)
{
    double sum = 0.0;
    for (int64_t at = first; at < end; at++) {
        int32_t column = weighing->columns[at];  /* of 0 or more, and its count is in range: `scale_document` */
        int64_t token = column / FIELDS;
        if (column >= width)
            continue;
        double weight = weighing->amounts[weighing->counts[at]] * weighing->idf[token < weighing->last ? token : weighing->last];
        sum += weight * scales[column % FIELDS] * direction[column];
    }
    return sum;
}

/* Whether `ends` divide cells among documents: 0 and the end of each. */
static bool are_ends(const int64_t *ends, int64_t count, int64_t documents, int64_t cells)
{
    bool fits = count == documents + 1 && documents >= 0;
    for (int64_t i = 0; fits && i < documents; i++)
        fits = ends[i] >= 0 && ends[i] <= ends[i + 1] && ends[i + 1] <= cells;
    return fits;
}

/* weigh_fields(columns, counts, ends, amounts, idf, fields, values) */
PyObject *weigh_fields(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    (void)module;
    if (!arrays_take(&arrays, arguments, "iildddD"))
        return arrays_done(&arrays);
    const int64_t *ends = ARRAY(int64_t, 2);
    int64_t cells = LENGTH(0), documents = LENGTH(2) - 1;
    Weighing weighing = {ARRAY(int32_t, 0), ARRAY(int32_t, 1), ARRAY(double, 3), ARRAY(double, 4), ARRAY(double, 5),
                         LENGTH(3) - 1, LENGTH(4) - 1, ARRAY(double, 6)};
    bool fits = LENGTH(1) == cells && LENGTH(6) == cells && LENGTH(5) == FIELDS && weighing.last >= 0
        && are_ends(ends, LENGTH(2), documents, cells);
    if (!fits)
        PyErr_SetString(PyExc_ValueError, "arrays of different documents");
    for (int64_t i = 0; fits && i < documents; i++)
        fits = weigh_document(&weighing, ends[i], ends[i + 1], NULL);
    return arrays_done(&arrays);
}

/* weigh_compact(columns, counts, ends, amounts, idf, fields, values, numbers, known, renumbered, used): `weigh_fields`, and the
   columns get numbers in the order of first use. `numbers` has that of each column plus known[0], anything else for a column
   without one; `used` has the columns by number, of which there are known[1] */
PyObject *weigh_compact(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    (void)module;
    if (!arrays_take(&arrays, arguments, "iildddD" "ILII"))
        return arrays_done(&arrays);
    const int64_t *ends = ARRAY(int64_t, 2);
    int64_t cells = LENGTH(0), documents = LENGTH(2) - 1, *known = ARRAY(int64_t, 8);
    Weighing weighing = {ARRAY(int32_t, 0), ARRAY(int32_t, 1), ARRAY(double, 3), ARRAY(double, 4), ARRAY(double, 5),
                         LENGTH(3) - 1, LENGTH(4) - 1, ARRAY(double, 6)};
    Numbering numbering = {.by_column = ARRAY(int32_t, 7), .width = LENGTH(7), .room = LENGTH(10),
                           .used = ARRAY(int32_t, 10), .numbers = ARRAY(int32_t, 9)};
    bool fits = LENGTH(1) == cells && LENGTH(6) == cells && LENGTH(9) == cells && LENGTH(5) == FIELDS && weighing.last >= 0
        && LENGTH(8) == 2 && known[0] >= 0 && known[1] >= 0 && known[1] <= numbering.room
        && known[0] <= INT32_MAX - numbering.room && are_ends(ends, LENGTH(2), documents, cells);
    if (fits) {
        numbering.base = known[0];
        numbering.count = known[1];
    }
    for (int64_t i = 0; fits && i < documents; i++)
        fits = weigh_document(&weighing, ends[i], ends[i + 1], &numbering);
    if (fits)
        known[1] = numbering.count;
    else if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "arrays of different documents");
    return arrays_done(&arrays);
}

/* place_fields(columns, counts, ends, amounts, idf, fields, direction, scales, sums): four scales for each document */
PyObject *place_fields(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    (void)module;
    if (!arrays_take(&arrays, arguments, "iilddddDD"))
        return arrays_done(&arrays);
    const int64_t *ends = ARRAY(int64_t, 2);
    int64_t cells = LENGTH(0), documents = LENGTH(2) - 1;
    Weighing weighing = {ARRAY(int32_t, 0), ARRAY(int32_t, 1), ARRAY(double, 3), ARRAY(double, 4), ARRAY(double, 5),
                         LENGTH(3) - 1, LENGTH(4) - 1, NULL};
    bool fits = LENGTH(1) == cells && LENGTH(5) == FIELDS && weighing.last >= 0
        && are_ends(ends, LENGTH(2), documents, cells) && LENGTH(7) == FIELDS * documents && LENGTH(8) == documents;
    if (!fits)
        PyErr_SetString(PyExc_ValueError, "arrays of different documents");
    for (int64_t i = 0; fits && i < documents; i++) {
        double *scales = ARRAY(double, 7) + i * FIELDS;
        fits = scale_document(&weighing, ends[i], ends[i + 1], scales, NULL);
        if (fits)
            ARRAY(double, 8)[i] =
                place_document(&weighing, ends[i], ends[i + 1], scales, ARRAY(double, 6), LENGTH(6));
    }
    return arrays_done(&arrays);
}

/* project(columns, values, ends, direction, sums): columns beyond the direction are left out */
PyObject *project(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    (void)module;
    if (!arrays_take(&arrays, arguments, "idldD"))
        return arrays_done(&arrays);
    const int32_t *columns = ARRAY(int32_t, 0);
    const int64_t *ends = ARRAY(int64_t, 2);
    const double *values = ARRAY(double, 1), *direction = ARRAY(double, 3);
    int64_t documents = LENGTH(4), width = LENGTH(3);
    if (LENGTH(1) != LENGTH(0) || !are_ends(ends, LENGTH(2), documents, LENGTH(0)))
        PyErr_SetString(PyExc_ValueError, "arrays of different documents");
    else
        for (int64_t i = 0; i < documents; i++) {
            double sum = 0.0;
            for (int64_t at = ends[i]; at < ends[i + 1]; at++)
                if (columns[at] >= 0 && columns[at] < width)
                    sum += values[at] * direction[columns[at]];
            ARRAY(double, 4)[i] = sum;
        }
    return arrays_done(&arrays);
}

/* add_by_token(columns, ends, factors, sums, counts) */
PyObject *add_by_token(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    (void)module;
    if (!arrays_take(&arrays, arguments, "ildDD"))
        return arrays_done(&arrays);
    const int32_t *columns = ARRAY(int32_t, 0);
    const int64_t *ends = ARRAY(int64_t, 1);
    int64_t documents = LENGTH(2), tokens = LENGTH(3);
    bool fits = LENGTH(4) == tokens && are_ends(ends, LENGTH(1), documents, LENGTH(0));
    for (int64_t i = 0; fits && i < documents; i++)
        for (int64_t at = ends[i]; fits && at < ends[i + 1] && columns[at] % FIELDS == BODY; at++) {  /* its first cells */
            int64_t token = (uint32_t)columns[at] / FIELDS;
            fits = columns[at] >= 0 && token < tokens;
            if (fits) {
                ARRAY(double, 3)[token] += ARRAY(double, 2)[i];
                ARRAY(double, 4)[token] += 1.0;
            }
        }
    if (!fits)
        PyErr_SetString(PyExc_ValueError, "arrays of different documents");
    return arrays_done(&arrays);
}
