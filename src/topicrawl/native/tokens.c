/* Tags, attributes, declarations and raw text: the tokenizer of the HTML standard, as far as common pages need it. */

#include "scan.h"

/* Where the attribute called `name` is stored; NULL when it is not used. */
static Span *slot(Attributes *attributes, Span name)
{
    struct { const char *name; Span *span; } known[] = {
        {"href", &attributes->href}, {"src", &attributes->src}, {"rel", &attributes->rel},
        {"title", &attributes->title}, {"alt", &attributes->alt}, {"name", &attributes->name},
        {"content", &attributes->content}, {"http-equiv", &attributes->http_equiv},
        {"lang", &attributes->lang}, {"xml:lang", &attributes->xml_lang},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (equals(name.at, name.size, known[i].name))
            return known[i].span;
    return NULL;
}

/* The value of an attribute; `*from` is after the "=" and moves to the end of the value. */
static Span read_value(const char **from, const char *end)
{
    const char *at = *from;
    while (at < end && is_space(*at))
        at++;
    Span value = {at, 0};
    if (at < end && (*at == '"' || *at == '\'')) {
        value.at = at + 1;
        const char *quote = memchr(value.at, *at, (size_t)(end - value.at));
        value.size = (size_t)((quote ? quote : end) - value.at);
        *from = quote ? quote + 1 : end;
        return value;
    }
    while (at < end && !is_space(*at) && *at != '>')
        at++;
    value.size = (size_t)(at - value.at);
    *from = at;
    return value;
}

bool next_attribute(const char **from, const char *end, Span *name, Span *value)
{
    const char *at = *from;
    while (at < end && (is_space(*at) || *at == '/'))
        at++;
    *from = at;
    if (at == end || *at == '>')
        return false;
    *name = (Span){at, 0};
    at++;  /* even a "=" belongs to the name when it comes first */
    while (at < end && !is_space(*at) && *at != '/' && *at != '>' && *at != '=')
        at++;
    name->size = (size_t)(at - name->at);
    *value = (Span){at, 0};  /* without a value it is present but empty */
    while (at < end && is_space(*at))
        at++;
    *from = at;
    if (at < end && *at == '=') {
        ++*from;
        *value = read_value(from, end);
    }
    return true;
}

Attributes read_attributes(const Piece *pieces)
{
    Attributes attributes = {0};
    for (; pieces != NULL; pieces = pieces->next) {
        const char *at = pieces->span.at, *end = at + pieces->span.size;
        Span name, value;
        while (next_attribute(&at, end, &name, &value)) {
            Span *kept = slot(&attributes, name);
            if (kept != NULL && kept->at == NULL)  /* a second one of the name does not count */
                *kept = value;
        }
    }
    return attributes;
}

bool has_attribute(Span written, const char *name, Span *value)
{
    const char *at = written.at, *end = at + written.size;
    Span found;
    while (next_attribute(&at, end, &found, value))
        if (equals(found.at, found.size, name))
            return true;
    return false;
}

Status is_hidden(Scanner *scanner, const Token *token, bool counts, bool *hidden)
{
    Span written, type;
    *hidden = false;
    if (!has_attribute(token->attributes, "type", &written) || written.size == 0)
        return OK;
    TRY(decoded(scanner->doc, written, &type));
    *hidden = equals(type.at, type.size, "hidden");
    bool quoted = written.at[-1] == '"' || written.at[-1] == '\'';  /* "=" at least is before a value */
    return *hidden && quoted && counts && scanner->doc->wide ? FALL_BACK : OK;
}

bool read_tag(Scanner *scanner, Token *token)
{
    const char *at = scanner->at, *end = scanner->end;
    Span name, value;
    while (at < end && !is_space(*at) && *at != '/' && *at != '>')
        at++;
    *token = (Token){.name = {scanner->at, (size_t)(at - scanner->at)}};
    token->tag = tag_named(token->name.at, token->name.size);
    const char *attributes = at, *last = at;
    while (next_attribute(&at, end, &name, &value))
        last = at;
    scanner->at = at < end ? at + 1 : end;
    if (at == end)
        return false;
    token->closes_itself = at > last && at[-1] == '/';
    token->attributes = (Span){attributes, (size_t)(last - attributes)};
    return true;
}

static const char *find(const char *at, const char *end, const char *word)
{
    size_t size = strlen(word);
    while (at < end && (at = memchr(at, word[0], (size_t)(end - at))) != NULL) {
        if ((size_t)(end - at) >= size && memcmp(at, word, size) == 0)
            return at;
        at++;
    }
    return NULL;
}

/* The end of the comment whose "<!--" ends at `at`. */
static const char *after_comment(const char *at, const char *end)
{
    if (starts_with(at, end, ">"))
        return at + 1;
    if (starts_with(at, end, "->"))
        return at + 2;
    for (const char *dashes = at; (dashes = find(dashes, end, "--")) != NULL; dashes++) {
        if (starts_with(dashes, end, "-->"))
            return dashes + 3;
        if (starts_with(dashes, end, "--!>"))
            return dashes + 4;
    }
    return end;
}

void skip_declaration(Scanner *scanner)
{
    const char *at = scanner->at, *end = scanner->end;
    if (starts_with(at, end, "<!--")) {
        scanner->at = after_comment(at + 4, end);
        return;
    }
    const char *close = memchr(at, '>', (size_t)(end - at));
    scanner->at = close ? close + 1 : end;
}

/* Whether `at` is at "<" or "</", as `opening` says, the name of a tag, and a character that ends the name. */
static bool is_tag(const char *at, const char *end, const char *opening, Tag tag)
{
    size_t before = strlen(opening), size = before + tag_rules[tag].size;
    if ((size_t)(end - at) <= size || !starts_with(at, end, opening)
        || !starts_with(at + before, end, tag_rules[tag].name))
        return false;
    return is_space(at[size]) || at[size] == '/' || at[size] == '>';
}

/* The end tag of a script: not the one of a script that is written inside a comment in it. */
static const char *end_of_script(const char *at, const char *end)
{
    enum { CODE, IN_COMMENT, IN_SCRIPT_IN_COMMENT } state = CODE;
    for (; at < end; at++) {
        if (*at == '-' && state != CODE && starts_with(at, end, "-->"))
            state = CODE;
        if (*at != '<')
            continue;
        if (state == CODE && starts_with(at, end, "<!--")) {
            state = IN_COMMENT;
            at++;  /* its dashes may be those of its end: "<!-->" */
        } else if (state == IN_COMMENT && is_tag(at, end, "<", TAG_script)) {
            state = IN_SCRIPT_IN_COMMENT;
        } else if (is_tag(at, end, "</", TAG_script)) {
            if (state != IN_SCRIPT_IN_COMMENT)
                return at;
            state = IN_COMMENT;
        }
    }
    return end;
}

static const char *end_of_raw(const char *at, const char *end, Tag tag)
{
    while (at < end && (at = memchr(at, '<', (size_t)(end - at))) != NULL) {
        if (is_tag(at, end, "</", tag))
            return at;
        at++;
    }
    return end;
}

Span read_raw(Scanner *scanner, Tag tag)
{
    const char *at = scanner->at, *end = scanner->end;
    const char *close = tag == TAG_script ? end_of_script(at, end) : end_of_raw(at, end, tag);
    Token token;
    scanner->at = close;
    if (close < end) {
        scanner->at += 2;
        read_tag(scanner, &token);
    }
    return (Span){at, (size_t)(close - at)};
}
