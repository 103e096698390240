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

/* The value of an attribute; the scanner is after the "=". */
static Span read_value(Scanner *scanner)
{
    const char *at = scanner->at, *end = scanner->end;
    while (at < end && is_space(*at))
        at++;
    Span value = {at, 0};
    if (at < end && (*at == '"' || *at == '\'')) {
        value.at = at + 1;
        const char *quote = memchr(value.at, *at, (size_t)(end - value.at));
        value.size = (size_t)((quote ? quote : end) - value.at);
        scanner->at = quote ? quote + 1 : end;
        return value;
    }
    while (at < end && !is_space(*at) && *at != '>')
        at++;
    value.size = (size_t)(at - value.at);
    scanner->at = at;
    return value;
}

/* Reads one attribute; the scanner is at its first character. */
static void read_attribute(Scanner *scanner, Attributes *attributes)
{
    const char *at = scanner->at, *end = scanner->end;
    Span name = {at, 0}, value = {NULL, 0};
    at++;  /* even a "=" belongs to the name when it comes first */
    while (at < end && !is_space(*at) && *at != '/' && *at != '>' && *at != '=')
        at++;
    name.size = (size_t)(at - name.at);
    while (at < end && is_space(*at))
        at++;
    scanner->at = at;
    if (at < end && *at == '=') {
        scanner->at++;
        value = read_value(scanner);
    }
    Span *kept = attributes == NULL ? NULL : slot(attributes, name);
    if (kept == NULL || kept->at != NULL)
        return;
    /* Without a value it is present but empty, and a second one of the name does not count. */
    *kept = value.at != NULL ? value : (Span){name.at, 0};
}

bool read_tag(Scanner *scanner, Token *token)
{
    const char *at = scanner->at, *end = scanner->end;
    while (at < end && !is_space(*at) && *at != '/' && *at != '>')
        at++;
    *token = (Token){.name = {scanner->at, (size_t)(at - scanner->at)}};
    token->tag = tag_named(token->name.at, token->name.size);
    Attributes *attributes = rules_of(token->tag) & ATTRIBUTES ? &token->attributes : NULL;
    scanner->at = at;
    while (scanner->at < end) {
        char c = *scanner->at;
        if (c == '>') {
            scanner->at++;
            return true;
        }
        token->closes_itself = c == '/' && scanner->at + 1 < end && scanner->at[1] == '>';
        if (is_space(c) || c == '/')
            scanner->at++;
        else
            read_attribute(scanner, attributes);
    }
    return false;
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
    if (starts_with(at, end, "<!doctype") && scanner->quirks == QUIRKS)
        scanner->quirks = starts_with(at, end, "<!doctype html>") ? NO_QUIRKS : UNSURE;
    scanner->at = close ? close + 1 : end;
}

Status read_raw(Scanner *scanner, Tag tag, Span *text)
{
    const char *at = scanner->at, *end = scanner->end, *comment = NULL;
    *text = (Span){at, (size_t)(end - at)};
    for (; (at = at < end ? memchr(at, '<', (size_t)(end - at)) : NULL) != NULL; at++) {
        const char *name = at + 2, *after = name + tag_rules[tag].size;
        bool ends = end - at > 2 + tag_rules[tag].size && at[1] == '/' && starts_with(name, end, tag_rules[tag].name);
        if (ends && (is_space(*after) || *after == '/' || *after == '>')) {
            Token token;
            text->size = (size_t)(at - text->at);
            scanner->at = name;
            read_tag(scanner, &token);
            return OK;
        }
        if (tag == TAG_script && starts_with(at, end, "<!--"))
            comment = at;
        if (comment != NULL && starts_with(at, end, "<script"))
            return FALL_BACK;  /* a script in a comment in a script: its end is not this script's end */
    }
    scanner->at = end;
    return OK;
}
