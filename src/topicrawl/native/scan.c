/* From the source of a page to tokens, and from each token to the rules of the mode that holds. */

#include "scan.h"

static Status (*const rules_in[])(Scanner *, const Token *) = {
    [INITIAL] = initial, [BEFORE_HTML] = before_html, [BEFORE_HEAD] = before_head, [IN_HEAD] = in_head,
    [IN_HEAD_NOSCRIPT] = in_head_noscript, [AFTER_HEAD] = after_head, [IN_BODY] = in_body, [IN_TABLE] = in_table,
    [IN_CAPTION] = in_caption, [IN_COLUMN_GROUP] = in_column_group, [IN_TABLE_BODY] = in_table_body,
    [IN_ROW] = in_row, [IN_CELL] = in_cell, [IN_TEMPLATE] = in_template, [AFTER_BODY] = after_body,
    [IN_FRAMESET] = in_frameset, [AFTER_FRAMESET] = after_frameset, [AFTER_AFTER_BODY] = after_after_body,
    [AFTER_AFTER_FRAMESET] = after_after_frameset,
};

Status process_in(Scanner *scanner, Mode mode, const Token *token)
{
    return rules_in[mode](scanner, token);
}

Status process(Scanner *scanner, const Token *token)
{
    return is_foreign(scanner, token) ? in_foreign(scanner, token) : rules_in[scanner->mode](scanner, token);
}

