/* What was said, as the columns of a `Page`. */

#include "page.h"

#include "reader.h"

/* Numbers as the model packs them, each moved by `offset`, behind an optional first one. */
static PyObject *packed(const int32_t *numbers, size_t count, int32_t offset, bool lead)
{
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)((count + lead) * sizeof(int32_t)));
    if (bytes == NULL)
        return NULL;
    char *out = PyBytes_AS_STRING(bytes);  /* holds exactly count + lead numbers, 0 the first of them */
    if (lead)
        memset(out, 0, sizeof(int32_t));
    for (size_t i = 0; i < count; i++) {
        int32_t moved = numbers[i] + offset;
        memcpy(out + (i + lead) * sizeof moved, &moved, sizeof moved);
    }
    return bytes;
}

/* Title, keywords and description, a line each, before the text; `*length` counts their characters. */
static Verdict add_lead(Buffer *out, const Said *said, PyObject *title, int32_t *length)
{
    PyObject *lines[] = {title, said->keywords, said->description};
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
    if (out->size > 0 && said->text.size > 0) {
        NEED(buffer_add(out, "\n", 1));
        ++*length;
    }
    return GO;
}

/* The text of an anchor on one line, or that of its images. */
static Verdict anchor_of(Said *said, const Link *link, PyObject **anchor)
{
    if (link->start >= link->end) {
        Span none = {"", 0};
        if (link->alt == NULL)
            return fold_field(said, none, anchor);
        Py_ssize_t size;
        const char *utf8 = PyUnicode_AsUTF8AndSize(link->alt, &size);
        NEED(utf8 != NULL);
        return fold_field(said, (Span){utf8, (size_t)size}, anchor);
    }
    size_t size = link->end_byte - link->start_byte;  /* both lie in `text`, in this order */
    int32_t kept = link->end - link->start < FIELD_LIMIT ? link->end - link->start : FIELD_LIMIT;
    const char *at = said->text.data + link->start_byte, *end = at;
    for (int32_t seen = 0; (size_t)(end - at) < size; end++) {
        seen += (*end & 0xC0) != 0x80;  /* not a later byte of a character */
        if (seen > kept)
            break;
    }
    said->scratch.size = 0;
    NEED(buffer_add(&said->scratch, at, (size_t)(end - at)));
    for (size_t i = 0; i < said->scratch.size; i++)
        if (said->scratch.data[i] == '\n')
            said->scratch.data[i] = ' ';
    *anchor = PyUnicode_DecodeUTF8(said->scratch.data, (Py_ssize_t)said->scratch.size, NULL);
    return *anchor == NULL ? FAILED : GO;
}

/* The columns of the links, one row for each that leads somewhere. */
typedef struct {
    PyObject *urls, *anchors, *titles;
    Buffer starts, ends, flags;
} Columns;

static Verdict append_new(PyObject *list, PyObject *item)
{
    int failed = PyList_Append(list, item);
    Py_DECREF(item);
    return failed ? FAILED : GO;
}

static Verdict add_row(Said *said, Columns *columns, const Link *link, PyObject *base)
{
    PyObject *url, *anchor, *title;
    TRY(join_url(said, base, (Span){said->fields.data + link->href, link->href_size}, &url));
    if (url == NULL)
        return GO;
    TRY(append_new(columns->urls, url));
    TRY(anchor_of(said, link, &anchor));
    TRY(append_new(columns->anchors, anchor));
    TRY(fold_field(said, (Span){said->fields.data + link->title, link->title_size}, &title));
    TRY(append_new(columns->titles, title));
    char flags = (char)(link->start < link->end ? link->flags & ~IMAGE : link->flags);
    NEED(buffer_add_int(&columns->starts, link->start) && buffer_add_int(&columns->ends, link->end));
    NEED(buffer_add(&columns->flags, &flags, 1));
    return GO;
}

