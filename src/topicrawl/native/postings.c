/* The latest pages by their columns, to compare a page with all of them: judge/postings.py in C.

   The pages of a column are in the order added, so that the oldest page is the first of each of its columns. */

#include "postings.h"

#include "arrays.h"
#include "fetch.h"

#include <string.h>

enum { MOST_KEPT = 64 };
enum { FIELDS = 4, FIRST_CELLS = 4, NO_LIST = 0, AHEAD = 8, LINE = 16 };  /* cells of a line of the cache */

/* Small, because reading them from memory takes longer than all else. */
typedef struct {
    uint16_t page, count;  /* the last bits of the page's number; larger counts are as UINT16_MAX */
} Cell;

/* The pages of a column: the cells from `first` to before `end`. */
typedef struct {
    Cell *cells;
    uint32_t first, end, capacity;
} List;

typedef struct {
    PyObject_HEAD
    int32_t *list_of;         /* by column: the number of its list, NO_LIST if no page has it */
    int64_t columns;
    List *lists;              /* number 0 is not used */
    int32_t *free;            /* numbers of lists without cells */
    int32_t used, free_count, capacity;
    int64_t first, end;       /* pages: from the oldest to before the next */
} Postings;

static bool no_memory(void)
{
    PyErr_NoMemory();
    return false;
}

/* Have room for columns below `wanted`. */
static bool know_columns(Postings *self, int64_t wanted)
{
    if (wanted <= self->columns)
        return true;
    int64_t columns = wanted + wanted / 4;
    int32_t *list_of = PyMem_Resize(self->list_of, int32_t, (size_t)columns);
    if (list_of == NULL)
        return no_memory();
    memset(list_of + self->columns, 0, (size_t)(columns - self->columns) * sizeof *list_of);
    self->list_of = list_of;
    self->columns = columns;
    return true;
}

/* An empty list; NO_LIST with an exception set if there is no memory. */
static int32_t new_list(Postings *self)
{
    if (self->free_count > 0)
        return self->free[--self->free_count];
    if (self->used + 1 >= self->capacity) {
        int32_t capacity = 2 * self->capacity + 1024;
        List *lists = PyMem_Resize(self->lists, List, (size_t)capacity);
        if (lists != NULL)
            self->lists = lists;
        int32_t *free = lists == NULL ? NULL : PyMem_Resize(self->free, int32_t, (size_t)capacity);
        if (free == NULL) {
            PyErr_NoMemory();
            return NO_LIST;
        }
        self->free = free;
        self->capacity = capacity;
    }
    self->lists[++self->used] = (List){0};
    return self->used;
}

/* Have room for one more cell. */
static bool make_room(List *list)
{
    if (list->end < list->capacity)
        return true;
    if (list->first > list->capacity / 2) {
        memmove(list->cells, list->cells + list->first, (list->end - list->first) * sizeof *list->cells);
        list->end -= list->first;
        list->first = 0;
        return true;
    }
    uint32_t capacity = list->capacity ? 2 * list->capacity : FIRST_CELLS;
    Cell *cells = PyMem_Resize(list->cells, Cell, capacity);
    if (cells == NULL)
        return no_memory();
    list->cells = cells;
    list->capacity = capacity;
    return true;
}

/* Whether all columns and counts are 0 or more; sets an exception if not. Returns the largest column in `largest`. */
static bool are_cells(const int32_t *columns, const int32_t *counts, int64_t cells, int64_t *largest)
{
    *largest = -1;
    for (int64_t i = 0; i < cells; i++) {
        if (columns[i] < 0 || counts[i] < 0) {
            PyErr_SetString(PyExc_ValueError, "a column or count is below 0");
            return false;
        }
        *largest = columns[i] > *largest ? columns[i] : *largest;
    }
    return true;
}

/* The list of a column, of 0 or more; NULL if no page has it. */
static const List *list_of(const Postings *self, int32_t column)
{
    return column < self->columns && self->list_of[column] != NO_LIST ? &self->lists[self->list_of[column]] : NULL;
}

enum { FIRST_CELL, LAST_CELL, ALL_CELLS };

