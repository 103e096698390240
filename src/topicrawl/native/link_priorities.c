/* The priorities of links, from their features to the queue: scout/link_priorities.py in C. */

#include "link_priorities.h"

#include "arrays.h"
#include "link_features.h"
#include "priorities.h"

#include <string.h>

enum { FIRST_COLUMN = 12 };  /* the features, after all other arrays */
enum { AT_ONCE = 256 };

/* Some of the links, and the priority of each. */
typedef struct {
    int64_t links[AT_ONCE];
    double sums[AT_ONCE];
    int64_t count;
} Some;

/* Take links from `first` on that are no seeds; returns where the next ones begin. */
static int64_t take_some(const Arrays *given, int64_t first, Some *some)
{
    const int64_t *links = ARRAY_IN(given, int64_t, 0);
    const int16_t *depth = ARRAY_IN(given, int16_t, 5);
    some->count = 0;
    for (; first < LENGTH_IN(given, 0) && some->count < AT_ONCE; first++)
        if (depth[links[first]] != 0) {
            some->sums[some->count] = 0.0;
            some->links[some->count++] = links[first];
        }
    return first;
}

static void add_features(const Arrays *given, Some *some)
{
    for (int column = FIRST_COLUMN; column < given->count; column++) {
        const float *values = ARRAY_IN(given, float, column);
        double weight = ARRAY_IN(given, double, 1)[column - FIRST_COLUMN];
        for (int64_t i = 0; i < some->count; i++)
            some->sums[i] += weight * (double)values[some->links[i]];
    }
}

/* Take away what is lost where `count` links like each fail in a row. */
static void lose(const Arrays *given, int64_t count, Some *some)
{
    for (int64_t i = 0; i < some->count; i++) {
        double chance = ARRAY_IN(given, double, 4)[ARRAY_IN(given, int32_t, 3)[some->links[i]]], worth = some->sums[i];
        some->sums[i] = worth - chance_in_a_row(chance, count) * (worth > 0.0 ? worth : 0.0);
    }
}

/* Whether every link has a place in all columns, a host and, where failures count, a group; sets an exception if not. */
static bool all_fit(const Arrays *given)
{
    const int64_t *links = ARRAY_IN(given, int64_t, 0);
    int64_t size = LENGTH_IN(given, 5), columns = given->count - FIRST_COLUMN;
    bool fits = LENGTH_IN(given, 1) == columns && LENGTH_IN(given, 2) == 1 && LENGTH_IN(given, 3) >= size
        && LENGTH_IN(given, 6) == size && LENGTH_IN(given, 7) == size && LENGTH_IN(given, 9) == size
        && LENGTH_IN(given, 10) == size && blocks_cover(LENGTH_IN(given, 11), size);
    for (int column = FIRST_COLUMN; fits && column < given->count; column++)
        fits = LENGTH_IN(given, column) == size;
    bool fail = fits && ARRAY_IN(given, int64_t, 2)[0] != 0;
    for (int64_t i = 0; fits && i < LENGTH_IN(given, 0); i++) {
        int64_t link = links[i], host = link >= 0 && link < size ? ARRAY_IN(given, int32_t, 7)[link] : -1;
        fits = host >= 0 && host < LENGTH_IN(given, 8);
        int64_t group = fits && fail ? ARRAY_IN(given, int32_t, 3)[link] : 0;
        fits = fits && (!fail || (group >= 0 && group < LENGTH_IN(given, 4)));
    }
    if (!fits)
        PyErr_SetString(PyExc_ValueError, "links, features and columns that do not fit");
    return fits;
}

/* prioritise_links(links, weights, counts, group, chances, depth, state, host, held, priority, key, is_stale, *features) */
PyObject *prioritise_links(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.count = 0};
    char kinds[MOST_ARRAYS + 1] = "ldlid" "hbib" "DDB";
    Py_ssize_t columns = PyTuple_GET_SIZE(arguments) - FIRST_COLUMN;
    Some some;
    (void)module;
    if (columns < 0 || columns + FIRST_COLUMN > MOST_ARRAYS)
        return PyErr_Format(PyExc_TypeError, "up to %d features can be added", MOST_ARRAYS - FIRST_COLUMN);
    memset(kinds + FIRST_COLUMN, 'f', (size_t)columns);
    if (!arrays_take(&arrays, arguments, kinds) || !all_fit(&arrays))
        return arrays_done(&arrays);
    int64_t count = ARRAY(int64_t, 2)[0];
    Queue queue = {ARRAY(uint8_t, 6), ARRAY(int32_t, 7), ARRAY(uint8_t, 8), ARRAY(double, 9), ARRAY(double, 10),
                   ARRAY(uint8_t, 11)};
    for (int64_t first = 0; first < LENGTH(0);) {
        first = take_some(&arrays, first, &some);
        add_features(&arrays, &some);
        if (count != 0)
            lose(&arrays, count, &some);
        for (int64_t i = 0; i < some.count; i++)
            set_priority(&queue, some.links[i], some.sums[i]);
    }
    return arrays_done(&arrays);
}
