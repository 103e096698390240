/* The text of a page: white space folded, other scripts in compatibility form, parted into segments by tag group. */

#include "letters.h"
#include "reader.h"

/* How a byte of text is treated; the sorts of a whole text are or-ed together. */
enum { PLAIN = 1, SPACE = 2, BREAK = 4, CONTROL = 8, WIDE = 16, TWO_SPACES = 32 };

/* What sorts of bytes there are in `text`. */
static unsigned sorts(Span text)
{
    static const uint8_t low[33] = {
        8, 8, 8, 8, 8, 8, 8, 8, 8, 4, 4, 8, 4, 4, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 2,
    };
    unsigned all = 0, last = 0;
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.at[i];
        unsigned sort = c > ' ' ? c < 0x80 ? PLAIN : WIDE : low[c];
        all |= sort | (sort & last & SPACE) << 4;
        last = sort;
    }
    return all;
}

bool is_ascii(Span text)
{
    return !(sorts(text) & (CONTROL | WIDE));
}

Span trimmed(Span text)
{
    while (text.size > 0 && is_space(text.at[0]))
        text.at++, text.size--;
    while (text.size > 0 && is_space(text.at[text.size - 1]))
        text.size--;
    return text;
}

/* Before a piece of text is appended: what parts it from the last, its segment, the links that begin with it. */
static Verdict begin_piece(Said *said, bool after_space)
{
    char gap = said->gap ? said->gap : after_space ? ' ' : 0;
    if (said->length > 0 && gap) {
        NEED(buffer_add(&said->text, &gap, 1));
        said->length++;
    }
    int group = said->groups[said->open_groups - 1];
    if (group != said->group) {
        said->group = group;
        NEED(buffer_add_int(&said->segment_starts, said->length));
        NEED(buffer_add_int(&said->segment_groups, group));
    }
    Link *links = (Link *)said->links.data;
    for (int i = 0; i < said->fresh_count; i++) {
        links[said->fresh[i]].start = said->length;
        links[said->fresh[i]].start_byte = said->text.size;
    }
    said->fresh_count = 0;
    return GO;
}

/* Copy `text` with every run of white space a single space; returns the end of the copy, which is never longer. */
static char *copy_words(char *out, Span text)
{
    bool space = false;
    for (size_t i = 0; i < text.size; i++) {
        if (is_space(text.at[i])) {
            space = true;
            continue;
        }
        if (space)
            *out++ = ' ';
        space = false;
        *out++ = text.at[i];
    }
    return out;
}

/* Append ASCII text, not blank, in which there are these sorts of bytes. */
static Verdict say_ascii(Said *said, Span text, unsigned all)
{
    Span words = trimmed(text);
    TRY(begin_piece(said, words.at > text.at));
    NEED(buffer_reserve(&said->text, words.size));
    char *begin = said->text.data + said->text.size, *end = begin + words.size;
    if (all & (BREAK | TWO_SPACES))
        end = copy_words(begin, words);  /* writes at most what was reserved */
    else
        memcpy(begin, words.at, words.size);
    said->text.size += (size_t)(end - begin);
    said->length += (int32_t)(end - begin);
    said->gap = words.at + words.size < text.at + text.size ? ' ' : 0;
    return said->length < TEXT_LIMIT ? GO : GIVE_UP;
}

static bool space_at(PyObject *text, Py_ssize_t index)
{
    return Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(text, index));
}

/* The words of `text`, each run of white space between them a single space; a new reference. */
static PyObject *joined_words(PyObject *text)
{
    PyObject *words = PyUnicode_Split(text, NULL, -1);
    if (words == NULL)
        return NULL;
    PyObject *space = PyUnicode_FromStringAndSize(" ", 1);
    PyObject *joined = space == NULL ? NULL : PyUnicode_Join(space, words);
    Py_XDECREF(space);
    Py_DECREF(words);
    return joined;
}

static Verdict append_words(Said *said, PyObject *text, PyObject *piece)
{
    Py_ssize_t size;
    const char *utf8 = PyUnicode_AsUTF8AndSize(piece, &size);
    NEED(utf8 != NULL);
    if (size == 0)
        return GO;
    TRY(begin_piece(said, space_at(text, 0)));
    NEED(buffer_add(&said->text, utf8, (size_t)size));
    said->gap = space_at(text, PyUnicode_GET_LENGTH(text) - 1) ? ' ' : 0;
    if (PyUnicode_GET_LENGTH(piece) >= TEXT_LIMIT - said->length)
        return GIVE_UP;
    said->length += (int32_t)PyUnicode_GET_LENGTH(piece);
    return GO;
}

/* Append text of any script, in compatibility form. */
static Verdict say_wide(Said *said, PyObject *text)
{
    bool blank = true;
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(text) && blank; i++)
        blank = space_at(text, i);
    if (blank) {
        if (!said->gap)
            said->gap = ' ';
        return GO;
    }
    PyObject *normal = PyObject_CallOneArg(said->tools.nfkc, text);
    NEED(normal != NULL);
    PyObject *piece = joined_words(normal);
    Verdict verdict = piece == NULL ? FAILED : append_words(said, normal, piece);
    Py_XDECREF(piece);
    Py_DECREF(normal);
    return verdict;
}

Verdict said_text(Said *said, Span text)
{
    if (said->hidden) {
        if (said->caught != NOTHING)
            NEED(buffer_add(said->caught == THE_TITLE ? &said->title : &said->noscript, text.at, text.size));
        return GO;
    }
    unsigned all = sorts(text);
    if (all & CONTROL)
        return GIVE_UP;
    if (all & WIDE) {
        PyObject *decoded = PyUnicode_DecodeUTF8(text.at, (Py_ssize_t)text.size, NULL);
        NEED(decoded != NULL);
        Verdict verdict = say_wide(said, decoded);
        Py_DECREF(decoded);
        return verdict;
    }
    if (all & PLAIN)
        return say_ascii(said, text, all);
    if (!said->gap && text.size > 0)
        said->gap = ' ';
    return GO;
}

Verdict fold_field(Said *said, Span text, PyObject **folded)
{
    if (text.size > FIELD_LIMIT || !is_ascii(text)) {
        PyObject *decoded = PyUnicode_DecodeUTF8(text.at, (Py_ssize_t)text.size, NULL);
        NEED(decoded != NULL);
        *folded = PyObject_CallOneArg(said->tools.fold, decoded);
        Py_DECREF(decoded);
        return *folded == NULL ? FAILED : GO;
    }
    char line[FIELD_LIMIT];  /* long enough, see above */
    char *end = copy_words(line, trimmed(text));
    *folded = PyUnicode_FromStringAndSize(line, end - line);
    return *folded == NULL ? FAILED : GO;
}
