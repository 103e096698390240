/* Priorities of links, and the largest of a column: frontier/priorities.py in C. */

#include "priorities.h"

#include <math.h>

enum { PEEKED = 1 };  /* as in frontier/__init__.py: links of this state and those before it wait */
enum { BITS = 10 };   /* as in frontier/priorities.py: rows of a block are 1 << BITS */

void set_priority(const Queue *queue, int64_t link, double priority)
{
    queue->priority[link] = priority;
    queue->key[link] = queue->state[link] <= PEEKED && queue->held[queue->host[link]] == 0 ? priority : -INFINITY;
    queue->is_stale[link >> BITS] = 1;
}

bool blocks_cover(int64_t blocks, int64_t size)
{
    return blocks << BITS >= size;
}

/* set_priorities(links, priorities, state, host, held, priority, key, is_stale) */
PyObject *set_priorities(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    (void)module;
    if (!arrays_take(&arrays, arguments, "ldbib" "DDB"))
        return arrays_done(&arrays);
    const int64_t *links = ARRAY(int64_t, 0);
    const double *priorities = ARRAY(double, 1);
    Queue queue = {ARRAY(uint8_t, 2), ARRAY(int32_t, 3), ARRAY(uint8_t, 4), ARRAY(double, 5), ARRAY(double, 6),
                   ARRAY(uint8_t, 7)};
    int64_t size = LENGTH(2);
    bool fits = LENGTH(1) == LENGTH(0) && LENGTH(3) == size && LENGTH(5) == size && LENGTH(6) == size
        && blocks_cover(LENGTH(7), size);
    for (int64_t i = 0; fits && i < LENGTH(0); i++) {
        int64_t link = links[i], host = link >= 0 && link < size ? ARRAY(int32_t, 3)[link] : -1;
        fits = host >= 0 && host < LENGTH(4);
        if (!fits)
            break;
        set_priority(&queue, link, priorities[i]);
    }
    if (!fits)
        PyErr_SetString(PyExc_ValueError, "links, hosts and columns that do not fit");
    return arrays_done(&arrays);
}

enum { LANES = 8 };

/* The largest of one number or more. Several are compared at a time: compilers make wide instructions of it. */
static double largest_of(const double *numbers, int64_t count)
{
    double lanes[LANES], largest = numbers[0];
    int64_t at = 0;
    for (int lane = 0; lane < LANES; lane++)
        lanes[lane] = numbers[0];
    for (; at + LANES <= count; at += LANES)
        for (int lane = 0; lane < LANES; lane++)
            lanes[lane] = numbers[at + lane] > lanes[lane] ? numbers[at + lane] : lanes[lane];
    for (; at < count; at++)
        largest = numbers[at] > largest ? numbers[at] : largest;
    for (int lane = 0; lane < LANES; lane++)
        largest = lanes[lane] > largest ? lanes[lane] : largest;
    return largest;
}

/* The place of the largest of one number or more, the first among equals. */
static int64_t first_largest(const double *numbers, int64_t count)
{
    double largest = largest_of(numbers, count);
    int64_t at = 0;
    while (at + 1 < count && numbers[at] != largest)
        at++;
    return at;
}

/* largest_place(column, largest, is_stale) */
PyObject *largest_place(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    int64_t place = 0;
    (void)module;
    if (!arrays_take(&arrays, arguments, "dDB"))
        return arrays_done(&arrays);
    const double *column = ARRAY(double, 0);
    int64_t size = LENGTH(0), blocks = LENGTH(1), length = (int64_t)1 << BITS;
    if (size < 1 || LENGTH(2) != blocks || blocks << BITS < size)
        PyErr_SetString(PyExc_ValueError, "a column and blocks that do not fit");
    else {
        for (int64_t block = 0; block < blocks; block++) {
            int64_t first = block << BITS, rows = size - first < length ? size - first : length;
            if (ARRAY(uint8_t, 2)[block] && rows > 0)
                ARRAY(double, 1)[block] = largest_of(column + first, rows);
            ARRAY(uint8_t, 2)[block] = 0;
        }
        int64_t first = first_largest(ARRAY(double, 1), blocks) << BITS;
        place = first + first_largest(column + first, size - first < length ? size - first : length);
    }
    arrays_free(&arrays);
    return PyErr_Occurred() ? NULL : PyLong_FromLongLong(place);
}
