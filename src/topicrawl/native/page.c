/* Turns a collected document into the columns of a `Page`. */

#include "page.h"

#include "reader.h"

/* Numbers as little-endian int32, `offset` added to each; with `lead`, a 0 comes first. */
static PyObject *packed(const int32_t *numbers, size_t count, int32_t offset, bool lead)
{
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)((count + lead) * sizeof(int32_t)));
    if (bytes == NULL)
        return NULL;
    char *out = PyBytes_AS_STRING(bytes);  /* holds exactly count + lead numbers */
    if (lead)
        memset(out, 0, sizeof(int32_t));
    for (size_t i = 0; i < count; i++) {
        int32_t moved = numbers[i] + offset;
        memcpy(out + (i + lead) * sizeof moved, &moved, sizeof moved);
    }
    return bytes;
}

/* Title, keywords and description, a line each, before the text; `*length` counts their characters. */
static Status add_lead(Buffer *out, const Document *doc, PyObject *title, int32_t *length)
{
    PyObject *lines[] = {title, doc->keywords, doc->description};
    *length = 0;
    for (int i = 0; i < 3; i++) {
        if (lines[i] == NULL || PyUnicode_GET_LENGTH(lines[i]) == 0)
            continue;
        Py_ssize_t size;
        const char *utf8 = PyUnicode_AsUTF8AndSize(lines[i], &size);
        NEED(utf8 != NULL);
        if (out->size > 0) {
            NEED(buffer_add(out, "\n", 1));
            ++*length;
        }
        NEED(buffer_add(out, utf8, (size_t)size));
        *length += (int32_t)PyUnicode_GET_LENGTH(lines[i]);  /* at most FIELD_LIMIT each */
    }
    if (out->size > 0 && doc->text.size > 0) {
        NEED(buffer_add(out, "\n", 1));
        ++*length;
    }
    return OK;
}

/* The text of an anchor on one line; without text, the `alt` of its images. */
static Status anchor_of(Document *doc, const Link *link, PyObject **anchor)
{
    if (link->start >= link->end) {
        Span none = {"", 0};
        if (link->alt == NULL)
            return fold_field(doc, none, anchor);
        Py_ssize_t size;
        const char *utf8 = PyUnicode_AsUTF8AndSize(link->alt, &size);
        NEED(utf8 != NULL);
        return fold_field(doc, (Span){utf8, (size_t)size}, anchor);
    }
    size_t size = link->end_byte - link->start_byte;  /* both lie in `text`, in this order */
    int32_t kept = link->end - link->start < FIELD_LIMIT ? link->end - link->start : FIELD_LIMIT;
    const char *at = doc->text.data + link->start_byte, *end = at;
    for (int32_t seen = 0; (size_t)(end - at) < size; end++) {
        seen += (*end & 0xC0) != 0x80;  /* not a continuation byte */
        if (seen > kept)
            break;
    }
    doc->scratch.size = 0;
    NEED(buffer_add(&doc->scratch, at, (size_t)(end - at)));
    for (size_t i = 0; i < doc->scratch.size; i++)
        if (doc->scratch.data[i] == '\n')
            doc->scratch.data[i] = ' ';
    *anchor = PyUnicode_DecodeUTF8(doc->scratch.data, (Py_ssize_t)doc->scratch.size, NULL);
    return *anchor == NULL ? FAILED : OK;
}

/* The columns of the links, one row for each with a canonical URL. */
typedef struct {
    PyObject *urls, *anchors, *titles, *paths;
    Buffer starts, ends, flags, path_numbers;
} Columns;

static Status append_new(PyObject *list, PyObject *item)
{
    int failed = PyList_Append(list, item);
    Py_DECREF(item);
    return failed ? FAILED : OK;
}

static Status add_row(Document *doc, Columns *columns, const Link *link, PyObject *base)
{
    PyObject *url, *anchor, *title;
    TRY(join_url(doc, base, (Span){doc->fields.data + link->href, link->href_size}, &url));
    if (url == NULL)
        return OK;
    TRY(append_new(columns->urls, url));
    TRY(anchor_of(doc, link, &anchor));
    TRY(append_new(columns->anchors, anchor));
    TRY(fold_field(doc, (Span){doc->fields.data + link->title, link->title_size}, &title));
    TRY(append_new(columns->titles, title));
    char flags = (char)(link->start < link->end ? link->flags & ~IMAGE : link->flags);
    NEED(buffer_add_int(&columns->starts, link->start) && buffer_add_int(&columns->ends, link->end));
    NEED(buffer_add(&columns->flags, &flags, 1) && buffer_add(&columns->path_numbers, &link->path, 1));
    return OK;
}

static Status add_paths(const Document *doc, PyObject *paths)
{
    const int32_t *ends = buffer_ints(&doc->path_ends);
    size_t count = buffer_count(&doc->path_ends);
    for (size_t i = 0, begin = 0; i < count; begin = (size_t)ends[i++]) {
        PyObject *path = PyUnicode_FromStringAndSize(doc->paths.data + begin, (Py_ssize_t)((size_t)ends[i] - begin));
        NEED(path != NULL);
        TRY(append_new(paths, path));
    }
    return OK;
}

