/* Collects links and metadata from the parser's events: the same rules as page/collect.py, in the same order. */

#include "ascii.h"
#include "reader.h"

/* --- attributes --------------------------------------------------------------------------------------------------- */

/* The value of an attribute, decoded: a part of the source or of `doc->scratch`, until the next call. */
static Status decoded(Document *doc, Span value, Span *out)
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

/* An attribute whose case does not count, decoded, without white space at its ends: a part of the source or of
`doc->scratch`, until the next call. */
static Status decoded_words(Document *doc, Span value, Span *words)
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

/* Add a link to `href`, which is decoded; `*row` is -1 when it leads to no page or the page already has MAX_LINKS. */
static Status add_decoded_link(Document *doc, Span href, const Attributes *attributes, uint8_t flags, int32_t *row)
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

/* The same for an attribute as written. */
static Status add_link(Document *doc, Span href, const Attributes *attributes, uint8_t flags, int32_t *row)
{
    Span text;
    TRY(decoded(doc, href, &text));
    return add_decoded_link(doc, text, attributes, flags, row);
}

/* --- elements ----------------------------------------------------------------------------------------------------- */

static Status start_a(Document *doc, const Attributes *attributes)
{
    int32_t row;
    if (doc->open_count == MAX_DEPTH || doc->textless_count == MAX_DEPTH)
        return FALL_BACK;
    TRY(add_link(doc, attributes->href, attributes, 0, &row));
    doc->open[doc->open_count++] = row;
    if (row >= 0)
        doc->textless[doc->textless_count++] = row;
    return OK;
}

static void end_a(Document *doc)
{
    int32_t row = doc->open_count > 0 ? doc->open[--doc->open_count] : -1;
    if (row < 0)
        return;
    Link *link = (Link *)doc->links.data + row;
    link->end = doc->length;
    link->end_byte = doc->text.size;
    if (doc->textless_count > 0 && doc->textless[doc->textless_count - 1] == row) {
        doc->textless_count--;
        link->start = link->end;
        link->start_byte = link->end_byte;
    }
}

static Status start_img(Document *doc, const Attributes *attributes)
{
    int32_t row = doc->open_count > 0 ? doc->open[doc->open_count - 1] : -1;
    if (row < 0)
        return OK;
    Link *link = (Link *)doc->links.data + row;
    link->flags |= IMAGE;
    if (link->alt != NULL && PyUnicode_GET_LENGTH(link->alt) >= FIELD_LIMIT)
        return OK;
    Span alt;
    TRY(decoded(doc, attributes->alt, &alt));
    PyObject *text = PyUnicode_DecodeUTF8(alt.at, (Py_ssize_t)alt.size, NULL);
    NEED(text != NULL);
    PyObject *longer = link->alt == NULL ? PyUnicode_FromFormat(" %U", text)
                                         : PyUnicode_FromFormat("%U %U", link->alt, text);
    Py_DECREF(text);
    NEED(longer != NULL);
    Py_XSETREF(link->alt, longer);
    return OK;
}

/* A page that a browser shows instead of this one is a link. */
static Status add_refresh(Document *doc, Span content)
{
    static const Attributes none;
    Span text;
    int32_t row;
    TRY(decoded(doc, content, &text));
    PyObject *written = PyUnicode_DecodeUTF8(text.at, (Py_ssize_t)text.size, NULL);
    PyObject *target = written == NULL ? NULL : PyObject_CallOneArg(doc->tools.refresh_target, written);
    Py_ssize_t size = 0;
    const char *utf8 = target == NULL ? NULL : PyUnicode_AsUTF8AndSize(target, &size);
    Status status = utf8 == NULL ? FAILED : add_decoded_link(doc, (Span){utf8, (size_t)size}, &none, 0, &row);
    Py_XDECREF(written);
    Py_XDECREF(target);
    return status;
}

