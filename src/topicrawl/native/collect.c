/* Keeps what a page says, event by event: the same rules as page/collect.py, in the same order. */

#include "letters.h"
#include "reader.h"

/* --- attributes --------------------------------------------------------------------------------------------------- */

/* The value of an attribute, decoded: a part of the source or of `said->scratch`, until the next call. */
static Verdict decoded(Said *said, Span value, Span *out)
{
    *out = value;
    if (is_literal(value))
        return GO;
    said->scratch.size = 0;
    TRY(add_decoded(&said->scratch, value, true, said->tools.entities));
    *out = (Span){said->scratch.data, said->scratch.size};
    return GO;
}

/* Whether `href` leads to no page: a place on this one, a script, a mail. */
static Verdict leads_nowhere(Span href, bool *nowhere)
{
    static const char *const prefixes[] = {"#", "javascript:", "mailto:", "tel:", "data:"};
    Span head = {href.at, href.size < 16 ? href.size : 16};
    if (!is_ascii(head))
        return GIVE_UP;
    while (head.size > 0 && is_space(*head.at))
        head.at++, head.size--;
    *nowhere = false;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        *nowhere = *nowhere || begins(head.at, head.at + head.size, prefixes[i]);
    return GO;
}

static Verdict says_nofollow(Said *said, Span rel, bool *nofollow)
{
    Span value;
    TRY(decoded(said, rel, &value));
    if (!is_ascii(value))
        return GIVE_UP;
    *nofollow = false;
    const char *at = value.at, *end = value.at + value.size;
    while (at < end) {
        const char *word = at;
        while (at < end && !is_space(*at))
            at++;
        *nofollow = *nofollow || spells(word, (size_t)(at - word), "nofollow");
        at += at < end;
    }
    return GO;
}

/* Keep a decoded attribute in `fields`. */
static Verdict keep_field(Said *said, Span value, size_t *place, size_t *size)
{
    Span text;
    TRY(decoded(said, value, &text));
    *place = said->fields.size;
    *size = text.size;
    NEED(buffer_add(&said->fields, text.at, text.size));
    return GO;
}

/* Note a link; `*row` is -1 when it leads to no page or the page has enough of them. */
static Verdict add_link(Said *said, Span href, const Attributes *attributes, uint8_t flags, int32_t *row)
{
    *row = -1;
    size_t count = said->links.size / sizeof(Link);
    if (said->hidden || count >= MAX_LINKS)
        return GO;
    Link link = {.start = said->length, .end = said->length,
                 .start_byte = said->text.size, .end_byte = said->text.size, .flags = flags};
    bool nowhere, nofollow;
    TRY(keep_field(said, href, &link.href, &link.href_size));
    if (link.href_size == 0)
        return GO;
    TRY(leads_nowhere((Span){said->fields.data + link.href, link.href_size}, &nowhere));
    if (nowhere)
        return GO;
    TRY(says_nofollow(said, attributes->rel, &nofollow));
    if (nofollow)
        link.flags |= NOFOLLOW;
    TRY(keep_field(said, attributes->title, &link.title, &link.title_size));
    if (attributes->alt.size > 0) {
        Span alt;
        TRY(decoded(said, attributes->alt, &alt));
        link.alt = PyUnicode_DecodeUTF8(alt.at, (Py_ssize_t)alt.size, NULL);
        NEED(link.alt != NULL);
    }
    if (!buffer_add(&said->links, &link, sizeof link)) {
        Py_XDECREF(link.alt);
        return FAILED;
    }
    *row = (int32_t)count;
    return GO;
}

/* --- elements ----------------------------------------------------------------------------------------------------- */

static Verdict start_a(Said *said, const Attributes *attributes)
{
    int32_t row;
    if (said->open_count == MAX_DEPTH || said->fresh_count == MAX_DEPTH)
        return GIVE_UP;
    TRY(add_link(said, attributes->href, attributes, 0, &row));
    said->open[said->open_count++] = row;
    if (row >= 0)
        said->fresh[said->fresh_count++] = row;
    return GO;
}

static void end_a(Said *said)
{
    int32_t row = said->open_count > 0 ? said->open[--said->open_count] : -1;
    if (row < 0)
        return;
    Link *link = (Link *)said->links.data + row;
    link->end = said->length;
    link->end_byte = said->text.size;
    if (said->fresh_count > 0 && said->fresh[said->fresh_count - 1] == row) {
        said->fresh_count--;
        link->start = link->end;
        link->start_byte = link->end_byte;
    }
}

