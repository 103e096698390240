/* Drawings (svg) follow rules of their own. Strictly nested ones, without HTML inside, are passed over. */

#include "scan.h"

/* Elements of HTML that a drawing may hold too; any other would end it. */
static bool may_be_drawn(const Token *token)
{
    return token->tag == OTHER || token->tag == TAG_svg || token->tag == TAG_a || token->tag == TAG_style
        || token->tag == TAG_image || token->tag == TAG_title;
}

/* Reads the next tag, past text and comments; `*ends` says whether it is an end tag. */
static Verdict next_tag(Scanner *scanner, Token *token, bool *ends)
{
    for (;;) {
        const char *mark = memchr(scanner->at, '<', (size_t)(scanner->end - scanner->at));
        if (mark == NULL)
            return GIVE_UP;
        scanner->at = mark;
        if (begins(mark, scanner->end, "<!--")) {
            skip_declaration(scanner);
            continue;
        }
        *ends = begins(mark, scanner->end, "</");
        scanner->at = mark + (*ends ? 2 : 1);
        if (scanner->at == scanner->end || !is_letter(*scanner->at))
            return GIVE_UP;
        return read_tag(scanner, token) ? GO : GIVE_UP;
    }
}

Verdict skip_drawing(Scanner *scanner, Span name)
{
    Span names[MAX_DEPTH] = {name};
    int depth = 1;
    bool captioned = false;  /* directly inside a title or description, which might hold HTML */
    if (scanner->said->caught != NOTHING)
        return GIVE_UP;
    while (depth > 0) {
        Token token;
        bool ends;
        TRY(next_tag(scanner, &token, &ends));
        if (ends) {
            if (!same_name(token.name, names[--depth]))
                return GIVE_UP;
            captioned = false;
            continue;
        }
        bool caption = token.tag == TAG_title || spells(token.name.at, token.name.size, "desc");
        bool foreign = spells(token.name.at, token.name.size, "foreignobject");
        if (captioned || foreign || !may_be_drawn(&token) || depth == MAX_DEPTH)
            return GIVE_UP;
        if (token.closes_itself)
            continue;
        names[depth++] = token.name;  /* there is room: checked above */
        captioned = caption;
    }
    return GO;
}
