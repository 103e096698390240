/* eˣ with the same bits everywhere: floats.py in C, operation for operation. */

#include "exponentials.h"

#include <math.h>

enum { LN2_HIGH, LN2_LOW, ONE_BY_LN2, TERMS };  /* places of the constants; the terms of the series follow */
#define LEAST (-746.0)                           /* below: 0 */
enum { MOST_TWOS = 2000 };                       /* beyond: infinite */

static double exp_of(double value, const double *constants, int64_t count)
{
    double x = value < LEAST ? LEAST : value, twos = rint(x * constants[ONE_BY_LN2]);
    double rest = (x - twos * constants[LN2_HIGH]) - twos * constants[LN2_LOW], total = constants[TERMS];
    for (int64_t i = TERMS + 1; i < count; i++)
        total = total * rest + constants[i];
    if (isnan(value))
        return value;
    return ldexp(1.0 + (rest + rest * rest * total), twos < MOST_TWOS ? (int)twos : MOST_TWOS);
}

/* exp_all(values, constants, found) */
PyObject *exp_all(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    (void)module;
    if (!arrays_take(&arrays, arguments, "ddD"))
        return arrays_done(&arrays);
    if (LENGTH(2) != LENGTH(0) || LENGTH(1) <= TERMS)
        PyErr_SetString(PyExc_ValueError, "every number needs a place");
    else
        for (int64_t i = 0; i < LENGTH(0); i++)
            ARRAY(double, 2)[i] = exp_of(ARRAY(double, 0)[i], ARRAY(double, 1), LENGTH(1));
    return arrays_done(&arrays);
}
