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
static Status leads_to_no_page(Span href, bool *nowhere)
{
    static const char *const prefixes[] = {"#", "javascript:", "mailto:", "tel:", "data:"};
    Span head = {href.at, href.size < 16 ? href.size : 16};
    if (!is_ascii(head))
        return FALL_BACK;
    while (head.size > 0 && is_space(*head.at))
        head.at++, head.size--;
    *nowhere = false;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        *nowhere = *nowhere || starts_with(head.at, head.at + head.size, prefixes[i]);
    return OK;
}

static Status has_nofollow(Document *doc, Span rel, bool *nofollow)
{
    Span value;
    TRY(decoded(doc, rel, &value));
    if (!is_ascii(value))
        return FALL_BACK;
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

/* Add a link; `*row` is -1 when it leads to no page or the page already has MAX_LINKS. */
static Status add_link(Document *doc, Span href, const Attributes *attributes, uint8_t flags, int32_t *row)
{
    *row = -1;
    size_t count = doc->links.size / sizeof(Link);
    if (doc->hidden || count >= MAX_LINKS)
        return OK;
    Link link = {.start = doc->length, .end = doc->length,
                 .start_byte = doc->text.size, .end_byte = doc->text.size, .flags = flags};
    bool nowhere, nofollow;
    TRY(keep_field(doc, href, &link.href, &link.href_size));
    if (link.href_size == 0)
        return OK;
    TRY(leads_to_no_page((Span){doc->fields.data + link.href, link.href_size}, &nowhere));
    if (nowhere)
        return OK;
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

static Status start_meta(Document *doc, const Attributes *attributes)
{
    if (doc->hidden)
        return OK;
    Span name, http_equiv, content;
    TRY(decoded(doc, attributes->name, &name));
    if (!is_ascii(name))
        return FALL_BACK;
    name = trimmed(name);
    PyObject **kept = equals(name.at, name.size, "keywords") ? &doc->keywords
                    : equals(name.at, name.size, "description") ? &doc->description
                    : equals(name.at, name.size, "robots") ? &doc->robots : NULL;
    if (kept == NULL) {
        TRY(decoded(doc, attributes->http_equiv, &http_equiv));
        if (!is_ascii(http_equiv))
            return FALL_BACK;
        http_equiv = trimmed(http_equiv);
        return equals(http_equiv.at, http_equiv.size, "refresh") ? FALL_BACK : OK;
    }
    if (*kept != NULL)
        return OK;
    TRY(decoded(doc, attributes->content, &content));
    return fold_field(doc, content, kept);
}

/* Keep an attribute's value, decoded, as a string; nothing where it is absent or empty. */
static Status keep_string(Document *doc, Span value, PyObject **kept)
{
    if (value.size == 0)
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
    case TAG_html:
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
