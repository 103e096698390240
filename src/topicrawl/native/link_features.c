/* Features of links, written to columns: scout/link_features.py in C, operation for operation. */

#include "link_features.h"

static double larger(double one, double other)
{
    return one > other ? one : other;
}

/* Whether all of these are below `size`; sets an exception if not. */
static bool all_below(const int64_t *links, int64_t count, int64_t size)
{
    for (int64_t i = 0; i < count; i++)
        if (links[i] < 0 || links[i] >= size) {
            PyErr_SetString(PyExc_IndexError, "a link without a place in the columns");
            return false;
        }
    return true;
}

/* Whether the arrays from `first` to `last` are columns of `size` rows; sets an exception if not. */
static bool are_columns(const Arrays *given, int first, int last, int64_t size)
{
    for (int place = first; place <= last; place++)
        if (LENGTH_IN(given, place) != size) {
            PyErr_SetString(PyExc_ValueError, "columns of different lengths");
            return false;
        }
    return true;
}

/* measure_links(links, predicted, shares, constants, judged_sum, parents_count, start, parents, token, share):
   `constants` are the mean relevance, and how many parents of it are added */
PyObject *measure_links(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    (void)module;
    if (!arrays_take(&arrays, arguments, "lfdddiiFFF") || !are_columns(&arrays, 5, 9, LENGTH(4))
        || !are_columns(&arrays, 3, 3, 2) || !all_below(ARRAY(int64_t, 0), LENGTH(0), LENGTH(4))
        || !all_below(ARRAY(int64_t, 0), LENGTH(0), LENGTH(1)))
        return arrays_done(&arrays);
    double mean = ARRAY(double, 3)[0], added = ARRAY(double, 3)[1];
    float least = (float)-mean;
    for (int64_t i = 0; i < LENGTH(0); i++) {
        int64_t link = ARRAY(int64_t, 0)[i], start = ARRAY(int32_t, 6)[link];
        if (start < 0 || start >= LENGTH(2)) {
            PyErr_SetString(PyExc_IndexError, "a start without a share");
            break;
        }
        double parents = (double)ARRAY(int32_t, 5)[link] + added;
        ARRAY(float, 7)[link] = (float)((ARRAY(double, 4)[link] + added * mean) / parents);
        float predicted = ARRAY(float, 1)[link];
        ARRAY(float, 8)[link] = predicted > least ? predicted : least;
        ARRAY(float, 9)[link] = (float)ARRAY(double, 2)[start];
    }
    return arrays_done(&arrays);
}

/* measure_hosts(links, host, pages, relevance, shown, constants, column): `constants` are the level of good hosts, how
   much a host says, and two smoothing constants */
PyObject *measure_hosts(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    (void)module;
    if (!arrays_take(&arrays, arguments, "lidddd" "F") || !are_columns(&arrays, 6, 6, LENGTH(1))
        || !are_columns(&arrays, 3, 4, LENGTH(2)) || !are_columns(&arrays, 5, 5, 4)
        || !all_below(ARRAY(int64_t, 0), LENGTH(0), LENGTH(1)))
        return arrays_done(&arrays);
    const double *constants = ARRAY(double, 5);
    double level = constants[0], says = constants[1], doubt = constants[2], few_pages = constants[3];
    for (int64_t i = 0; i < LENGTH(0); i++) {
        int64_t link = ARRAY(int64_t, 0)[i], host = ARRAY(int32_t, 1)[link];
        if (host < 0 || host >= LENGTH(2)) {
            PyErr_SetString(PyExc_IndexError, "a link without a host");
            break;
        }
        double pages = ARRAY(double, 2)[host], relevance = ARRAY(double, 3)[host];
        double led = ARRAY(double, 4)[host] / (pages + few_pages), outward = led < 1.0 ? led : 1.0;
        double poor = larger(1 - relevance / larger(pages, 1.0) / level, 0.0) * pages / (pages + doubt);
        ARRAY(float, 6)[link] = (float)(says * (outward - poor * (1 - outward)));
    }
    return arrays_done(&arrays);
}

double chance_in_a_row(double chance, int64_t count)
{
    double result = 1.0;
    for (; count > 0; count /= 2) {
        if (count % 2)
            result = result * chance;
        chance = chance * chance;
    }
    return result;
}
