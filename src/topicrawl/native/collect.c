/* Collects links and metadata from the parser's events: the same rules as page/collect.py, in the same order. */

#include "ascii.h"
#include "reader.h"

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
                         &doc->labels, &doc->paths, &doc->path_ends, &doc->title, &doc->noscript, &doc->scratch};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        buffer_free(buffers[i]);
    Py_XDECREF(doc->keywords);
    Py_XDECREF(doc->description);
    Py_XDECREF(doc->robots);
    Py_XDECREF(doc->base);
    Py_XDECREF(doc->language);
}
