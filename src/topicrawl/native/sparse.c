/* Products of sparse rows: bit for bit the numbers of text/sparse_products.py. */

#include "sparse.h"

#include "arrays.h"

/* Row i has the cells from ends[i] to ends[i + 1]. */
typedef struct {
    const double *values;
    const int32_t *columns;
    const int64_t *ends;
    int64_t rows;
} Rows;

/* Whether a column is below 0 or not below `width`. Without an early end, so that the compiler looks at several at once:
   the first bit of one of the two numbers is set. */
static bool is_outside(const int32_t *columns, int64_t cells, int64_t width)
{
    uint32_t last = (uint32_t)(width < INT32_MAX ? width : INT32_MAX) - 1, outside = 0;
    for (int64_t cell = 0; cell < cells; cell++)
        outside |= (uint32_t)columns[cell] | (last - (uint32_t)columns[cell]);
    return cells > 0 && (width < 1 || outside >> 31 != 0);
}

/* The rows in three arguments from `first` on; false with an exception set if the ends do not fit the cells, or a
   column is not below `width`: else no index is out of bounds. */
static bool rows_in(const Arrays *given, int first, int64_t width, Rows *rows)
{
    int64_t cells = LENGTH_IN(given, first);
    *rows = (Rows){ARRAY_IN(given, double, first), ARRAY_IN(given, int32_t, first + 1),
                   ARRAY_IN(given, int64_t, first + 2), LENGTH_IN(given, first + 2) - 1};
    bool fits = rows->rows >= 0 && LENGTH_IN(given, first + 1) == cells && rows->ends[0] == 0
        && rows->ends[rows->rows] == cells;
    for (int64_t row = 0; fits && row < rows->rows; row++)
        fits = rows->ends[row] <= rows->ends[row + 1];
    if (!fits || is_outside(rows->columns, cells, width))
        PyErr_SetString(PyExc_ValueError, "sparse rows and factors or sums that do not fit");
    return !PyErr_Occurred();
}

/* Whether an array has as many numbers as are needed; false with an exception set. */
static bool has_length(int64_t length, int64_t needed)
{
    if (length != needed)
        PyErr_SetString(PyExc_ValueError, "sparse rows and factors or sums that do not fit");
    return length == needed;
}

enum { LANES = 4 };

/* A row that is being added up. */
typedef struct {
    int64_t row, cell, left;
    double sum;
} Lane;

/* Begin with the next row that has cells; false if there is none. */
static bool begin_row(const Rows *rows, int64_t *next, Lane *lane)
{
    while (*next < rows->rows && rows->ends[*next] == rows->ends[*next + 1])
        ++*next;
    if (*next == rows->rows)
        return false;
    *lane = (Lane){*next, rows->ends[*next], rows->ends[*next + 1] - rows->ends[*next], 0.0};
    ++*next;
    return true;
}

/* Add Σ value · factors[column] to the sum of each row. An addition waits for the one before, so several rows are added
   up at a time, each in its own order. */
static void add_rows(const Rows *rows, const double *factors, double *sums)
{
    Lane lanes[LANES];
    int64_t next = 0, count = 0;
    while (count < LANES && begin_row(rows, &next, &lanes[count]))
        count++;
    while (count > 0) {
        int64_t steps = INT64_MAX;
        for (int64_t i = 0; i < LANES; i++) {
            if (i >= count)
                lanes[i] = lanes[0];  /* the same again, and not used */
            steps = lanes[i].left < steps ? lanes[i].left : steps;
        }
        const double *values[LANES];
        const int32_t *columns[LANES];
        double sum[LANES];
        for (int i = 0; i < LANES; i++) {
            values[i] = rows->values + lanes[i].cell;
            columns[i] = rows->columns + lanes[i].cell;
            sum[i] = lanes[i].sum;
        }
        for (int64_t step = 0; step < steps; step++)
            for (int i = 0; i < LANES; i++)
                sum[i] += values[i][step] * factors[columns[i][step]];
        for (int64_t i = count - 1; i >= 0; i--) {
            lanes[i].sum = sum[i];
            lanes[i].cell += steps;
            lanes[i].left -= steps;
            if (lanes[i].left > 0)
                continue;
            sums[lanes[i].row] += lanes[i].sum;
            if (!begin_row(rows, &next, &lanes[i]))
                lanes[i] = lanes[--count];
        }
    }
}

/* add_by_row(values, columns, ends, factors, sums) */
PyObject *sparse_add_by_row(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    Rows rows;
    (void)module;
    if (!arrays_take(&arrays, arguments, "dildD") || !rows_in(&arrays, 0, LENGTH(3), &rows)
        || !has_length(LENGTH(4), rows.rows))
        return arrays_done(&arrays);
    add_rows(&rows, ARRAY(double, 3), ARRAY(double, 4));
    return arrays_done(&arrays);
}

