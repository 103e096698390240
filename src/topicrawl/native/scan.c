/* From the source of a page to its elements and texts, in one pass. */

#include "scan.h"

/* Read the markup that begins at a "<". */
static Status markup(Scanner *scanner)
{
    const char *mark = scanner->at, *end = scanner->end;
    char next = mark + 1 < end ? mark[1] : '\0', third = mark + 2 < end ? mark[2] : '\0';
    Token token;
    if (is_letter(next)) {
        scanner->at = mark + 1;
        return read_tag(scanner, &token) ? start_tag(scanner, &token) : OK;
    }
    if (next == '/' && is_letter(third)) {
        scanner->at = mark + 2;
        return read_tag(scanner, &token) ? end_tag(scanner, &token) : OK;
    }
    if (next == '/' && third == '>') {  /* "</>" is ignored */
        scanner->at = mark + 3;
        return OK;
    }
    if (scanner->begun && starts_with(mark, end, "<!doctype"))
        return FALL_BACK;
    if (next == '!' || next == '?' || (next == '/' && mark + 2 < end)) {
        TRY(flush_text(scanner));
        skip_declaration(scanner);
        return OK;
    }
    scanner->at = mark + 1;
    return add_text(scanner, (Span){mark, 1});
}

static Status scan_all(Scanner *scanner)
{
    while (scanner->at < scanner->end) {
        const char *mark = memchr(scanner->at, '<', (size_t)(scanner->end - scanner->at));
        Span text = {scanner->at, (size_t)((mark ? mark : scanner->end) - scanner->at)};
        TRY(add_text(scanner, text));
        scanner->at += text.size;
        if (mark != NULL)
            TRY(markup(scanner));
    }
    TRY(flush_text(scanner));
    close_all(scanner);
    return OK;
}

Status scan(Document *doc, const char *source, size_t size)
{
    if (size == 0)
        return OK;
    if (memchr(source, '\0', size) != NULL)
        return FALL_BACK;
    Scanner scanner = {.doc = doc, .at = source, .end = source + size};
    Status status = scan_all(&scanner);
    buffer_free(&scanner.node);
    return status;
}
