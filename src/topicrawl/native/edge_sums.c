/* Sums over the edges of the link graph: scout/edge_sums.py in C. */

#include "edge_sums.h"

static PyObject *refused(Arrays *arrays)
{
    PyErr_SetString(PyExc_ValueError, "edges and columns that do not fit");
    return arrays_done(arrays);
}

/* add_to_targets(targets, given_by, values, sums): one of `given_by` for each edge */
PyObject *add_to_targets(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    (void)module;
    if (!arrays_take(&arrays, arguments, "iidD"))
        return arrays_done(&arrays);
    const int32_t *targets = ARRAY(int32_t, 0), *given_by = ARRAY(int32_t, 1);
    const double *values = ARRAY(double, 2);
    double *sums = ARRAY(double, 3);
    int64_t edges = LENGTH(0), known = LENGTH(2), links = LENGTH(3);
    bool fits = LENGTH(1) == edges;
    for (int64_t edge = 0; fits && edge < edges; edge++) {
        int64_t target = targets[edge], by = given_by[edge];
        fits = target >= 0 && target < links && by >= 0 && by < known;
        if (fits)
            sums[target] += values[by];
    }
    return fits ? arrays_done(&arrays) : refused(&arrays);
}

/* add_visited(targets, groups, visited, judged, parents, mean, sums, counts): `parents` is empty where every edge counts as
   one, else an edge counts as a part of its link, shared among the pages that contain it */
PyObject *add_visited(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    (void)module;
    if (!arrays_take(&arrays, arguments, "iibdid" "DD"))
        return arrays_done(&arrays);
    const int32_t *targets = ARRAY(int32_t, 0), *groups = ARRAY(int32_t, 1), *parents = ARRAY(int32_t, 4);
    const uint8_t *visited = ARRAY(uint8_t, 2);
    const double *judged = ARRAY(double, 3);
    double *sums = ARRAY(double, 6), *counts = ARRAY(double, 7);
    int64_t edges = LENGTH(0), links = LENGTH(2), known = LENGTH(6);
    bool shared = LENGTH(4) > 0;
    bool fits = LENGTH(1) == edges && LENGTH(3) == links && (!shared || LENGTH(4) == links) && LENGTH(5) == 1
        && LENGTH(7) == known;
    double mean = fits ? ARRAY(double, 5)[0] : 0.0;
    for (int64_t edge = 0; fits && edge < edges; edge++) {
        int64_t target = targets[edge], group = groups[edge];
        fits = target >= 0 && target < links && group >= 0 && group < known;
        if (!fits || !visited[target])
            continue;
        double share = shared ? 1.0 / (parents[target] > 1 ? parents[target] : 1) : 1.0;
        sums[group] += (judged[target] - mean) * share;
        counts[group] += share;
    }
    return fits ? arrays_done(&arrays) : refused(&arrays);
}

/* add_places(numbers, rows, places, targets, parents, worth, place_of_edge, path): see scout/edge_sums.py */
PyObject *add_places(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    (void)module;
    if (!arrays_take(&arrays, arguments, "blulidUF"))
        return arrays_done(&arrays);
    const uint8_t *numbers = ARRAY(uint8_t, 0);
    const int64_t *rows = ARRAY(int64_t, 1), *targets = ARRAY(int64_t, 3);
    const uint16_t *places = ARRAY(uint16_t, 2);
    int64_t edges = LENGTH(1), last = LENGTH(2) - 1, links = LENGTH(4), worths = LENGTH(5);
    bool fits = last >= 0 && LENGTH(3) == edges && LENGTH(6) == edges && LENGTH(7) == links;
    for (int64_t edge = 0; fits && edge < edges; edge++) {
        fits = rows[edge] >= 0 && rows[edge] < LENGTH(0) && targets[edge] >= 0 && targets[edge] < links;
        if (!fits)
            break;
        int64_t number = numbers[rows[edge]];
        uint16_t place = places[number < last ? number : last];
        fits = place < worths;
        if (!fits)
            break;
        ARRAY(uint16_t, 6)[edge] = place;
        if (ARRAY(int32_t, 4)[targets[edge]] <= 1)
            ARRAY(float, 7)[targets[edge]] = (float)ARRAY(double, 5)[place];
    }
    return fits ? arrays_done(&arrays) : refused(&arrays);
}