/* Have the processor fetch what is read after the cell at `i`, whose columns are 0 or more: the number of a list, the list,
   and its first cell, its last or all. */
static inline void fetch_ahead(const Postings *self, const int32_t *columns, int64_t i, int64_t count, int cells)
{
    const List *list;
    if (i + 3 * AHEAD < count && columns[i + 3 * AHEAD] < self->columns)
        FETCH(&self->list_of[columns[i + 3 * AHEAD]]);
    if (i + 2 * AHEAD < count && (list = list_of(self, columns[i + 2 * AHEAD])) != NULL)
        FETCH(list);
    if (i + AHEAD >= count || (list = list_of(self, columns[i + AHEAD])) == NULL)
        return;
    if (cells == ALL_CELLS)
        for (const Cell *cell = list->cells + list->first; cell < list->cells + list->end; cell += LINE)
            FETCH(cell);
    else
        FETCH(list->cells + (cells == FIRST_CELL ? list->first : list->end));
}

/* append(columns, counts): the next page */
static PyObject *postings_append(PyObject *object, PyObject *arguments)
{
    Postings *self = (Postings *)object;
    Arrays arrays;
    int64_t largest;
    if (!arrays_take(&arrays, arguments, "ii"))
        return arrays_done(&arrays);
    const int32_t *columns = ARRAY(int32_t, 0), *counts = ARRAY(int32_t, 1);
    if (LENGTH(1) != LENGTH(0) || self->end - self->first == UINT16_MAX)
        PyErr_SetString(PyExc_ValueError, "every column needs a count, and there are at most 65,535 pages");
    else if (are_cells(columns, counts, LENGTH(0), &largest) && know_columns(self, largest + 1)) {
        for (int64_t i = 0; i < LENGTH(0); i++) {
            fetch_ahead(self, columns, i, LENGTH(0), LAST_CELL);
            int32_t *number = &self->list_of[columns[i]];
            if (*number == NO_LIST && (*number = new_list(self)) == NO_LIST)
                break;
            List *list = &self->lists[*number];
            if (!make_room(list))
                break;
            list->cells[list->end++] = (Cell){(uint16_t)self->end, (uint16_t)(counts[i] < UINT16_MAX ? counts[i] : UINT16_MAX)};
        }
        self->end++;
    }
    return arrays_done(&arrays);
}

/* drop(columns): the oldest page, which has these columns */
static PyObject *postings_drop(PyObject *object, PyObject *arguments)
{
    Postings *self = (Postings *)object;
    Arrays arrays;
    if (!arrays_take(&arrays, arguments, "i"))
        return arrays_done(&arrays);
    const int32_t *columns = ARRAY(int32_t, 0);
    int64_t largest;
    if (!are_cells(columns, columns, LENGTH(0), &largest))
        return arrays_done(&arrays);
    bool fits = self->first < self->end && largest < self->columns;
    for (int64_t i = 0; fits && i < LENGTH(0); i++) {
        fetch_ahead(self, columns, i, LENGTH(0), FIRST_CELL);
        fits = self->list_of[columns[i]] != NO_LIST;
        List *list = fits ? &self->lists[self->list_of[columns[i]]] : NULL;
        fits = fits && list->first < list->end && list->cells[list->first].page == (uint16_t)self->first;
        if (!fits)
            break;
        if (++list->first == list->end) {
            list->first = list->end = 0;
            self->free[self->free_count++] = self->list_of[columns[i]];
            self->list_of[columns[i]] = NO_LIST;
        }
    }
    if (fits)
        self->first++;
    else
        PyErr_SetString(PyExc_ValueError, "the oldest page has other columns");
    return arrays_done(&arrays);
}

typedef struct {
    const double *amounts, *idf;  /* of counts, of tokens (the last for all later ones) */
    int64_t largest, last;        /* count and token that have one */
} Weights;

/* Add value × weight to the sum of each page of a column; `scales` has four numbers for each page. False if a count is
   out of range. */
static bool add_column(const Postings *self, const List *list, double value, double idf, const Weights *weights,
                       const double *scales, double *sums)
{
    const double *amounts = weights->amounts;
    for (const Cell *cell = list->cells + list->first; cell < list->cells + list->end; cell++) {
        uint16_t row = (uint16_t)(cell->page - (uint16_t)self->first);
        if (cell->count > weights->largest)
            return false;
        sums[row] += value * (amounts[cell->count] * idf * scales[(size_t)row * FIELDS]);
    }
    return true;
}

