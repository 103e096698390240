/* Rules before the body, in the head, and of templates. Differs as turbohtml does: <head> after the head opens the body. */

#include "scan.h"

/* Whether an end tag opens what is missing before it; other end tags are ignored there. */
static bool opens_body(const Token *token)
{
    return token->tag == TAG_body || token->tag == TAG_html || token->tag == TAG_br;
}

Status initial(Scanner *scanner, const Token *token)
{
    if (token->kind == CHARACTERS && token->blank)
        return OK;
    if (token->kind == COMMENT_TAG)
        return insert_comment(scanner, scanner->root);
    scanner->quirks = true;
    return reprocess(scanner, BEFORE_HTML, token);
}

Status before_html(Scanner *scanner, const Token *token)
{
    if (token->kind == CHARACTERS && token->blank)
        return OK;
    if (token->kind == COMMENT_TAG)
        return insert_comment(scanner, scanner->root);
    if (token->kind == END_TAG && !opens_body(token) && token->tag != TAG_head)
        return OK;
    scanner->mode = BEFORE_HEAD;
    if (is_start(token, TAG_html))
        return insert_element(scanner, token);
    TRY(insert_tag(scanner, TAG_html));
    return process(scanner, token);
}

Status before_head(Scanner *scanner, const Token *token)
{
    if (token->kind == CHARACTERS && token->blank)
        return OK;
    if (token->kind == COMMENT_TAG)
        return insert_comment(scanner, NULL);
    if (is_start(token, TAG_html))
        return in_body(scanner, token);
    if (token->kind == END_TAG && !opens_body(token) && token->tag != TAG_head)
        return OK;
    scanner->mode = IN_HEAD;
    TRY(insert_tag(scanner, TAG_head));
    scanner->head = current(scanner);
    return is_start(token, TAG_head) ? OK : process(scanner, token);
}

static Status start_template(Scanner *scanner, const Token *token)
{
    TRY(insert_element(scanner, token));
    TRY(add_marker(scanner));
    scanner->mode = IN_TEMPLATE;
    scanner->had_template = true;
    if (scanner->template_count == MAX_DEPTH)
        return FALL_BACK;
    scanner->templates[scanner->template_count++] = IN_TEMPLATE;  /* below MAX_DEPTH: checked above */
    return OK;
}

static Status end_template(Scanner *scanner)
{
    if (scanner->template_count == 0)
        return OK;
    while (current_tag(scanner) != TAG_template)
        pop(scanner);
    pop(scanner);
    clear_to_marker(scanner);
    scanner->template_count--;
    reset_mode(scanner);
    return OK;
}

/* The start tag of an element that belongs in the head, wherever it is. */
static Status start_in_head(Scanner *scanner, const Token *token)
{
    if (token->tag == TAG_template)
        return start_template(scanner, token);
    return rules_of(token->tag) & EMPTY ? insert_empty(scanner, token) : raw_element(scanner, token);
}

Status in_head(Scanner *scanner, const Token *token)
{
    if (token->kind == CHARACTERS && token->blank)
        return insert_text(scanner, token->text);
    if (token->kind == COMMENT_TAG)
        return insert_comment(scanner, NULL);
    if (token->kind == START_TAG) {
        if (token->tag == TAG_html)
            return in_body(scanner, token);
        if (rules_of(token->tag) & HEAD)
            return start_in_head(scanner, token);
        if (token->tag == TAG_head)
            return OK;
        if (token->tag == TAG_noscript) {
            scanner->mode = IN_HEAD_NOSCRIPT;
            return insert_element(scanner, token);
        }
    }
    if (is_end(token, TAG_template))
        return end_template(scanner);
    if (token->kind == END_TAG && !opens_body(token) && token->tag != TAG_head)
        return OK;
    pop(scanner);
    scanner->mode = AFTER_HEAD;
    return is_end(token, TAG_head) ? OK : process(scanner, token);
}

Status in_head_noscript(Scanner *scanner, const Token *token)
{
    Tag tag = token->tag;
    bool allowed = rules_of(tag) & HEAD && tag != TAG_script && tag != TAG_title && tag != TAG_base
                && tag != TAG_template;
    if (is_start(token, TAG_html))
        return in_body(scanner, token);
    if (token->kind == COMMENT_TAG || (token->kind == CHARACTERS && token->blank)
        || (token->kind == START_TAG && allowed))
        return in_head(scanner, token);
    if (is_start(token, TAG_head) || is_start(token, TAG_noscript))
        return OK;
    if (token->kind == END_TAG && tag != TAG_br && tag != TAG_noscript)
        return OK;
    pop(scanner);
    scanner->mode = IN_HEAD;
    return is_end(token, TAG_noscript) ? OK : process(scanner, token);
}

Status after_head(Scanner *scanner, const Token *token)
{
    if (token->kind == CHARACTERS && token->blank)
        return insert_text(scanner, token->text);
    if (token->kind == COMMENT_TAG)
        return insert_comment(scanner, NULL);
    if (token->kind == START_TAG) {
        if (token->tag == TAG_html)
            return in_body(scanner, token);
        if (token->tag == TAG_frameset) {
            scanner->mode = IN_FRAMESET;
            return insert_element(scanner, token);
        }
        if (rules_of(token->tag) & HEAD) {
            TRY(push(scanner, scanner->head));
            TRY(in_head(scanner, token));
            take_from_stack(scanner, scanner->head);
            return OK;
        }
    }
    if (is_end(token, TAG_template))
        return in_head(scanner, token);
    if (token->kind == END_TAG && !opens_body(token))
        return OK;
    scanner->mode = IN_BODY;
    if (is_start(token, TAG_body)) {
        scanner->no_frameset = true;
        return insert_element(scanner, token);
    }
    TRY(insert_tag(scanner, TAG_body));
    return process(scanner, token);
}

/* The mode that the first tag in a template decides. */
static Mode mode_for(Tag tag)
{
    switch (tag) {
    case TAG_caption: case TAG_colgroup: case TAG_tbody: case TAG_tfoot: case TAG_thead: return IN_TABLE;
    case TAG_col: return IN_COLUMN_GROUP;
    case TAG_tr: return IN_TABLE_BODY;
    case TAG_td: case TAG_th: return IN_ROW;
    default: return IN_BODY;
    }
}

Status in_template(Scanner *scanner, const Token *token)
{
    if (token->kind == CHARACTERS || token->kind == COMMENT_TAG)
        return in_body(scanner, token);
    if (token->kind == END_TAG)
        return token->tag == TAG_template ? in_head(scanner, token) : OK;
    if (rules_of(token->tag) & HEAD)
        return in_head(scanner, token);
    Mode mode = mode_for(token->tag);
    scanner->templates[scanner->template_count - 1] = mode;  /* this mode holds in a template only */
    return reprocess(scanner, mode, token);
}
