/* Attributes as they are meant: decoded, and the links that they name (page/collect.py). */

#include "ascii.h"
#include "reader.h"

Status decoded(Document *doc, Span value, Span *out)
{
    *out = value;
    if (is_literal(value))
        return OK;
    doc->scratch.size = 0;
    TRY(add_decoded(&doc->scratch, value, true, doc->tools.entities));
    *out = (Span){doc->scratch.data, doc->scratch.size};
    return OK;
}

/* Whether `href` leads to no page: a fragment of this one, a script, a mail address. */
static Status leads_nowhere(const Document *doc, Span href, bool *nowhere)
{
    static const char *const prefixes[] = {"#", "javascript:", "mailto:", "tel:", "data:"};
    Span head = {href.at, href.size < 16 ? href.size : 16};
    if (!is_ascii(head)) {
        PyObject *text = PyUnicode_DecodeUTF8(href.at, (Py_ssize_t)href.size, NULL);
        PyObject *answer = text == NULL ? NULL : PyObject_CallOneArg(doc->tools.leads_nowhere, text);
        *nowhere = answer == Py_True;
        Py_XDECREF(text);
        Py_XDECREF(answer);
        return answer == NULL ? FAILED : OK;
    }
    while (head.size > 0 && is_space(*head.at))
        head.at++, head.size--;
    *nowhere = false;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        *nowhere = *nowhere || starts_with(head.at, head.at + head.size, prefixes[i]);
    return OK;
}

Status decoded_words(Document *doc, Span value, Span *words)
{
    TRY(decoded(doc, value, words));
    *words = trimmed(*words);
    if (is_ascii(*words))
        return OK;
    PyObject *written = PyUnicode_DecodeUTF8(words->at, (Py_ssize_t)words->size, NULL);
    PyObject *small = written == NULL ? NULL : PyObject_CallMethod(written, "lower", NULL);
    PyObject *folded = small == NULL ? NULL : joined_words(small);
    Py_ssize_t size = 0;
    const char *utf8 = folded == NULL ? NULL : PyUnicode_AsUTF8AndSize(folded, &size);
    doc->scratch.size = 0;
    bool kept = utf8 != NULL && buffer_add(&doc->scratch, utf8, (size_t)size);
    Py_XDECREF(written);
    Py_XDECREF(small);
    Py_XDECREF(folded);
    *words = (Span){doc->scratch.data, doc->scratch.size};
    return kept ? OK : FAILED;
}

static Status has_nofollow(Document *doc, Span rel, bool *nofollow)
{
    Span value;
    TRY(decoded_words(doc, rel, &value));
    *nofollow = false;
    const char *at = value.at, *end = value.at + value.size;
    while (at < end) {
        const char *word = at;
        while (at < end && !is_space(*at))
            at++;
        *nofollow = *nofollow || equals(word, (size_t)(at - word), "nofollow");
        at += at < end;
    }
    return OK;
}

/* Keep a decoded attribute in `fields`. */
static Status keep_field(Document *doc, Span value, size_t *place, size_t *size)
{
    Span text;
    TRY(decoded(doc, value, &text));
    *place = doc->fields.size;
    *size = text.size;
    NEED(buffer_add(&doc->fields, text.at, text.size));
    return OK;
}

Status add_decoded_link(Document *doc, Span href, const Attributes *attributes, uint8_t flags, int32_t *row)
{
    *row = -1;
    size_t count = doc->links.size / sizeof(Link);
    if (href.size == 0 || doc->hidden || count >= MAX_LINKS)
        return OK;
    Link link = {.start = doc->length, .end = doc->length,
                 .start_byte = doc->text.size, .end_byte = doc->text.size, .flags = flags};
    bool nowhere, nofollow;
    TRY(leads_nowhere(doc, href, &nowhere));
    if (nowhere)
        return OK;
    link.href = doc->fields.size;
    link.href_size = href.size;
    NEED(buffer_add(&doc->fields, href.at, href.size));
    TRY(has_nofollow(doc, attributes->rel, &nofollow));
    if (nofollow)
        link.flags |= NOFOLLOW;
    TRY(keep_field(doc, attributes->title, &link.title, &link.title_size));
    TRY(add_path(doc, &link.path));
    if (attributes->alt.size > 0) {
        Span alt;
        TRY(decoded(doc, attributes->alt, &alt));
        link.alt = PyUnicode_DecodeUTF8(alt.at, (Py_ssize_t)alt.size, NULL);
        NEED(link.alt != NULL);
    }
    if (!buffer_add(&doc->links, &link, sizeof link)) {
        Py_XDECREF(link.alt);
        return FAILED;
    }
    *row = (int32_t)count;
    return OK;
}

Status add_link(Document *doc, Span href, const Attributes *attributes, uint8_t flags, int32_t *row)
{
    Span text;
    TRY(decoded(doc, href, &text));
    return add_decoded_link(doc, text, attributes, flags, row);
}