static Status fill_columns(Document *doc, Columns *columns, PyObject *url)
{
    columns->urls = PyList_New(0);
    columns->anchors = PyList_New(0);
    columns->titles = PyList_New(0);
    columns->paths = PyList_New(0);
    NEED(columns->urls != NULL && columns->anchors != NULL && columns->titles != NULL && columns->paths != NULL);
    TRY(add_paths(doc, columns->paths));
    PyObject *base = NULL;
    if (doc->base != NULL && PyUnicode_GET_LENGTH(doc->base) > 0) {
        Py_ssize_t size;
        const char *utf8 = PyUnicode_AsUTF8AndSize(doc->base, &size);
        NEED(utf8 != NULL);
        TRY(join_url(doc, url, (Span){utf8, (size_t)size}, &base));
    }
    const Link *links = (const Link *)doc->links.data;
    Status status = OK;
    for (size_t row = 0; row < doc->links.size / sizeof(Link) && status == OK; row++)
        status = add_row(doc, columns, &links[row], base != NULL ? base : url);
    Py_XDECREF(base);
    return status;
}

static void free_columns(Columns *columns)
{
    Py_XDECREF(columns->urls);
    Py_XDECREF(columns->anchors);
    Py_XDECREF(columns->titles);
    Py_XDECREF(columns->paths);
    buffer_free(&columns->starts);
    buffer_free(&columns->ends);
    buffer_free(&columns->flags);
    buffer_free(&columns->path_numbers);
}

static PyObject *or_empty(PyObject *text)
{
    return text != NULL ? Py_NewRef(text) : PyUnicode_New(0, 0);
}

/* The tuple that page/html.py makes a `Page` of. */
static PyObject *result(Document *doc, Columns *columns, PyObject *title, Buffer *text, int32_t offset)
{
    size_t segments = buffer_count(&doc->segment_starts);
    bool lead = offset > 0;
    return Py_BuildValue(
        "ONNNNOOONNNONNiNN", title, or_empty(doc->language),
        PyUnicode_DecodeUTF8(text->data, (Py_ssize_t)text->size, NULL),
        packed(buffer_ints(&doc->segment_starts), segments, offset, lead),
        packed(buffer_ints(&doc->segment_groups), segments, 0, lead),
        columns->urls, columns->anchors, columns->titles,
        packed(buffer_ints(&columns->starts), buffer_count(&columns->starts), offset, false),
        packed(buffer_ints(&columns->ends), buffer_count(&columns->ends), offset, false),
        PyBytes_FromStringAndSize(columns->flags.data, (Py_ssize_t)columns->flags.size), columns->paths,
        PyBytes_FromStringAndSize(columns->path_numbers.data, (Py_ssize_t)columns->path_numbers.size),
        or_empty(doc->robots), (int)doc->length, PyBool_FromLong(doc->has_scripts),
        PyUnicode_DecodeUTF8(doc->noscript.data, (Py_ssize_t)doc->noscript.size, NULL));
}

static Status read_into(Document *doc, PyObject *url, Span source, PyObject **page)
{
    Columns columns = {0};
    Buffer text = {0};
    PyObject *title = NULL;
    int32_t offset;
    TRY(scan(doc, source.at, source.size));
    Status status = fold_field(doc, (Span){doc->title.data, doc->title.size}, &title);
    if (status == OK)
        status = add_lead(&text, doc, title, &offset);
    if (status == OK && !buffer_add(&text, doc->text.data, doc->text.size))
        status = FAILED;
    if (status == OK)
        status = fill_columns(doc, &columns, url);
    if (status == OK && (*page = result(doc, &columns, title, &text, offset)) == NULL)
        status = FAILED;
    free_columns(&columns);
    buffer_free(&text);
    Py_XDECREF(title);
    return status;
}

PyObject *read_page(PyObject *module, PyObject *arguments)
{
    PyObject *url, *text, *page = NULL;
    Py_ssize_t size;
    Document doc = {.groups = {REST}, .open_groups = 1, .group = -1};
    Tools *tools = &doc.tools;
    if (!PyArg_ParseTuple(arguments, "UUOOOOOO!", &url, &text, &tools->join, &tools->fold, &tools->nfkc,
                          &tools->refresh_target, &tools->leads_nowhere, &PyDict_Type, &tools->entities))
        return NULL;
    if (PyUnicode_GET_LENGTH(text) >= SOURCE_LIMIT)
        Py_RETURN_NONE;
    doc.wide = PyUnicode_KIND(text) != PyUnicode_1BYTE_KIND;
    const char *source = PyUnicode_AsUTF8AndSize(text, &size);
    if (source == NULL) {  /* lone surrogates */
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    Status status = read_into(&doc, url, (Span){source, (size_t)size}, &page);
    document_free(&doc);
    if (status == FALL_BACK)
        Py_RETURN_NONE;
    return status == OK ? page : NULL;
}