static Verdict fill_columns(Said *said, Columns *columns, PyObject *url)
{
    columns->urls = PyList_New(0);
    columns->anchors = PyList_New(0);
    columns->titles = PyList_New(0);
    NEED(columns->urls != NULL && columns->anchors != NULL && columns->titles != NULL);
    PyObject *base = NULL;
    if (said->base != NULL && PyUnicode_GET_LENGTH(said->base) > 0) {
        Py_ssize_t size;
        const char *utf8 = PyUnicode_AsUTF8AndSize(said->base, &size);
        NEED(utf8 != NULL);
        TRY(join_url(said, url, (Span){utf8, (size_t)size}, &base));
    }
    const Link *links = (const Link *)said->links.data;
    Verdict verdict = GO;
    for (size_t row = 0; row < said->links.size / sizeof(Link) && verdict == GO; row++)
        verdict = add_row(said, columns, &links[row], base != NULL ? base : url);
    Py_XDECREF(base);
    return verdict;
}

static void free_columns(Columns *columns)
{
    Py_XDECREF(columns->urls);
    Py_XDECREF(columns->anchors);
    Py_XDECREF(columns->titles);
    buffer_free(&columns->starts);
    buffer_free(&columns->ends);
    buffer_free(&columns->flags);
}

static PyObject *or_empty(PyObject *text)
{
    return text != NULL ? Py_NewRef(text) : PyUnicode_New(0, 0);
}

/* The tuple that page/html.py makes a `Page` of. */
static PyObject *result(Said *said, Columns *columns, PyObject *title, Buffer *text, int32_t offset)
{
    size_t segments = buffer_count(&said->segment_starts);
    bool lead = offset > 0;
    return Py_BuildValue(
        "ONNNNOOONNNNiNN", title, or_empty(said->language),
        PyUnicode_DecodeUTF8(text->data, (Py_ssize_t)text->size, NULL),
        packed(buffer_ints(&said->segment_starts), segments, offset, lead),
        packed(buffer_ints(&said->segment_groups), segments, 0, lead),
        columns->urls, columns->anchors, columns->titles,
        packed(buffer_ints(&columns->starts), buffer_count(&columns->starts), offset, false),
        packed(buffer_ints(&columns->ends), buffer_count(&columns->ends), offset, false),
        PyBytes_FromStringAndSize(columns->flags.data, (Py_ssize_t)columns->flags.size),
        or_empty(said->robots), (int)said->length, PyBool_FromLong(said->has_scripts),
        PyUnicode_DecodeUTF8(said->noscript.data, (Py_ssize_t)said->noscript.size, NULL));
}

static Verdict read_into(Said *said, PyObject *url, Span source, PyObject **page)
{
    Columns columns = {0};
    Buffer text = {0};
    PyObject *title = NULL;
    int32_t offset;
    TRY(scan(said, source.at, source.size));
    Verdict verdict = fold_field(said, (Span){said->title.data, said->title.size}, &title);
    if (verdict == GO)
        verdict = add_lead(&text, said, title, &offset);
    if (verdict == GO && !buffer_add(&text, said->text.data, said->text.size))
        verdict = FAILED;
    if (verdict == GO)
        verdict = fill_columns(said, &columns, url);
    if (verdict == GO && (*page = result(said, &columns, title, &text, offset)) == NULL)
        verdict = FAILED;
    free_columns(&columns);
    buffer_free(&text);
    Py_XDECREF(title);
    return verdict;
}

PyObject *read_page(PyObject *module, PyObject *arguments)
{
    PyObject *url, *text, *page = NULL;
    Py_ssize_t size;
    Said said = {.groups = {REST}, .open_groups = 1, .group = -1};
    Tools *tools = &said.tools;
    if (!PyArg_ParseTuple(arguments, "UUOOOO!", &url, &text, &tools->join, &tools->fold, &tools->nfkc,
                          &PyDict_Type, &tools->entities))
        return NULL;
    if (PyUnicode_GET_LENGTH(text) >= TEXT_LIMIT)
        Py_RETURN_NONE;
    const char *source = PyUnicode_AsUTF8AndSize(text, &size);
    if (source == NULL) {  /* surrogates that stand alone */
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    Verdict verdict = read_into(&said, url, (Span){source, (size_t)size}, &page);
    said_free(&said);
    if (verdict == GIVE_UP)
        Py_RETURN_NONE;
    return verdict == GO ? page : NULL;
}
