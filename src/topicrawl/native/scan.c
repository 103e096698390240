/* From the source of a page to its elements and texts, in one pass. */

#include "scan.h"

/* What stands at a "<". */
static Verdict markup(Scanner *scanner)
{
    const char *mark = scanner->at, *end = scanner->end;
    char next = mark + 1 < end ? mark[1] : '\0', third = mark + 2 < end ? mark[2] : '\0';
    Token token;
    if (is_letter(next)) {
        scanner->at = mark + 1;
        return read_tag(scanner, &token) ? start_tag(scanner, &token) : GO;
    }
    if (next == '/' && is_letter(third)) {
        scanner->at = mark + 2;
        return read_tag(scanner, &token) ? end_tag(scanner, &token) : GO;
    }
    if (next == '/' && third == '>') {  /* "</>" is nothing at all */
        scanner->at = mark + 3;
        return GO;
    }
    if (scanner->begun && begins(mark, end, "<!doctype"))
        return GIVE_UP;
    if (next == '!' || next == '?' || (next == '/' && mark + 2 < end)) {
        TRY(flush_text(scanner));
        skip_declaration(scanner);
        return GO;
    }
    scanner->at = mark + 1;
    return add_text(scanner, (Span){mark, 1});
}

static Verdict scan_all(Scanner *scanner)
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
    return GO;
}

Verdict scan(Said *said, const char *source, size_t size)
{
    if (size == 0)
        return GO;
    if (memchr(source, '\0', size) != NULL)
        return GIVE_UP;
    Scanner scanner = {.said = said, .at = source, .end = source + size};
    Verdict verdict = scan_all(&scanner);
    buffer_free(&scanner.node);
    return verdict;
}
