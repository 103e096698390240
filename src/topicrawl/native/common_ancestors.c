/* Similarity of words to the terms of a topic: bit for bit the numbers of value/common_ancestors.py. */

#include "common_ancestors.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { ANCESTOR_STARTS, ANCESTORS, INFORMATION, CELL_STARTS, CELL_TERMS, CELL_LEAST, TABLES };

/* Tables are compressed sparse rows: row i holds the entries from starts[i] to starts[i + 1]. */
typedef struct {
    PyObject_HEAD
    Py_buffer tables[TABLES];
    Py_ssize_t nodes, terms;
    const int32_t *ancestor_starts, *ancestors;  /* node -> itself and its ancestors */
    const float *information;                    /* node -> its information content */
    const int32_t *cell_starts, *cell_terms;     /* node -> the terms below it */
    const float *cell_least;                     /* … and the least content of such a term's senses */
    float *least;                                /* node -> least content of a word's senses below it, or INFINITY */
    int32_t *shared;                             /* the nodes where it is finite */
} CommonAncestors;

static Py_ssize_t count_of(const Py_buffer *table)
{
    return table->len / (Py_ssize_t)sizeof(int32_t);  /* as large as a float */
}

/* Whether `starts` divide `size` entries into `rows` rows. */
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

/* Whether the tables fit each other, so that no index in them is out of bounds. */
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

static int common_ancestors_init(PyObject *object, PyObject *arguments, PyObject *named)
{
    CommonAncestors *self = (CommonAncestors *)object;
    Py_buffer *tables = self->tables;
    (void)named;
    if (self->least != NULL) {
        PyErr_SetString(PyExc_TypeError, "the tables are already set");
        return -1;
    }
    if (!PyArg_ParseTuple(arguments, "y*y*y*y*y*y*n", &tables[0], &tables[1], &tables[2], &tables[3], &tables[4],
                          &tables[5], &self->terms))
        return -1;
    self->nodes = count_of(&tables[INFORMATION]);
    self->ancestor_starts = tables[ANCESTOR_STARTS].buf;
    self->ancestors = tables[ANCESTORS].buf;
    self->information = tables[INFORMATION].buf;
    self->cell_starts = tables[CELL_STARTS].buf;
    self->cell_terms = tables[CELL_TERMS].buf;
    self->cell_least = tables[CELL_LEAST].buf;
    if (!tables_fit(self)) {
        PyErr_SetString(PyExc_ValueError, "tables of different taxonomies");
        return -1;
    }
    self->shared = PyMem_New(int32_t, self->nodes);
    self->least = PyMem_New(float, self->nodes);
    if (self->shared == NULL || self->least == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t node = 0; node < self->nodes; node++)
        self->least[node] = INFINITY;
    return 0;
}

static void common_ancestors_dealloc(PyObject *object)
{
    CommonAncestors *self = (CommonAncestors *)object;
    PyTypeObject *type = Py_TYPE(object);
    for (int i = 0; i < TABLES; i++)
        PyBuffer_Release(&self->tables[i]);
    PyMem_Free(self->least);
    PyMem_Free(self->shared);
    type->tp_free(object);
    Py_DECREF(type);
}

/* --- words -------------------------------------------------------------------------------------------------------- */

/* Put the ancestors that a word with these senses shares with terms into `shared`, each once; returns their number. */
static Py_ssize_t mark_shared(CommonAncestors *self, const int32_t *senses, Py_ssize_t count)
{
    Py_ssize_t shared = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        float information = self->information[senses[i]];
        for (int32_t at = self->ancestor_starts[senses[i]]; at < self->ancestor_starts[senses[i] + 1]; at++) {
            int32_t node = self->ancestors[at];
            if (self->cell_starts[node] == self->cell_starts[node + 1])
                continue;
            if (self->least[node] == INFINITY)
                self->shared[shared++] = node;  /* each node once, so they fit */
            if (information < self->least[node])
                self->least[node] = information;
        }
    }
    return shared;
}

/* Raise `similarity` to that of a word and the terms below their shared `node`; resets the node's `least`. */
static void compare(CommonAncestors *self, int32_t node, float *similarity)
{
    float twice = 2 * self->information[node], information = self->least[node];
    for (int32_t cell = self->cell_starts[node]; cell < self->cell_starts[node + 1]; cell++) {
        float found = twice / (information + self->cell_least[cell]);  /* Eq. (1) */
        float *best = &similarity[self->cell_terms[cell]];
        *best = found > *best ? found : *best;
    }
    self->least[node] = INFINITY;
}

static PyObject *common_ancestors_compare(PyObject *object, PyObject *arguments)
{
    CommonAncestors *self = (CommonAncestors *)object;
    Py_buffer starts, senses, similarity;
    PyObject *done = NULL;
    if (!PyArg_ParseTuple(arguments, "y*y*w*", &starts, &senses, &similarity))
        return NULL;
    Py_ssize_t words = count_of(&starts) - 1;
    const int32_t *start = starts.buf, *sense = senses.buf;
    if (self->least == NULL || words < 0 || !are_starts(start, words, count_of(&senses))
        || !are_below(sense, count_of(&senses), self->nodes) || count_of(&similarity) != words * self->terms) {
        PyErr_SetString(PyExc_ValueError, "each word needs a row of senses and a row of terms");
    } else {
        for (Py_ssize_t word = 0; word < words; word++) {
            Py_ssize_t shared = mark_shared(self, sense + start[word], start[word + 1] - start[word]);
            for (Py_ssize_t i = 0; i < shared; i++)
                compare(self, self->shared[i], (float *)similarity.buf + word * self->terms);
        }
        done = Py_NewRef(Py_None);
    }
    PyBuffer_Release(&starts);
    PyBuffer_Release(&senses);
    PyBuffer_Release(&similarity);
    return done;
}

static PyMethodDef methods[] = {
    {"compare", common_ancestors_compare, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_init, common_ancestors_init},
    {Py_tp_dealloc, common_ancestors_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec common_ancestors_spec = {
    .name = "topicrawl._native.CommonAncestors",
    .basicsize = sizeof(CommonAncestors),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};
