/* The priority of links as a weighted sum of columns: value/weighted_sums.py in C. */

#include "arrays.h"
#include "weighted_sums.h"

#include <string.h>

/* weighted_sums(links, weights, sums, *columns): every column is of floats */
PyObject *weighted_sums(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.count = 0};
    char kinds[MOST_ARRAYS + 1] = "ldD";
    Py_ssize_t columns = PyTuple_GET_SIZE(arguments) - 3;
    (void)module;
    if (columns < 0 || columns + 3 > MOST_ARRAYS)
        return PyErr_Format(PyExc_TypeError, "up to %d columns can be added", MOST_ARRAYS - 3);
    memset(kinds + 3, 'f', (size_t)columns);
    if (!arrays_take(&arrays, arguments, kinds))
        return arrays_done(&arrays);
    const int64_t *links = ARRAY(int64_t, 0);
    double *sums = ARRAY(double, 2);
    bool fits = LENGTH(1) == columns && LENGTH(2) == LENGTH(0);
    for (Py_ssize_t column = 0; fits && column < columns; column++) {
        const float *values = ARRAY(float, 3 + column);
        double weight = ARRAY(double, 1)[column];
        int64_t size = LENGTH(3 + column);
        for (int64_t i = 0; fits && i < LENGTH(0); i++) {
            fits = links[i] >= 0 && links[i] < size;
            sums[i] += fits ? weight * (double)values[links[i]] : 0.0;
        }
    }
    if (!fits)
        PyErr_SetString(PyExc_ValueError, "every column needs a weight, and a value for each link");
    return arrays_done(&arrays);
}
