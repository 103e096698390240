/* End tags in the body. */

#include "scan.h"

/* An end tag without a special rule closes the innermost element of its name; the search stops at SPECIAL elements. */
Status end_any(Scanner *scanner, const Token *token)
{
    for (int depth = scanner->depth - 1; depth >= 0; depth--) {
        const Node *node = scanner->open[depth];
        if (is_named(node, token)) {
            pop_to(scanner, depth);
            return OK;
        }
        if (rules_of(html_tag(node)) & SPECIAL || node->wall)
            return OK;
    }
    return OK;
}

/* Close the innermost `tag` in scope and all inside it; without one the end tag is ignored. */
static Status end_enclosing(Scanner *scanner, Tag tag, Scope scope)
{
    int depth = in_scope(scanner, tag, scope);
    if (depth >= 0)
        pop_to(scanner, depth);
    return OK;
}

static Status end_heading(Scanner *scanner)
{
    for (int depth = scanner->depth - 1; depth >= 0 && is_in_scope(scanner, depth); depth--) {
        if (rules_of(html_tag(scanner->open[depth])) & HEADING) {
            pop_to(scanner, depth);
            return OK;
        }
    }
    return OK;
}

/* A form is closed alone: what is open inside it stays open. */
static Status end_form(Scanner *scanner)
{
    if (scanner->template_count > 0)
        return end_enclosing(scanner, TAG_form, ANY_SCOPE);
    Node *form = scanner->form;
    scanner->form = NULL;
    if (form == NULL || !form->open)
        return OK;
    int depth = scanner->depth - 1;
    while (scanner->open[depth] != form)  /* it is open */
        depth--;
    if (!is_in_scope(scanner, depth))
        return OK;
    close_implied(scanner, OTHER);
    take_from_stack(scanner, form);
    return OK;
}

/* </p> without a paragraph makes an empty one. */
static Status end_p(Scanner *scanner)
{
    if (in_scope(scanner, TAG_p, BUTTON_SCOPE) < 0)
        TRY(insert_tag(scanner, TAG_p));
    close_p(scanner);
    return OK;
}

static Status end_body(Scanner *scanner, const Token *token)
{
    if (in_scope(scanner, TAG_body, ANY_SCOPE) < 0)
        return OK;
    scanner->mode = AFTER_BODY;
    return token->tag == TAG_html ? process(scanner, token) : OK;
}

Status end_in_body(Scanner *scanner, const Token *token)
{
    Tag tag = token->tag;
    uint32_t rules = rules_of(tag);
    if (rules & FORMATTING)
        return adopt(scanner, token);
    if (rules & ENCLOSES || rules & OBJECT) {
        int depth = in_scope(scanner, tag, ANY_SCOPE);
        if (depth >= 0 && rules & OBJECT)
            clear_to_marker(scanner);
        return end_enclosing(scanner, tag, ANY_SCOPE);
    }
    if (rules & HEADING)
        return end_heading(scanner);
    switch (tag) {
    case TAG_template:
        return in_head(scanner, token);
    case TAG_body: case TAG_html:
        return end_body(scanner, token);
    case TAG_p:
        return end_p(scanner);
    case TAG_li:
        return end_enclosing(scanner, tag, LIST_SCOPE);
    case TAG_dd: case TAG_dt:
        return end_enclosing(scanner, tag, ANY_SCOPE);
    case TAG_form:
        return end_form(scanner);
    case TAG_br: {  /* browsers take it for <br> */
        Token line = {.kind = START_TAG, .tag = TAG_br, .name = token->name};
        return in_body(scanner, &line);
    }
    default:
        return end_any(scanner, token);
    }
}
