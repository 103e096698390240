/* Text and start tags in the body. Differs as turbohtml does: param, source and track reopen formatting, isindex is a
SPECIAL element, a template (head.c) leaves room for a frameset, and a line break after <pre> (scan.c) reopens formatting. */

#include "scan.h"

/* More attributes of html: the first of a name counts. */
static Status start_html(Scanner *scanner, const Token *token)
{
    if (scanner->template_count > 0 || token->attributes.size == 0)
        return OK;
    return add_piece(&scanner->arena, scanner->open[0], token->attributes);
}

/* A frameset takes the place of a body that has no content yet. */
static Status start_frameset(Scanner *scanner, const Token *token)
{
    if (scanner->had_template)
        return FALL_BACK;  /* turbohtml does not always agree on what in a template is content */
    if (scanner->depth < 2 || html_tag(scanner->open[1]) != TAG_body || scanner->no_frameset)
        return OK;
    remove_node(scanner->open[1]);
    pop_to(scanner, 1);
    scanner->mode = IN_FRAMESET;
    return insert_element(scanner, token);
}

/* The start tag of an item closes the item before it, unless a SPECIAL element (a list) is open inside that. */
static void close_item(Scanner *scanner, Tag tag, Tag twin)
{
    for (int depth = scanner->depth - 1; depth >= 0; depth--) {
        Tag found = html_tag(scanner->open[depth]);
        if (found == tag || found == twin) {
            pop_to(scanner, depth);
            return;
        }
        bool passed = found == TAG_address || found == TAG_div || found == TAG_p;
        if ((rules_of(found) & SPECIAL || scanner->open[depth]->wall) && !passed)
            return;
    }
}

static Status start_formatting(Scanner *scanner, const Token *token)
{
    Token end = {.kind = END_TAG, .tag = token->tag, .name = token->name};
    Node *before = token->tag == TAG_a ? listed_after_marker(scanner, TAG_a) : NULL;
    if (before != NULL) {  /* links do not hold links */
        TRY(adopt(scanner, &end));
        unlist(scanner, before);
        take_from_stack(scanner, before);
    }
    TRY(reconstruct(scanner));
    if (token->tag == TAG_nobr && in_scope(scanner, TAG_nobr, ANY_SCOPE) >= 0) {
        TRY(adopt(scanner, &end));
        TRY(reconstruct(scanner));
    }
    TRY(insert_element(scanner, token));
    return list_formatting(scanner, current(scanner));
}

/* Close what is open in a select, so that an option, a group or a line can follow. */
static void close_in_select(Scanner *scanner, Tag tag)
{
    if (in_scope(scanner, TAG_select, ANY_SCOPE) >= 0)
        close_implied(scanner, tag == TAG_option ? TAG_optgroup : OTHER);
    else if (tag != TAG_hr && current_tag(scanner) == TAG_option)
        pop(scanner);
}

static Status start_select(Scanner *scanner, const Token *token)
{
    int depth = in_scope(scanner, TAG_select, ANY_SCOPE);
    if (depth >= 0) {
        pop_to(scanner, depth);
        return OK;
    }
    TRY(reconstruct(scanner));
    scanner->no_frameset = true;
    return insert_element(scanner, token);
}

static Status start_input(Scanner *scanner, const Token *token)
{
    int depth = in_scope(scanner, TAG_select, ANY_SCOPE);
    bool hidden;
    if (depth >= 0)
        pop_to(scanner, depth);
    TRY(reconstruct(scanner));
    TRY(is_hidden(scanner, token, !scanner->no_frameset, &hidden));
    scanner->no_frameset = scanner->no_frameset || !hidden;
    return insert_empty(scanner, token);
}

static Status start_empty(Scanner *scanner, const Token *token)
{
    Tag tag = token->tag;
    if (tag == TAG_input)
        return start_input(scanner, token);
    if (tag == TAG_hr)
        close_in_select(scanner, tag);
    else
        TRY(reconstruct(scanner));
    if (tag != TAG_param && tag != TAG_source && tag != TAG_track)
        scanner->no_frameset = true;
    return insert_empty(scanner, token);
}

static Status start_form(Scanner *scanner, const Token *token)
{
    if (scanner->form != NULL && scanner->template_count == 0)
        return OK;
    close_p(scanner);
    TRY(insert_element(scanner, token));
    if (scanner->template_count == 0)
        scanner->form = current(scanner);
    return OK;
}