static Status start_meta(Document *doc, const Attributes *attributes)
{
    if (doc->hidden)
        return OK;
    Span name, http_equiv, content;
    TRY(decoded_words(doc, attributes->name, &name));
    PyObject **kept = equals(name.at, name.size, "keywords") ? &doc->keywords
                    : equals(name.at, name.size, "description") ? &doc->description
                    : equals(name.at, name.size, "robots") ? &doc->robots : NULL;
    if (kept == NULL) {
        TRY(decoded_words(doc, attributes->http_equiv, &http_equiv));
        return equals(http_equiv.at, http_equiv.size, "refresh") ? add_refresh(doc, attributes->content) : OK;
    }
    if (*kept != NULL)
        return OK;
    TRY(decoded(doc, attributes->content, &content));
    return fold_field(doc, content, kept);
}

/* Keep an attribute's value, decoded, as a string; nothing where it has none. */
static Status keep_string(Document *doc, Span value, PyObject **kept)
{
    if (value.at == NULL || value.at == NO_VALUE)
        return OK;
    Span text;
    TRY(decoded(doc, value, &text));
    *kept = PyUnicode_DecodeUTF8(text.at, (Py_ssize_t)text.size, NULL);
    return *kept == NULL ? FAILED : OK;
}

static void hide(Document *doc)
{
    doc->hidden++;
}

static Status start_with_attributes(Document *doc, Tag tag, const Attributes *attributes)
{
    int32_t row;
    switch (tag) {
    case TAG_a:
        return start_a(doc, attributes);
    case TAG_area:
        return add_link(doc, attributes->href, attributes, IMAGE, &row);
    case TAG_base:
        return doc->base == NULL && !doc->hidden ? keep_string(doc, attributes->href, &doc->base) : OK;
    case TAG_frame:
        return add_link(doc, attributes->src, attributes, 0, &row);
    case TAG_html:
        Py_CLEAR(doc->language);
        return keep_string(doc, attributes->lang.size > 0 ? attributes->lang : attributes->xml_lang, &doc->language);
    case TAG_iframe:
        TRY(add_link(doc, attributes->src, attributes, 0, &row));
        hide(doc);
        return OK;
    case TAG_img:
        return start_img(doc, attributes);
    case TAG_meta:
        return start_meta(doc, attributes);
    default:
        return OK;
    }
}

Status collect_start(Document *doc, Tag tag, const Attributes *attributes)
{
    const TagRules *rules = &tag_rules[tag];
    if (rules->rules & BLOCK)
        doc->gap = '\n';
    if (rules->group >= 0) {
        if (doc->open_groups > MAX_DEPTH)
            return FALL_BACK;
        doc->groups[doc->open_groups++] = rules->group;
    }
    if (rules->rules & ATTRIBUTES)
        return start_with_attributes(doc, tag, attributes);
    if (!(rules->rules & HIDES))
        return OK;
    if (tag == TAG_title && doc->title.size == 0 && !doc->hidden)
        doc->hidden_target = TO_TITLE;
    if (tag == TAG_noscript && !doc->hidden)
        doc->hidden_target = TO_NOSCRIPT;
    if (tag == TAG_script)
        doc->has_scripts = true;
    hide(doc);
    return OK;
}

void collect_end(Document *doc, Tag tag)
{
    const TagRules *rules = &tag_rules[tag];
    if (rules->rules & BLOCK)
        doc->gap = '\n';
    if (rules->group >= 0)
        doc->open_groups--;
    if (rules->rules & HIDES) {
        doc->hidden--;
        doc->hidden_target = DROPPED;
    }
    if (tag == TAG_a)
        end_a(doc);
}

void collect_finish(Document *doc)
{
    while (doc->open_count > 0)
        end_a(doc);
}

void document_free(Document *doc)
{
    Link *links = (Link *)doc->links.data;
    for (size_t i = 0; i < doc->links.size / sizeof(Link); i++)
        Py_XDECREF(links[i].alt);
    Buffer *buffers[] = {&doc->text, &doc->segment_starts, &doc->segment_groups, &doc->links, &doc->fields,
                         &doc->title, &doc->noscript, &doc->scratch};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        buffer_free(buffers[i]);
    Py_XDECREF(doc->keywords);
    Py_XDECREF(doc->description);
    Py_XDECREF(doc->robots);
    Py_XDECREF(doc->base);
    Py_XDECREF(doc->language);
}