static Verdict start_img(Said *said, const Attributes *attributes)
{
    int32_t row = said->open_count > 0 ? said->open[said->open_count - 1] : -1;
    if (row < 0)
        return GO;
    Link *link = (Link *)said->links.data + row;
    link->flags |= IMAGE;
    if (link->alt != NULL && PyUnicode_GET_LENGTH(link->alt) >= FIELD_LIMIT)
        return GO;
    Span alt;
    TRY(decoded(said, attributes->alt, &alt));
    PyObject *text = PyUnicode_DecodeUTF8(alt.at, (Py_ssize_t)alt.size, NULL);
    NEED(text != NULL);
    PyObject *longer = link->alt == NULL ? PyUnicode_FromFormat(" %U", text)
                                         : PyUnicode_FromFormat("%U %U", link->alt, text);
    Py_DECREF(text);
    NEED(longer != NULL);
    Py_XSETREF(link->alt, longer);
    return GO;
}

static Verdict start_meta(Said *said, const Attributes *attributes)
{
    if (said->hidden)
        return GO;
    Span name, http_equiv, content;
    TRY(decoded(said, attributes->name, &name));
    if (!is_ascii(name))
        return GIVE_UP;
    name = trimmed(name);
    PyObject **kept = spells(name.at, name.size, "keywords") ? &said->keywords
                    : spells(name.at, name.size, "description") ? &said->description
                    : spells(name.at, name.size, "robots") ? &said->robots : NULL;
    if (kept == NULL) {
        TRY(decoded(said, attributes->http_equiv, &http_equiv));
        if (!is_ascii(http_equiv))
            return GIVE_UP;
        http_equiv = trimmed(http_equiv);
        return spells(http_equiv.at, http_equiv.size, "refresh") ? GIVE_UP : GO;
    }
    if (*kept != NULL)
        return GO;
    TRY(decoded(said, attributes->content, &content));
    return fold_field(said, content, kept);
}

/* Keep an attribute's value, decoded, as a string; nothing where it is absent or empty. */
static Verdict keep_string(Said *said, Span value, PyObject **kept)
{
    if (value.size == 0)
        return GO;
    Span text;
    TRY(decoded(said, value, &text));
    *kept = PyUnicode_DecodeUTF8(text.at, (Py_ssize_t)text.size, NULL);
    return *kept == NULL ? FAILED : GO;
}

static void hide(Said *said)
{
    said->hidden++;
}

static Verdict start_told(Said *said, Tag tag, const Attributes *attributes)
{
    int32_t row;
    switch (tag) {
    case TAG_a:
        return start_a(said, attributes);
    case TAG_area:
        return add_link(said, attributes->href, attributes, IMAGE, &row);
    case TAG_base:
        return said->base == NULL && !said->hidden ? keep_string(said, attributes->href, &said->base) : GO;
    case TAG_html:
        return keep_string(said, attributes->lang.size > 0 ? attributes->lang : attributes->xml_lang, &said->language);
    case TAG_iframe:
        TRY(add_link(said, attributes->src, attributes, 0, &row));
        hide(said);
        return GO;
    case TAG_img:
        return start_img(said, attributes);
    case TAG_meta:
        return start_meta(said, attributes);
    default:
        return GO;
    }
}

Verdict said_start(Said *said, Tag tag, const Attributes *attributes)
{
    const TagRules *rules = &tag_rules[tag];
    if (rules->rules & BLOCK)
        said->gap = '\n';
    if (rules->group >= 0) {
        if (said->open_groups > MAX_DEPTH)
            return GIVE_UP;
        said->groups[said->open_groups++] = rules->group;
    }
    if (rules->rules & TOLD)
        return start_told(said, tag, attributes);
    if (!(rules->rules & HIDES))
        return GO;
    if (tag == TAG_title && said->title.size == 0 && !said->hidden)
        said->caught = THE_TITLE;
    if (tag == TAG_noscript && !said->hidden)
        said->caught = A_NOSCRIPT;
    if (tag == TAG_script)
        said->has_scripts = true;
    hide(said);
    return GO;
}

void said_end(Said *said, Tag tag)
{
    const TagRules *rules = &tag_rules[tag];
    if (rules->rules & BLOCK)
        said->gap = '\n';
    if (rules->group >= 0)
        said->open_groups--;
    if (rules->rules & HIDES) {
        said->hidden--;
        said->caught = NOTHING;
    }
    if (tag == TAG_a)
        end_a(said);
}

void said_free(Said *said)
{
    Link *links = (Link *)said->links.data;
    for (size_t i = 0; i < said->links.size / sizeof(Link); i++)
        Py_XDECREF(links[i].alt);
    Buffer *buffers[] = {&said->text, &said->segment_starts, &said->segment_groups, &said->links, &said->fields,
                         &said->title, &said->noscript, &said->scratch};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        buffer_free(buffers[i]);
    Py_XDECREF(said->keywords);
    Py_XDECREF(said->description);
    Py_XDECREF(said->robots);
    Py_XDECREF(said->base);
    Py_XDECREF(said->language);
}
