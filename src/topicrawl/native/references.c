/* Character references: &amp; &#8212; &eacute … as the HTML standard decodes them. */

#include "ascii.h"
#include "reader.h"

enum { LONGEST_NAME = 40, LONGEST_BARE_NAME = 6, SHORTEST_NAME = 2 };

/* What &#128; to &#159; mean: the characters that windows-1252 has there. */
static const uint16_t c1[32] = {
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
};

static bool add_character(Buffer *out, uint32_t code)
{
    char utf8[4];
    size_t size = 0;
    if (code < 0x80) {
        utf8[size++] = (char)code;
    } else if (code < 0x800) {
        utf8[size++] = (char)(0xC0 | code >> 6);
        utf8[size++] = (char)(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        utf8[size++] = (char)(0xE0 | code >> 12);
        utf8[size++] = (char)(0x80 | (code >> 6 & 0x3F));
        utf8[size++] = (char)(0x80 | (code & 0x3F));
    } else {
        utf8[size++] = (char)(0xF0 | code >> 18);
        utf8[size++] = (char)(0x80 | (code >> 12 & 0x3F));
        utf8[size++] = (char)(0x80 | (code >> 6 & 0x3F));
        utf8[size++] = (char)(0x80 | (code & 0x3F));
    }
    return buffer_add(out, utf8, size);
}

/* Decode a numeric reference; `*at` is after "&#" and moves to the end of the reference. */
static Status add_numeric(Buffer *out, const char **at, const char *end)
{
    const char *c = *at;
    bool hex = c < end && lower(*c) == 'x';
    c += hex;
    const char *digits = c;
    uint32_t code = 0;
    for (; c < end && (is_digit(*c) || (hex && lower(*c) >= 'a' && lower(*c) <= 'f')); c++) {
        uint32_t digit = (uint32_t)(is_digit(*c) ? *c - '0' : lower(*c) - 'a' + 10);
        if (code <= 0x10FFFF)  /* a larger code stays too large, without overflow */
            code = code * (hex ? 16 : 10) + digit;
    }
    if (c == digits) {  /* no number: literal text */
        NEED(buffer_add(out, "&#", 2));
        return OK;
    }
    *at = c < end && *c == ';' ? c + 1 : c;
    if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        code = 0xFFFD;
    else if (code >= 0x80 && code < 0xA0)
        code = c1[code - 0x80];
    NEED(add_character(out, code));
    return OK;
}

/* Append the characters of the entity `name`; `*found` is false when there is no such entity. */
static Status add_named(Buffer *out, const char *name, size_t size, PyObject *entities, bool *found)
{
    PyObject *key = PyUnicode_FromStringAndSize(name, (Py_ssize_t)size);
    NEED(key != NULL);
    PyObject *characters = PyDict_GetItemWithError(entities, key);  /* borrowed */
    Py_DECREF(key);
    *found = characters != NULL;
    if (characters == NULL)
        return PyErr_Occurred() ? FAILED : OK;
    Py_ssize_t length;
    const char *utf8 = PyUnicode_AsUTF8AndSize(characters, &length);
    NEED(utf8 != NULL && buffer_add(out, utf8, (size_t)length));
    return OK;
}

/* Decode a named reference; `*at` is after "&" and moves to the end of what was used of the name. */
static Status add_name(Buffer *out, const char **at, const char *end, bool in_attribute, PyObject *entities)
{
    const char *name = *at, *c = name;
    while (c < end && (is_letter(*c) || is_digit(*c)))
        c++;
    size_t size = (size_t)(c - name);
    bool found = false;
    if (c < end && *c == ';' && size < LONGEST_NAME) {
        TRY(add_named(out, name, size + 1, entities, &found));
        if (found) {
            *at = c + 1;
            return OK;
        }
    }
    size_t longest = size < LONGEST_BARE_NAME ? size : LONGEST_BARE_NAME;
    for (size_t bare = longest; bare >= SHORTEST_NAME && !found; bare--) {
        if (in_attribute && (bare < size || (c < end && *c == '=')))
            break;  /* in a URL, "&copy=1" is an argument */
        TRY(add_named(out, name, bare, entities, &found));
        if (found)
            *at = name + bare;
    }
    if (!found)
        NEED(buffer_add(out, "&", 1));
    return OK;
}

/* Append text without references; CR LF and CR become LF. */
static bool add_plain(Buffer *out, const char *at, size_t size)
{
    const char *end = at + size, *cr;
    while (at < end && (cr = memchr(at, '\r', (size_t)(end - at))) != NULL) {
        if (!buffer_add(out, at, (size_t)(cr - at)) || !buffer_add(out, "\n", 1))
            return false;
        at = cr + 1;
        if (at < end && *at == '\n')
            at++;
    }
    return buffer_add(out, at, (size_t)(end - at));
}

bool is_literal(Span span)
{
    return span.size == 0 || (memchr(span.at, '&', span.size) == NULL && memchr(span.at, '\r', span.size) == NULL);
}

Status add_decoded(Buffer *out, Span span, bool in_attribute, PyObject *entities)
{
    const char *at = span.at, *end = span.at + span.size, *mark;
    while (at < end && (mark = memchr(at, '&', (size_t)(end - at))) != NULL) {
        NEED(add_plain(out, at, (size_t)(mark - at)));
        at = mark + 1;
        if (at < end && *at == '#') {
            at++;
            TRY(add_numeric(out, &at, end));
        } else if (at < end && (is_letter(*at) || is_digit(*at))) {
            TRY(add_name(out, &at, end, in_attribute, entities));
        } else {
            NEED(buffer_add(out, "&", 1));
        }
    }
    NEED(add_plain(out, at, (size_t)(end - at)));
    return OK;
}
