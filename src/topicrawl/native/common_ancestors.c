/* How alike words are to the terms of a topic, in the same numbers as value/common_ancestors.py. */

#include "common_ancestors.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { ANCESTOR_STARTS, ANCESTORS, TOLD, CELL_STARTS, CELL_TERMS, CELL_LEAST, TABLES };

/* Row i of some table is what stands in it from starts[i] to starts[i + 1]. */
typedef struct {
    PyObject_HEAD
    Py_buffer tables[TABLES];
    Py_ssize_t nodes, terms;
    const int32_t *ancestor_starts, *ancestors;  /* node -> itself and what stands above it */
    const float *told;                           /* node -> how much it tells */
    const int32_t *cell_starts, *cell_terms;     /* node -> the terms below it */
    const float *cell_least;                     /* … and the least that a sense of such a term tells */
    float *nearest;                              /* node -> the least that a sense of a word tells, or INFINITY */
    int32_t *met;                                /* nodes where it is less */
} CommonAncestors;

static Py_ssize_t count_of(const Py_buffer *table)
{
    return table->len / (Py_ssize_t)sizeof(int32_t);  /* as large as a float */
}

/* Whether `starts` are those of rows that fill `size` places. */
static bool are_starts(const int32_t *starts, Py_ssize_t rows, Py_ssize_t size)
{
    for (Py_ssize_t i = 0; i < rows; i++)
        if (starts[i] > starts[i + 1])
            return false;
    return starts[0] == 0 && starts[rows] == size;
}

static bool are_below(const int32_t *numbers, Py_ssize_t count, Py_ssize_t bound)
{
    for (Py_ssize_t i = 0; i < count; i++)
        if (numbers[i] < 0 || numbers[i] >= bound)
            return false;
    return true;
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

/* Whether the tables fit each other, so that no number in them leads outside. */
static bool tables_fit(const CommonAncestors *self)
{
    const Py_buffer *tables = self->tables;
    Py_ssize_t cells = count_of(&tables[CELL_TERMS]), ancestors = count_of(&tables[ANCESTORS]);
    return count_of(&tables[ANCESTOR_STARTS]) == self->nodes + 1 && count_of(&tables[CELL_STARTS]) == self->nodes + 1
        && count_of(&tables[CELL_LEAST]) == cells && self->nodes < INT32_MAX && self->terms >= 0
        && are_starts(self->ancestor_starts, self->nodes, ancestors)
        && are_starts(self->cell_starts, self->nodes, cells)
        && are_below(self->ancestors, ancestors, self->nodes) && are_below(self->cell_terms, cells, self->terms);
}

static int meetings_init(PyObject *object, PyObject *arguments, PyObject *named)
{
    CommonAncestors *self = (CommonAncestors *)object;
    Py_buffer *tables = self->tables;
    (void)named;
    if (self->nearest != NULL) {
        PyErr_SetString(PyExc_TypeError, "tables are given once");
        return -1;
    }
    if (!PyArg_ParseTuple(arguments, "y*y*y*y*y*y*n", &tables[0], &tables[1], &tables[2], &tables[3], &tables[4],
                          &tables[5], &self->terms))
        return -1;
    self->nodes = count_of(&tables[TOLD]);
    self->ancestor_starts = tables[ANCESTOR_STARTS].buf;
    self->ancestors = tables[ANCESTORS].buf;
    self->told = tables[TOLD].buf;
    self->cell_starts = tables[CELL_STARTS].buf;
    self->cell_terms = tables[CELL_TERMS].buf;
    self->cell_least = tables[CELL_LEAST].buf;
    if (!tables_fit(self)) {
        PyErr_SetString(PyExc_ValueError, "tables of different taxonomies");
        return -1;
    }
    self->met = PyMem_New(int32_t, self->nodes);
    self->nearest = PyMem_New(float, self->nodes);
    if (self->met == NULL || self->nearest == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t node = 0; node < self->nodes; node++)
        self->nearest[node] = INFINITY;
    return 0;
}

static void meetings_dealloc(PyObject *object)
{
    CommonAncestors *self = (CommonAncestors *)object;
    PyTypeObject *type = Py_TYPE(object);
    for (int i = 0; i < TABLES; i++)
        PyBuffer_Release(&self->tables[i]);
    PyMem_Free(self->nearest);
    PyMem_Free(self->met);
    type->tp_free(object);
    Py_DECREF(type);
}

/* --- words -------------------------------------------------------------------------------------------------------- */

/* The nodes where a word with these senses meets terms: how many there are, each once in `met`. */
static Py_ssize_t meet(CommonAncestors *self, const int32_t *senses, Py_ssize_t count)
{
    Py_ssize_t met = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        float told = self->told[senses[i]];
        for (int32_t at = self->ancestor_starts[senses[i]]; at < self->ancestor_starts[senses[i] + 1]; at++) {
            int32_t node = self->ancestors[at];
            if (self->cell_starts[node] == self->cell_starts[node + 1])
                continue;
            if (self->nearest[node] == INFINITY)
                self->met[met++] = node;  /* each node once, so they fit */
            if (told < self->nearest[node])
                self->nearest[node] = told;
        }
    }
    return met;
}

/* Raise `alike` to what a word has in common with the terms below `node`, and forget that it was met. */
static void compare(CommonAncestors *self, int32_t node, float *alike)
{
    float twice = 2 * self->told[node], told = self->nearest[node];
    for (int32_t cell = self->cell_starts[node]; cell < self->cell_starts[node + 1]; cell++) {
        float likeness = twice / (told + self->cell_least[cell]);  /* Eq. (1) */
        float *best = &alike[self->cell_terms[cell]];
        *best = likeness > *best ? likeness : *best;
    }
    self->nearest[node] = INFINITY;
}

static PyObject *meetings_compare(PyObject *object, PyObject *arguments)
{
    CommonAncestors *self = (CommonAncestors *)object;
    Py_buffer starts, senses, alike;
    PyObject *done = NULL;
    if (!PyArg_ParseTuple(arguments, "y*y*w*", &starts, &senses, &alike))
        return NULL;
    Py_ssize_t words = count_of(&starts) - 1;
    const int32_t *start = starts.buf, *sense = senses.buf;
    if (self->nearest == NULL || words < 0 || !are_starts(start, words, count_of(&senses))
        || !are_below(sense, count_of(&senses), self->nodes) || count_of(&alike) != words * self->terms) {
        PyErr_SetString(PyExc_ValueError, "words are rows of senses, each with a row of terms");
    } else {
        for (Py_ssize_t word = 0; word < words; word++) {
            Py_ssize_t met = meet(self, sense + start[word], start[word + 1] - start[word]);
            for (Py_ssize_t i = 0; i < met; i++)
                compare(self, self->met[i], (float *)alike.buf + word * self->terms);
        }
        done = Py_NewRef(Py_None);
    }
    PyBuffer_Release(&starts);
    PyBuffer_Release(&senses);
    PyBuffer_Release(&alike);
    return done;
}

static PyMethodDef methods[] = {
    {"compare", meetings_compare, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_init, meetings_init},
    {Py_tp_dealloc, meetings_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec meetings_spec = {
    .name = "topicrawl._native.CommonAncestors",
    .basicsize = sizeof(CommonAncestors),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};
