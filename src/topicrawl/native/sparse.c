/* Products of sparse rows: bit for bit the numbers of value/sparse_products.py. */

#include "sparse.h"

#include "arrays.h"

/* Row i has the cells from ends[i] to ends[i + 1]. */
typedef struct {
    const double *values;
    const int32_t *columns;
    const int64_t *ends;
    int64_t rows;
} Rows;

/* The rows in three arguments from `first` on; false with an exception set if the ends do not fit the cells, or a
   column is not below `width`: else no index is out of bounds. */
static bool rows_in(const Arrays *given, int first, int64_t width, Rows *rows)
{
    const Arrays arrays = *given;
    int64_t cells = LENGTH(first);
    *rows = (Rows){ARRAY(double, first), ARRAY(int32_t, first + 1), ARRAY(int64_t, first + 2), LENGTH(first + 2) - 1};
    bool fits = rows->rows >= 0 && LENGTH(first + 1) == cells && rows->ends[0] == 0 && rows->ends[rows->rows] == cells;
    for (int64_t row = 0; fits && row < rows->rows; row++)
        fits = rows->ends[row] <= rows->ends[row + 1];
    for (int64_t cell = 0; fits && cell < cells; cell++)
        fits = rows->columns[cell] >= 0 && rows->columns[cell] < width;
    if (!fits)
        PyErr_SetString(PyExc_ValueError, "sparse rows and factors or sums that do not fit");
    return fits;
}

/* Whether an array has as many numbers as are needed; false with an exception set. */
static bool has_length(int64_t length, int64_t needed)
{
    if (length != needed)
        PyErr_SetString(PyExc_ValueError, "sparse rows and factors or sums that do not fit");
    return length == needed;
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
    for (int64_t row = 0; row < rows.rows; row++) {
        double sum = 0.0;
        for (int64_t cell = rows.ends[row]; cell < rows.ends[row + 1]; cell++)
            sum += rows.values[cell] * ARRAY(double, 3)[rows.columns[cell]];
        ARRAY(double, 4)[row] += sum;
    }
    return arrays_done(&arrays);
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
    for (int64_t row = 0; row < rows.rows; row++) {
        double factor = ARRAY(double, 3)[row];
        for (int64_t cell = rows.ends[row]; cell < rows.ends[row + 1]; cell++)
            ARRAY(double, 4)[rows.columns[cell]] += rows.values[cell] * factor;
    }
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
