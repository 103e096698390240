/* The shapes of URLs: scout/url_shapes.py in C; URLs that are not ASCII are named by Python. */

#include "url_shapes.h"

#include "ascii.h"
#include "buffer.h"

enum { FOLDERS = 3, LONGEST_ENDING = 5 };  /* as in url_shapes.py */

typedef struct {
    const char *at, *end;
} Piece;

static const char *find(Piece piece, char c)
{
    const char *found = piece.at == piece.end ? NULL : memchr(piece.at, c, (size_t)(piece.end - piece.at));
    return found == NULL ? piece.end : found;
}

/* Where the last `c` is; NULL if there is none. */
static const char *find_last(Piece piece, char c)
{
    for (const char *at = piece.end; at > piece.at; at--)
        if (at[-1] == c)
            return at - 1;
    return NULL;
}

/* Whether letters after a dot may be the ending of a file name. */
static bool is_ending(Piece piece)
{
    bool fits = piece.at < piece.end && piece.end - piece.at <= LONGEST_ENDING && is_letter(*piece.at);
    for (const char *at = piece.at; fits && at < piece.end; at++)
        fits = is_letter(*at) || is_digit(*at);
    return fits;
}

static bool has_digit(Piece piece)
{
    while (piece.at < piece.end && !is_digit(*piece.at))
        piece.at++;
    return piece.at < piece.end;
}

static bool add(Buffer *name, Piece piece)
{
    return buffer_add(name, piece.at, (size_t)(piece.end - piece.at));
}

/* The folders of a path, each with the slash after it; a run of digits as "#". */
static bool add_folders(Buffer *name, Piece path)
{
    int folders = 0;
    for (const char *at = path.at; at < path.end; at++) {
        if (is_digit(*at)) {
            if ((at == path.at || !is_digit(at[-1])) && !buffer_add(name, "#", 1))
                return false;
            continue;
        }
        if (!buffer_add(name, at, 1))
            return false;
        if (*at == '/' && ++folders == FOLDERS)
            return true;
    }
    return true;
}

/* Where the host of a URL begins: two characters after its first slash. */
static const char *host_of(Piece url)
{
    const char *slash = find(url, '/');
    return url.end - slash < 2 ? url.end : slash + 2;
}

/* The name of the group of a URL, in `name`; false with an exception set if there is no memory. */
static bool name_group(Piece url, Buffer *name)
{
    Piece path = {host_of(url), url.end};
    const char *query = find(path, '?');
    path.end = query;
    const char *slash = find_last(path, '/');
    Piece file = {slash == NULL ? path.at : slash + 1, path.end}, folder = {path.at, slash == NULL ? path.at : slash};
    const char *host_end = find(folder, '/');
    const char *dot = find_last(file, '.');
    Piece ending = {dot == NULL ? file.at : dot + 1, file.end}, stem = {file.at, dot == NULL ? file.at : dot};
    if (!is_ending(ending)) {
        stem = file;
        dot = NULL;
    }
    name->size = 0;
    if (!add(name, (Piece){folder.at, host_end}) || !buffer_add(name, "/", 1))
        return false;
    /* with the slash after the last folder, where there is a folder */
    if (host_end < folder.end && !add_folders(name, (Piece){host_end + 1, slash + 1}))
        return false;
    if (!buffer_add(name, "*", 1) || (has_digit(stem.at < stem.end ? stem : ending) && !buffer_add(name, "#", 1)))
        return false;
    for (const char *at = dot; at != NULL && at < file.end; at++) {
        char c = lower(*at);
        if (!buffer_add(name, &c, 1))
            return false;
    }
    return query == url.end || buffer_add(name, "?", 1);
}

/* group_names(urls, name): the function names URLs that are not ASCII */
PyObject *group_names(PyObject *module, PyObject *arguments)
{
    PyObject *urls, *function;
    Buffer name = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O", &PyList_Type, &urls, &function))
        return NULL;
    PyObject *names = PyList_New(0);
    for (Py_ssize_t i = 0; names != NULL && i < PyList_GET_SIZE(urls); i++) {
        PyObject *url = PyList_GET_ITEM(urls, i), *made = NULL;
        if (PyUnicode_Check(url) && PyUnicode_IS_COMPACT_ASCII(url)) {
            const char *text = (const char *)PyUnicode_1BYTE_DATA(url);
            if (name_group((Piece){text, text + PyUnicode_GET_LENGTH(url)}, &name))
                made = PyUnicode_FromStringAndSize(name.data, (Py_ssize_t)name.size);
        } else {
            made = PyObject_CallOneArg(function, url);
        }
        if (made == NULL || PyList_Append(names, made) < 0)
            Py_CLEAR(names);
        Py_XDECREF(made);
    }
    buffer_free(&name);
    return names;
}