Status reprocess(Scanner *scanner, Mode mode, const Token *token)
{
    scanner->mode = mode;
    return process(scanner, token);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

/* Whether rules for text look at each character for itself: white space and other text part. */
static bool splits_text(const Scanner *scanner)
{
    return scanner->mode < IN_BODY || scanner->mode == IN_COLUMN_GROUP || scanner->mode > IN_TEMPLATE;
}

/* The part of `text` at its beginning that is only white space, or only other characters. */
static Span first_run(Span text)
{
    size_t size = 1;
    while (size < text.size && is_space(text.at[size]) == is_space(text.at[0]))
        size++;
    return (Span){text.at, size};
}

static bool is_blank(Span text)
{
    for (size_t i = 0; i < text.size; i++)
        if (!is_space(text.at[i]))
            return false;
    return true;
}

/* `text` without a line break at its beginning; in text that is `decoded`, CR is none. */
static Span without_newline(Span text, bool decoded)
{
    size_t cr = text.at[0] == '\r' && !decoded, lf = text.size > cr && text.at[cr] == '\n', skipped = cr + lf;
    return (Span){text.at + skipped, text.size - skipped};
}

static Status add_text(Scanner *scanner, Span text, bool decoded)
{
    if (text.size == 0)
        return OK;
    if (scanner->skip_newline) {
        scanner->skip_newline = false;
        text = without_newline(text, decoded);
    }
    do {  /* even a line break that is no text reopens formatting */
        Span run = text.size > 0 && splits_text(scanner) ? first_run(text) : text;
        Token token = {.kind = CHARACTERS, .text = run, .blank = is_blank(run)};
        TRY(process(scanner, &token));
        text = (Span){text.at + run.size, text.size - run.size};
    } while (text.size > 0);
    return OK;
}

/* `*text` becomes the same text with references decoded, in memory that lasts as long as the tree. */
static Status decode(Scanner *scanner, Span *text)
{
    scanner->decoded.size = 0;
    TRY(add_decoded(&scanner->decoded, *text, false, scanner->doc->tools.entities));
    char *kept = arena_take(&scanner->arena, scanner->decoded.size);
    NEED(kept != NULL);
    memcpy(kept, scanner->decoded.data, scanner->decoded.size);  /* taken with this size */
    *text = (Span){kept, scanner->decoded.size};
    return OK;
}

Status raw_element(Scanner *scanner, const Token *token)
{
    TRY(insert_element(scanner, token));
    Span text = read_raw(scanner, token->tag);
    bool decodes = rules_of(token->tag) & DECODED && !is_literal(text);
    if (decodes)
        TRY(decode(scanner, &text));
    if (token->tag == TAG_textarea && text.size > 0)
        text = without_newline(text, decodes);
    if (text.size > 0)
        TRY(insert_text(scanner, text));
    pop(scanner);
    return OK;
}

Status plain_text(Scanner *scanner)
{
    Span text = {scanner->at, (size_t)(scanner->end - scanner->at)};
    scanner->at = scanner->end;
    return add_text(scanner, text, false);
}

/* --- markup ------------------------------------------------------------------------------------------------------- */

static Status tag(Scanner *scanner, const char *name, TokenKind kind)
{
    Token token;
    scanner->at = name;
    if (!read_tag(scanner, &token))
        return OK;
    token.kind = kind;
    if (token.tag == TAG_selectedcontent)
        return FALL_BACK;  /* a copy of an option that is chosen later */
    return process(scanner, &token);
}

static Status doctype(Scanner *scanner, const char *mark)
{
    const char *text = mark + strlen("<!doctype");
    const char *close = memchr(text, '>', (size_t)(scanner->end - text));
    scanner->at = close != NULL ? close + 1 : scanner->end;
    if (scanner->mode != INITIAL)
        return OK;
    scanner->quirks = close == NULL || means_quirks((Span){text, (size_t)(close - text)});
    scanner->mode = BEFORE_HTML;
    return OK;
}

static Status cdata(Scanner *scanner, const char *text)
{
    const char *end = scanner->end, *close = text;
    while (close < end && !starts_with(close, end, "]]>"))
        close++;
    scanner->at = close < end ? close + 3 : end;
    return add_text(scanner, (Span){text, (size_t)(close - text)}, false);
}

static Status declaration(Scanner *scanner, const char *mark)
{
    static const Token comment = {.kind = COMMENT_TAG};
    if (starts_with(mark, scanner->end, "<!doctype"))
        return doctype(scanner, mark);
    skip_declaration(scanner);
    return process(scanner, &comment);
}

/* Read the markup that begins at a "<". */
static Status markup(Scanner *scanner)
{
    const char *mark = scanner->at, *end = scanner->end;
    char next = mark + 1 < end ? mark[1] : '\0', third = mark + 2 < end ? mark[2] : '\0';
    bool ends = next == '/' && is_letter(third), ignored = next == '/' && third == '>';
    bool declares = next == '!' || next == '?' || (next == '/' && mark + 2 < end);
    if (!is_letter(next) && !declares) {
        scanner->at = mark + 1;
        return add_text(scanner, (Span){mark, 1}, false);
    }
    if (ignored) {  /* "</>" */
        scanner->at = mark + 3;
        return OK;
    }
    if (current(scanner)->space != HTML && end - mark >= 9 && memcmp(mark, "<![CDATA[", 9) == 0)
        return cdata(scanner, mark + 9);
    TRY(flush_pending(scanner));
    scanner->skip_newline = false;
    if (is_letter(next))
        return tag(scanner, mark + 1, START_TAG);
    return ends ? tag(scanner, mark + 2, END_TAG) : declaration(scanner, mark);
}

static Status scan_all(Scanner *scanner)
{
    while (scanner->at < scanner->end) {
        const char *mark = memchr(scanner->at, '<', (size_t)(scanner->end - scanner->at));
        Span text = {scanner->at, (size_t)((mark ? mark : scanner->end) - scanner->at)};
        scanner->at += text.size;
        bool decodes = text.size > 0 && memchr(text.at, '&', text.size) != NULL;
        if (decodes)
            TRY(decode(scanner, &text));
        TRY(add_text(scanner, text, decodes));
        if (mark != NULL)
            TRY(markup(scanner));
    }
    return flush_pending(scanner);
}

Status scan(Document *doc, const char *source, size_t size)
{
    if (size == 0)
        return OK;
    if (memchr(source, '\0', size) != NULL)
        return FALL_BACK;
    Scanner scanner = {.doc = doc, .at = source, .end = source + size, .most_elements = size + 16};
    scanner.root = new_node(&scanner.arena, ELEMENT);
    Status status = scanner.root == NULL ? FAILED : scan_all(&scanner);
    if (status == OK)
        status = walk(doc, scanner.root);
    buffer_free(&scanner.decoded);
    arena_free(&scanner.arena);
    return status;
}
