/* Rules of framesets, and after the body. Differs: more attributes of html inside a frameset are ignored, and blanks
after the end of such a page reopen no formatting, as turbohtml does. */

#include "scan.h"

Status after_body(Scanner *scanner, const Token *token)
{
    if (token->kind == CHARACTERS && token->blank)
        return in_body(scanner, token);
    if (token->kind == COMMENT_TAG)
        return insert_comment(scanner, scanner->open[0]);
    if (is_start(token, TAG_html))
        return in_body(scanner, token);
    if (is_end(token, TAG_html)) {
        scanner->mode = AFTER_AFTER_BODY;
        return OK;
    }
    return reprocess(scanner, IN_BODY, token);
}

Status after_after_body(Scanner *scanner, const Token *token)
{
    if (token->kind == COMMENT_TAG)
        return insert_comment(scanner, scanner->root);
    if ((token->kind == CHARACTERS && token->blank) || is_start(token, TAG_html))
        return in_body(scanner, token);
    return reprocess(scanner, IN_BODY, token);
}

Status in_frameset(Scanner *scanner, const Token *token)
{
    if (token->kind == CHARACTERS)
        return token->blank ? insert_text(scanner, token->text) : OK;
    if (token->kind == COMMENT_TAG)
        return insert_comment(scanner, NULL);
    if (is_start(token, TAG_frameset))
        return insert_element(scanner, token);
    if (is_start(token, TAG_frame))
        return insert_empty(scanner, token);
    if (is_start(token, TAG_noframes))
        return in_head(scanner, token);
    if (is_end(token, TAG_frameset) && scanner->depth > 1) {
        pop(scanner);
        if (current_tag(scanner) != TAG_frameset)
            scanner->mode = AFTER_FRAMESET;
    }
    return OK;
}

Status after_frameset(Scanner *scanner, const Token *token)
{
    if (token->kind == CHARACTERS)
        return token->blank ? insert_text(scanner, token->text) : OK;
    if (token->kind == COMMENT_TAG)
        return insert_comment(scanner, NULL);
    if (is_start(token, TAG_noframes))
        return in_head(scanner, token);
    if (is_end(token, TAG_html))
        scanner->mode = AFTER_AFTER_FRAMESET;
    return OK;
}

Status after_after_frameset(Scanner *scanner, const Token *token)
{
    if (token->kind == COMMENT_TAG)
        return insert_comment(scanner, scanner->root);
    if (token->kind == CHARACTERS)
        return token->blank ? insert_text(scanner, token->text) : OK;
    if (is_start(token, TAG_html))
        return in_body(scanner, token);
    return is_start(token, TAG_noframes) ? in_head(scanner, token) : OK;
}