/* add_products(columns, counts, own scales, amounts, idf, scales, sums) */
static PyObject *postings_add_products(PyObject *object, PyObject *arguments)
{
    Postings *self = (Postings *)object;
    Arrays arrays;
    int64_t largest, pages = self->end - self->first;
    if (!arrays_take(&arrays, arguments, "iiddddD"))
        return arrays_done(&arrays);
    const int32_t *columns = ARRAY(int32_t, 0), *counts = ARRAY(int32_t, 1);
    Weights weights = {ARRAY(double, 3), ARRAY(double, 4), LENGTH(3) - 1, LENGTH(4) - 1};
    bool fits = LENGTH(1) == LENGTH(0) && LENGTH(2) == FIELDS && weights.last >= 0 && LENGTH(5) == FIELDS * pages
        && LENGTH(6) == pages;
    if (fits && !are_cells(columns, counts, LENGTH(0), &largest))
        return arrays_done(&arrays);
    for (int64_t i = 0; fits && i < LENGTH(0); i++) {
        fetch_ahead(self, columns, i, LENGTH(0), ALL_CELLS);
        const List *list = list_of(self, columns[i]);
        fits = counts[i] <= weights.largest;
        if (!fits || list == NULL)
            continue;
        int64_t token = columns[i] / FIELDS, field = columns[i] % FIELDS;
        double idf = weights.idf[token < weights.last ? token : weights.last];
        double value = weights.amounts[counts[i]] * idf * ARRAY(double, 2)[field];
        fits = add_column(self, list, value, idf, &weights, ARRAY(double, 5) + field, ARRAY(double, 6));
    }
    if (!fits)
        PyErr_SetString(PyExc_ValueError, "arrays that do not fit the pages");
    return arrays_done(&arrays);
}

/* keep_largest(values, number): set those below the one with this number to 0, the largest being number 1 */
PyObject *keep_largest(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.count = 0};
    double largest[MOST_KEPT];  /* in descending order */
    PyObject *given = PyTuple_GetSlice(arguments, 0, 1);
    long long number = PyTuple_GET_SIZE(arguments) == 2 ? PyLong_AsLongLong(PyTuple_GET_ITEM(arguments, 1)) : 0;
    (void)module;
    if (given == NULL || (number == -1 && PyErr_Occurred()) || !arrays_take(&arrays, given, "D")) {
        Py_XDECREF(given);
        return arrays_done(&arrays);
    }
    double *values = ARRAY(double, 0);
    int64_t count = LENGTH(0), kept = 0;
    if (number < 1 || number > MOST_KEPT || number > count) {
        PyErr_SetString(PyExc_ValueError, "too many or too few numbers are kept");
        number = count = 0;
    }
    for (int64_t i = 0; i < count; i++) {
        if (kept == number && !(values[i] > largest[kept - 1]))
            continue;
        int64_t at = kept < number ? kept++ : kept - 1;
        for (; at > 0 && largest[at - 1] < values[i]; at--)
            largest[at] = largest[at - 1];
        largest[at] = values[i];
    }
    for (int64_t i = 0; i < count; i++)
        values[i] = values[i] < largest[number - 1] ? 0.0 : values[i];
    Py_DECREF(given);
    return arrays_done(&arrays);
}

static void postings_dealloc(PyObject *object)
{
    Postings *self = (Postings *)object;
    PyTypeObject *type = Py_TYPE(object);
    for (int32_t i = 1; i <= self->used; i++)
        PyMem_Free(self->lists[i].cells);
    PyMem_Free(self->lists);
    PyMem_Free(self->free);
    PyMem_Free(self->list_of);
    type->tp_free(object);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"append", postings_append, METH_VARARGS, NULL},
    {"drop", postings_drop, METH_VARARGS, NULL},
    {"add_products", postings_add_products, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, postings_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec postings_spec = {
    .name = "topicrawl._native.Postings",
    .basicsize = sizeof(Postings),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};
