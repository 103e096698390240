/* Skips svg elements, which have parsing rules of their own: only strictly nested ones without HTML inside. */

#include "scan.h"

/* Tags that are elements of SVG too; any other tag of HTML would end the svg element. */
static bool allowed_in_svg(const Token *token)
{
    return token->tag == OTHER || token->tag == TAG_svg || token->tag == TAG_a || token->tag == TAG_style
        || token->tag == TAG_image || token->tag == TAG_title;
}

/* Reads the next tag, skipping text and comments; `*ends` is true for an end tag. */
static Status next_tag(Scanner *scanner, Token *token, bool *ends)
{
    for (;;) {
        const char *mark = memchr(scanner->at, '<', (size_t)(scanner->end - scanner->at));
        if (mark == NULL)
            return FALL_BACK;
        scanner->at = mark;
        if (starts_with(mark, scanner->end, "<!--")) {
            skip_declaration(scanner);
            continue;
        }
        *ends = starts_with(mark, scanner->end, "</");
        scanner->at = mark + (*ends ? 2 : 1);
        if (scanner->at == scanner->end || !is_letter(*scanner->at))
            return FALL_BACK;
        return read_tag(scanner, token) ? OK : FALL_BACK;
    }
}

Status skip_svg(Scanner *scanner, Span name)
{
    Span names[MAX_DEPTH] = {name};
    int depth = 1;
    bool captioned = false;  /* directly inside a title or description, which might hold HTML */
    if (scanner->doc->hidden_target != DROPPED)
        return FALL_BACK;
    while (depth > 0) {
        Token token;
        bool ends;
        TRY(next_tag(scanner, &token, &ends));
        if (ends) {
            if (!same_name(token.name, names[--depth]))
                return FALL_BACK;
            captioned = false;
            continue;
        }
        bool caption = token.tag == TAG_title || equals(token.name.at, token.name.size, "desc");
        bool foreign = equals(token.name.at, token.name.size, "foreignobject");
        if (captioned || foreign || !allowed_in_svg(&token) || depth == MAX_DEPTH)
            return FALL_BACK;
        if (token.closes_itself)
            continue;
        names[depth++] = token.name;  /* below MAX_DEPTH: checked above */
        captioned = caption;
    }
    return OK;
}
