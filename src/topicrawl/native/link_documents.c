/* Adds tokens to the documents of links: scout/document_rows.py in C. */

#include "link_documents.h"

#include <string.h>

enum { AT_ONCE = 8 };

bool documents_in(const Arrays *given, int first, Documents *documents)
{
    const Py_buffer *tokens = &given->of[first], *places = &given->of[first + 1], *sizes = &given->of[first + 2];
    const Py_buffer *by = &given->of[first + 3];
    int64_t count = sizes->len, cells = places->len;
    *documents = (Documents){tokens->buf, places->buf, sizes->buf, by->buf, count, count ? cells / count : 0};
    if (documents->width <= UINT8_MAX && documents->width * count == cells
        && tokens->len == cells * (int64_t)sizeof(int32_t) && by->len == count * (int64_t)sizeof(int32_t))
        return true;
    PyErr_SetString(PyExc_ValueError, "arrays of different documents");
    return false;
}

bool documents_have(const Documents *documents, const int64_t *links, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (links[i] < 0 || links[i] >= documents->count) {
            PyErr_SetString(PyExc_IndexError, "a link without a document");
            return false;
        }
    return true;
}

/* Where a token is among the first `size` of a row, or `size`. Eight are compared at a time: compilers make a few wide
   instructions of it. */
static int64_t place_of(const int32_t *tokens, int64_t size, int32_t token)
{
    int64_t at = 0;
    for (; at + AT_ONCE <= size; at += AT_ONCE) {
        int found = 0;
        for (int i = 0; i < AT_ONCE; i++)
            found |= tokens[at + i] == token;
        if (found)
            break;
    }
    while (at < size && tokens[at] != token)
        at++;
    return at;
}

void documents_add(const Documents *documents, int64_t link, int32_t token, uint8_t place)
{
    int64_t width = documents->width;
    int32_t *tokens = documents->tokens + link * width;
    uint8_t *places = documents->places + link * width;
    int64_t size = documents->sizes[link] < width ? documents->sizes[link] : width;
    if (size == width && (width == 0 || places[width - 1] >= place))  /* a full row without a worse place */
        return;
    int64_t found = place_of(tokens, size, token);
    if (found < size && places[found] >= place)
        return;
    int64_t at = found;
    while (at > 0 && places[at - 1] < place)
        at--;
    int64_t moved = (found < width ? found : width - 1) - at;  /* the last one is dropped from a full row */
    memmove(tokens + at + 1, tokens + at, (size_t)moved * sizeof *tokens);
    memmove(places + at + 1, places + at, (size_t)moved);
    tokens[at] = token;
    places[at] = place;
    if (found == size && size < width)
        documents->sizes[link]++;
    documents->by[link] = NEVER;
}

/* add_to_documents(tokens, places, sizes, by, links, said, at_places) */
PyObject *add_to_documents(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    Documents documents;
    (void)module;
    if (!arrays_take(&arrays, arguments, "IBBIlll") || !documents_in(&arrays, 0, &documents))
        return arrays_done(&arrays);
    const int64_t *links = ARRAY(int64_t, 4), *tokens = ARRAY(int64_t, 5), *places = ARRAY(int64_t, 6);
    if (LENGTH(5) != LENGTH(4) || LENGTH(6) != LENGTH(4))
        PyErr_SetString(PyExc_ValueError, "every token needs a link and a place");
    else if (documents_have(&documents, links, LENGTH(4)))
        for (int64_t i = 0; i < LENGTH(4); i++)
            documents_add(&documents, links[i], (int32_t)tokens[i], (uint8_t)places[i]);
    return arrays_done(&arrays);
}

enum { PLACES = 8 };  /* as in document_rows.py */

/* Add the tokens of a name, 64 bits each: token × PLACES + place. */
static bool add_name(const Documents *documents, int64_t link, PyObject *name)
{
    if (!PyBytes_Check(name) || PyBytes_GET_SIZE(name) % (Py_ssize_t)sizeof(int64_t) != 0) {
        PyErr_SetString(PyExc_TypeError, "the tokens of a name are bytes, eight for each");
        return false;
    }
    for (Py_ssize_t at = 0; at < PyBytes_GET_SIZE(name); at += (Py_ssize_t)sizeof(int64_t)) {
        int64_t said;
        memcpy(&said, PyBytes_AS_STRING(name) + at, sizeof said);
        documents_add(documents, link, (int32_t)(said / PLACES), (uint8_t)(said % PLACES));
    }
    return true;
}

/* add_names(tokens, places, sizes, by, links, names): names[i] is that of links[i] */
PyObject *add_names(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.count = 0};
    Documents documents;
    PyObject *given = PyTuple_GetSlice(arguments, 0, 5);
    PyObject *names = PyTuple_GET_SIZE(arguments) == 6 ? PyTuple_GET_ITEM(arguments, 5) : NULL;
    (void)module;
    if (given == NULL || !arrays_take(&arrays, given, "IBBIl") || !documents_in(&arrays, 0, &documents)) {
        Py_XDECREF(given);
        return arrays_done(&arrays);
    }
    const int64_t *links = ARRAY(int64_t, 4);
    if (names == NULL || !PyList_Check(names) || PyList_GET_SIZE(names) != LENGTH(4))
        PyErr_SetString(PyExc_ValueError, "every link needs a name");
    else if (documents_have(&documents, links, LENGTH(4)))
        for (int64_t i = 0; i < LENGTH(4) && add_name(&documents, links[i], PyList_GET_ITEM(names, (Py_ssize_t)i)); i++)
            ;
    Py_DECREF(given);
    return arrays_done(&arrays);
}
