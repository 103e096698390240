/* Products of sparse rows: bit for bit the numbers of value/sparse_products.py. */

#include "sparse.h"

#include <stdbool.h>
#include <stdint.h>

/* Row i has the cells from ends[i] to ends[i + 1]. */
typedef struct {
    Py_buffer value_buffer, column_buffer, end_buffer;
    const double *values;
    const int32_t *columns;
    const int64_t *ends;
    Py_ssize_t rows;
} Rows;

static Py_ssize_t doubles_in(const Py_buffer *buffer)
{
    return buffer->len / (Py_ssize_t)sizeof(double);
}

/* Whether the ends fit the cells, and all columns are below `width`: then no index is out of bounds. */
static bool open_rows(Rows *rows, Py_ssize_t width)
{
    rows->values = rows->value_buffer.buf;
    rows->columns = rows->column_buffer.buf;
    rows->ends = rows->end_buffer.buf;
    rows->rows = rows->end_buffer.len / (Py_ssize_t)sizeof(int64_t) - 1;
    Py_ssize_t cells = doubles_in(&rows->value_buffer);
    if (rows->rows < 0 || rows->column_buffer.len != cells * (Py_ssize_t)sizeof(int32_t) || rows->ends[0] != 0
        || rows->ends[rows->rows] != cells)
        return false;
    for (Py_ssize_t row = 0; row < rows->rows; row++)
        if (rows->ends[row] > rows->ends[row + 1])
            return false;
    for (Py_ssize_t cell = 0; cell < cells; cell++)
        if (rows->columns[cell] < 0 || rows->columns[cell] >= width)
            return false;
    return true;
}

static void close_rows(Rows *rows)
{
    PyBuffer_Release(&rows->value_buffer);
    PyBuffer_Release(&rows->column_buffer);
    PyBuffer_Release(&rows->end_buffer);
}

static PyObject *do_not_fit(void)
{
    PyErr_SetString(PyExc_ValueError, "sparse rows and factors or sums that do not fit");
    return NULL;
}

PyObject *sparse_add_by_row(PyObject *module, PyObject *arguments)
{
    Rows rows;
    Py_buffer factors, sums;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y*y*y*y*w*", &rows.value_buffer, &rows.column_buffer, &rows.end_buffer, &factors,
                          &sums))
        return NULL;
    bool fits = open_rows(&rows, doubles_in(&factors)) && doubles_in(&sums) == rows.rows;
    for (Py_ssize_t row = 0; fits && row < rows.rows; row++) {
        double sum = 0.0;
        for (int64_t cell = rows.ends[row]; cell < rows.ends[row + 1]; cell++)
            sum += rows.values[cell] * ((const double *)factors.buf)[rows.columns[cell]];
        ((double *)sums.buf)[row] += sum;
    }
    close_rows(&rows);
    PyBuffer_Release(&factors);
    PyBuffer_Release(&sums);
    return fits ? Py_NewRef(Py_None) : do_not_fit();
}

PyObject *sparse_add_by_column(PyObject *module, PyObject *arguments)
{
    Rows rows;
    Py_buffer factors, sums;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y*y*y*y*w*", &rows.value_buffer, &rows.column_buffer, &rows.end_buffer, &factors,
                          &sums))
        return NULL;
    bool fits = open_rows(&rows, doubles_in(&sums)) && doubles_in(&factors) == rows.rows;
    for (Py_ssize_t row = 0; fits && row < rows.rows; row++) {
        double factor = ((const double *)factors.buf)[row];
        for (int64_t cell = rows.ends[row]; cell < rows.ends[row + 1]; cell++)
            ((double *)sums.buf)[rows.columns[cell]] += rows.values[cell] * factor;
    }
    close_rows(&rows);
    PyBuffer_Release(&factors);
    PyBuffer_Release(&sums);
    return fits ? Py_NewRef(Py_None) : do_not_fit();
}

PyObject *sparse_add_pairs(PyObject *module, PyObject *arguments)
{
    Rows rows, others;
    Py_buffer sums;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y*y*y*y*y*y*w*", &rows.value_buffer, &rows.column_buffer, &rows.end_buffer,
                          &others.value_buffer, &others.column_buffer, &others.end_buffer, &sums))
        return NULL;
    Py_ssize_t other_rows = others.end_buffer.len / (Py_ssize_t)sizeof(int64_t) - 1;
    bool fits = open_rows(&rows, other_rows);
    Py_ssize_t width = fits && rows.rows ? doubles_in(&sums) / rows.rows : 0;
    fits = fits && width * rows.rows == doubles_in(&sums) && (rows.rows == 0 || open_rows(&others, width));
    for (Py_ssize_t row = 0; fits && row < rows.rows; row++) {
        double *sum = (double *)sums.buf + row * width;
        for (int64_t cell = rows.ends[row]; cell < rows.ends[row + 1]; cell++) {
            double value = rows.values[cell];
            int32_t other = rows.columns[cell];
            for (int64_t place = others.ends[other]; place < others.ends[other + 1]; place++)
                sum[others.columns[place]] += value * others.values[place];
        }
    }
    close_rows(&rows);
    close_rows(&others);
    PyBuffer_Release(&sums);
    return fits ? Py_NewRef(Py_None) : do_not_fit();
}