static Status start_table(Scanner *scanner, const Token *token)
{
    if (!scanner->quirks)
        close_p(scanner);
    scanner->no_frameset = true;
    scanner->mode = IN_TABLE;
    return insert_element(scanner, token);
}

static Status start_raw(Scanner *scanner, const Token *token)
{
    if (token->tag == TAG_xmp)
        TRY(reconstruct(scanner));
    if (token->tag != TAG_noembed)
        scanner->no_frameset = true;
    return raw_element(scanner, token);
}

/* Elements that close a paragraph, and hold others. */
static Status start_block(Scanner *scanner, const Token *token)
{
    Tag tag = token->tag;
    if (rules_of(tag) & HEADING && rules_of(current_tag(scanner)) & HEADING)
        pop(scanner);
    if (tag == TAG_li || tag == TAG_dd || tag == TAG_dt || tag == TAG_pre || tag == TAG_listing)
        scanner->no_frameset = true;
    scanner->skip_newline = tag == TAG_pre || tag == TAG_listing;
    TRY(insert_element(scanner, token));
    return tag == TAG_plaintext ? plain_text(scanner) : OK;
}

static Status start_inline(Scanner *scanner, const Token *token)
{
    Tag tag = token->tag;
    int depth;
    switch (tag) {
    case TAG_button:
        if ((depth = in_scope(scanner, TAG_button, ANY_SCOPE)) >= 0)
            pop_to(scanner, depth);
        scanner->no_frameset = true;
        break;
    case TAG_option: case TAG_optgroup:
        close_in_select(scanner, tag);
        break;
    case TAG_rb: case TAG_rtc: case TAG_rp: case TAG_rt:
        if (in_scope(scanner, TAG_ruby, ANY_SCOPE) >= 0)
            close_implied(scanner, tag == TAG_rp || tag == TAG_rt ? TAG_rtc : OTHER);
        return insert_element(scanner, token);
    case TAG_svg: case TAG_math:
        TRY(reconstruct(scanner));
        return insert_foreign(scanner, token, tag == TAG_svg ? SVG : MATH);
    default:
        break;
    }
    TRY(reconstruct(scanner));
    TRY(insert_element(scanner, token));
    if (!(rules_of(tag) & OBJECT))
        return OK;
    scanner->no_frameset = true;
    return add_marker(scanner);
}

static Status start_in_body(Scanner *scanner, const Token *token)
{
    Tag tag = token->tag;
    uint32_t rules = rules_of(tag);
    if (tag == TAG_html)
        return start_html(scanner, token);
    if (rules & HEAD)
        return in_head(scanner, token);
    if (tag == TAG_body) {
        if (scanner->depth > 1 && html_tag(scanner->open[1]) == TAG_body && scanner->template_count == 0)
            scanner->no_frameset = true;
        return OK;
    }
    if (tag == TAG_frameset)
        return start_frameset(scanner, token);
    if (tag == TAG_head || tag == TAG_frame || (rules & TABLE_PART && tag != TAG_table))
        return OK;
    if (tag == TAG_table)
        return start_table(scanner, token);
    if (tag == TAG_form)
        return start_form(scanner, token);
    if (tag == TAG_select)
        return start_select(scanner, token);
    if (rules & FORMATTING)
        return start_formatting(scanner, token);
    if (tag == TAG_li)
        close_item(scanner, TAG_li, TAG_li);
    if (tag == TAG_dd || tag == TAG_dt)
        close_item(scanner, TAG_dd, TAG_dt);
    if (rules & CLOSES_P)
        close_p(scanner);
    if (tag == TAG_image) {  /* browsers take it for img */
        Token image = *token;
        image.tag = TAG_img;
        return start_empty(scanner, &image);
    }
    if (rules & EMPTY)
        return start_empty(scanner, token);
    if (rules & (RAW | DECODED))
        return start_raw(scanner, token);
    return rules & CLOSES_P ? start_block(scanner, token) : start_inline(scanner, token);
}

Status in_body(Scanner *scanner, const Token *token)
{
    if (token->kind == START_TAG)
        return start_in_body(scanner, token);
    if (token->kind == END_TAG)
        return end_in_body(scanner, token);
    if (token->kind == COMMENT_TAG)
        return insert_comment(scanner, NULL);
    TRY(reconstruct(scanner));
    if (!token->blank)
        scanner->no_frameset = true;
    return insert_text(scanner, token->text);
}
