/* Keeps what a page says, event by event: the same rules as page/collect.py, in the same order. */

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

/* Whether there is nothing in `text` but ASCII, without control characters. */
static bool is_ascii(Span text)
{
    return !(sorts(text) & (CONTROL | WIDE));
}

static Span trimmed(Span text)
{
    while (text.size > 0 && is_space(text.at[0]))
        text.at++, text.size--;
    while (text.size > 0 && is_space(text.at[text.size - 1]))
        text.size--;
    return text;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

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

/* `text` on one line, at most FIELD_LIMIT characters of it; a new reference in `*folded`. */
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

/* --- attributes --------------------------------------------------------------------------------------------------- */

/* The value of an attribute, decoded: a part of the source or of `said->scratch`, until the next call. */
static Verdict decoded(Said *said, Span value, Span *out)
{
    *out = value;
    if (value.size == 0)
        return GO;
    if (memchr(value.at, '&', value.size) == NULL && memchr(value.at, '\r', value.size) == NULL)
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
