/* The links of a page that lead to known ones: scout/page_links.py in C. */

#include "page_links.h"

#include "buffer.h"

enum { PEEKED = 1 };  /* as in frontier/__init__.py: links of this state and those before it wait */
enum { FREE = -1 };

/* What is found: of int64_t the links, their rows and places, and flags of one byte. */
typedef struct {
    Buffer links, rows, waits, places;
} Found;

/* Where each link occurs first, by a hash table of places; a power of two slots, at least twice as many as links. */
typedef struct {
    int64_t *slots;
    size_t mask;
} Firsts;

static const int64_t *ids(const Buffer *buffer)
{
    return (const int64_t *)buffer->data;
}

static bool read_rows(PyObject *said, int64_t own, const uint8_t *state, int64_t known, Found *found)
{
    for (Py_ssize_t row = 0; row < PyList_GET_SIZE(said); row++) {
        int64_t link = PyLong_AsLongLong(PyList_GET_ITEM(said, row)), at = row;
        if (link == -1 && PyErr_Occurred())
            return false;
        if (link < 0 || link == own)
            continue;
        if (link >= known) {
            PyErr_SetString(PyExc_IndexError, "a link without a state");
            return false;
        }
        uint8_t waits = state[link] <= PEEKED;
        if (!buffer_add(&found->links, &link, sizeof link) || !buffer_add(&found->rows, &at, sizeof at)
            || !buffer_add(&found->waits, &waits, 1))
            return false;
    }
    return true;
}

/* The slot of a link, or the free one where it belongs. */
static int64_t *slot_of(const Firsts *firsts, const int64_t *links, int64_t link)
{
    size_t at = (size_t)link & firsts->mask;
    while (firsts->slots[at] != FREE && links[firsts->slots[at]] != link)  /* ends: half of them are free */
        at = (at + 1) & firsts->mask;
    return &firsts->slots[at];
}

static bool find_places(const int64_t *different, int64_t count, Found *found)
{
    const int64_t *links = ids(&found->links);
    size_t number = found->links.size / sizeof(int64_t), size = 16;
    while (size < 2 * number)
        size *= 2;
    Buffer table = {0};
    if (!buffer_reserve(&table, size * sizeof(int64_t)))
        return false;
    Firsts firsts = {(int64_t *)table.data, size - 1};
    for (size_t i = 0; i < size; i++)
        firsts.slots[i] = FREE;
    for (size_t i = 0; i < number; i++) {
        int64_t *slot = slot_of(&firsts, links, links[i]);
        *slot = *slot == FREE ? (int64_t)i : *slot;
    }
    bool done = true;
    for (int64_t i = 0; done && i < count; i++) {
        int64_t place = *slot_of(&firsts, links, different[i]);
        done = place != FREE && buffer_add(&found->places, &place, sizeof place);
        if (place == FREE)
            PyErr_SetString(PyExc_ValueError, "a link that is not on the page");
    }
    buffer_free(&table);
    return done;
}

static PyObject *as_bytes(const Buffer *buffer)
{
    return PyByteArray_FromStringAndSize(buffer->data, (Py_ssize_t)buffer->size);
}

/* links_on_page(said, own, different, state): links, rows, whether they wait, places */
PyObject *links_on_page(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.count = 0};
    Found found = {0};
    PyObject *said, *different, *state, *taken = NULL, *made = NULL;
    long long own;
    (void)module;
    if (PyArg_ParseTuple(arguments, "O!LOO", &PyList_Type, &said, &own, &different, &state)
        && (taken = PyTuple_Pack(2, different, state)) != NULL && arrays_take(&arrays, taken, "lb")
        && read_rows(said, own, ARRAY(uint8_t, 1), LENGTH(1), &found)
        && find_places(ARRAY(int64_t, 0), LENGTH(0), &found))
        made = Py_BuildValue("NNNN", as_bytes(&found.links), as_bytes(&found.rows), as_bytes(&found.waits),
                             as_bytes(&found.places));
    arrays_free(&arrays);
    Py_XDECREF(taken);
    buffer_free(&found.links);
    buffer_free(&found.rows);
    buffer_free(&found.waits);
    buffer_free(&found.places);
    return made;
}