/* Add the rows, each times its factor, to sums by column. A factor of 0 adds nothing. */
static void add_columns(const Rows *rows, double *sums, const double *factors)
{
    for (int64_t row = 0; row < rows->rows; row++) {
        double factor = factors[row];
        for (int64_t cell = factor == 0.0 ? rows->ends[row + 1] : rows->ends[row]; cell < rows->ends[row + 1]; cell++)
            sums[rows->columns[cell]] += rows->values[cell] * factor;
    }
}

/* add_by_column(values, columns, ends, factors, sums) */
PyObject *sparse_add_by_column(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    Rows rows;
    (void)module;
    if (!arrays_take(&arrays, arguments, "dildD") || !rows_in(&arrays, 0, LENGTH(4), &rows)
        || !has_length(LENGTH(3), rows.rows))
        return arrays_done(&arrays);
    add_columns(&rows, ARRAY(double, 4), ARRAY(double, 3));
    return arrays_done(&arrays);
}

enum { BLOCK = 64 };

/* add_both(values, columns, ends, factors, sums): `add_by_row`, then `add_by_column` with its sums as factors. Some rows at
   a time, so that their cells are read from the cache the second time. */
PyObject *sparse_add_both(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    Rows rows;
    (void)module;
    if (!arrays_take(&arrays, arguments, "dildD") || !rows_in(&arrays, 0, LENGTH(3), &rows)
        || !has_length(LENGTH(4), LENGTH(3)))
        return arrays_done(&arrays);
    for (int64_t first = 0; first < rows.rows; first += BLOCK) {
        double products[BLOCK] = {0.0};
        int64_t count = rows.rows - first < BLOCK ? rows.rows - first : BLOCK;
        const Rows some = {rows.values, rows.columns, rows.ends + first, count};
        add_rows(&some, ARRAY(double, 3), products);
        add_columns(&some, ARRAY(double, 4), products);
    }
    return arrays_done(&arrays);
}

/* add_back(values, columns, ends, factors, combined, sums): `add_by_column` with these factors, then `add_by_row` with what
   that gives */
PyObject *sparse_add_back(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    Rows rows;
    (void)module;
    if (!arrays_take(&arrays, arguments, "dildDD") || !rows_in(&arrays, 0, LENGTH(4), &rows)
        || !has_length(LENGTH(3), rows.rows) || !has_length(LENGTH(5), rows.rows))
        return arrays_done(&arrays);
    add_columns(&rows, ARRAY(double, 4), ARRAY(double, 3));
    add_rows(&rows, ARRAY(double, 4), ARRAY(double, 5));
    return arrays_done(&arrays);
}

/* add_pairs(values, columns, ends, other values, other columns, other ends, sums): a row of sums for each row */
PyObject *sparse_add_pairs(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    Rows rows, others;
    (void)module;
    if (!arrays_take(&arrays, arguments, "dildilD") || !rows_in(&arrays, 0, LENGTH(5) - 1, &rows))
        return arrays_done(&arrays);
    int64_t width = rows.rows ? LENGTH(6) / rows.rows : 0;
    if (!has_length(LENGTH(6), width * rows.rows) || rows.rows == 0 || !rows_in(&arrays, 3, width, &others))
        return arrays_done(&arrays);
    for (int64_t row = 0; row < rows.rows; row++) {
        double *sum = ARRAY(double, 6) + row * width;
        for (int64_t cell = rows.ends[row]; cell < rows.ends[row + 1]; cell++) {
            double value = rows.values[cell];
            int32_t other = rows.columns[cell];
            for (int64_t place = others.ends[other]; place < others.ends[other + 1]; place++)
                sum[others.columns[place]] += value * others.values[place];
        }
    }
    return arrays_done(&arrays);
}

/* transpose(values, columns, ends, values by column, rows by column, ends of columns): the cells in order of their
   columns, those of a column in order of their rows */
PyObject *sparse_transpose(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    Rows rows;
    (void)module;
    if (!arrays_take(&arrays, arguments, "dilDIL") || !rows_in(&arrays, 0, LENGTH(5) - 1, &rows)
        || !has_length(LENGTH(3), LENGTH(0)) || !has_length(LENGTH(4), LENGTH(0)))
        return arrays_done(&arrays);
    int64_t *ends = ARRAY(int64_t, 5), width = LENGTH(5) - 1, cells = LENGTH(0);
    for (int64_t column = 0; column <= width; column++)
        ends[column] = 0;
    for (int64_t cell = 0; cell < cells; cell++)
        ends[rows.columns[cell] + 1]++;
    for (int64_t column = 0; column < width; column++)
        ends[column + 1] += ends[column];
    for (int64_t row = rows.rows - 1; row >= 0; row--)  /* backwards, so that each end becomes the begin of its column */
        for (int64_t cell = rows.ends[row + 1] - 1; cell >= rows.ends[row]; cell--) {
            int64_t place = --ends[rows.columns[cell] + 1];
            ARRAY(double, 3)[place] = rows.values[cell];
            ARRAY(int32_t, 4)[place] = (int32_t)row;
        }
    for (int64_t column = 0; column < width; column++)
        ends[column] = ends[column + 1];
    ends[width] = cells;
    return arrays_done(&arrays);
}
