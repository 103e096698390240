/* The tree construction of the HTML standard, for pages without misnested tags.

FALL_BACK for formatting elements (b, a, font …) left open when their parent is closed, content between the cells of a
table, and UNSUPPORTED elements. So open formatting is always on the stack, and no node has to be reopened or moved. */

#include "scan.h"

static const Span NO_NAME = {NULL, 0};
static const Attributes NO_ATTRIBUTES;

/* --- the stack of open elements ----------------------------------------------------------------------------------- */

Status open_element(Scanner *scanner, Tag tag, Span name, const Attributes *attributes)
{
    if (scanner->depth == MAX_DEPTH)
        return FALL_BACK;
    TRY(collect_start(scanner->doc, tag, attributes));
    scanner->open[scanner->depth++] = (Element){tag, name};  /* depth was checked above */
    return OK;
}

void close_element(Scanner *scanner)
{
    Tag tag = scanner->open[--scanner->depth].tag;  /* every caller has seen an element there */
    if (tag == TAG_select)
        scanner->in_select = false;
    collect_end(scanner->doc, tag);
}

void close_implied(Scanner *scanner, Tag but)
{
    while (rules_of(current(scanner)) & IMPLIED && current(scanner) != but)
        close_element(scanner);
}

Status close_down_to(Scanner *scanner, int depth)
{
    while (scanner->depth > depth + 1) {
        if (rules_of(current(scanner)) & FORMATTING)
            return FALL_BACK;
        close_element(scanner);
    }
    close_element(scanner);
    return OK;
}

void close_all(Scanner *scanner)
{
    while (scanner->depth > 0)
        close_element(scanner);
}

/* Depth of the innermost open `tag` within scope, which also ends at `wall` and `wall2`; -1 when there is none. */
static int in_scope(const Scanner *scanner, Tag tag, Tag wall, Tag wall2)
{
    for (int depth = scanner->depth - 1; depth >= 0; depth--) {
        Tag found = scanner->open[depth].tag;
        if (found == tag)
            return depth;
        if (rules_of(found) & BARRIER || (found == wall && wall != OTHER) || (found == wall2 && wall2 != OTHER))
            return -1;
    }
    return -1;
}

static Status close_p(Scanner *scanner)
{
    int depth = in_scope(scanner, TAG_p, TAG_button, OTHER);
    if (depth < 0)
        return OK;
    close_implied(scanner, TAG_p);
    return close_down_to(scanner, depth);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

Status flush_text(Scanner *scanner)
{
    Span text = scanner->text;
    if (text.size == 0)
        return OK;
    scanner->text = (Span){NULL, 0};
    TRY(collect_text(scanner->doc, text));
    scanner->node.size = 0;
    return OK;
}

static bool is_blank(Span text)
{
    for (size_t i = 0; i < text.size; i++)
        if (!is_space(text.at[i]))
            return false;
    return true;
}

static Status open_body(Scanner *scanner)
{
    scanner->place = IN_BODY;
    return open_element(scanner, TAG_body, NO_NAME, &NO_ATTRIBUTES);
}

/* Whether text is allowed here; opens the body if need be. `*kept` is false for blank text outside the body. */
static Status admit_text(Scanner *scanner, Span text, bool *kept)
{
    bool blank = is_blank(text);
    *kept = true;
    if (scanner->place == IN_BODY)
        return between_cells(scanner) && !blank ? FALL_BACK : OK;
    *kept = !blank;
    if (blank)
        return OK;
    return scanner->place == AFTER_BODY || current(scanner) == TAG_noscript ? FALL_BACK : open_body(scanner);
}

Status add_text(Scanner *scanner, Span text)
{
    bool kept;
    TRY(admit_text(scanner, text, &kept));
    if (!kept || text.size == 0)
        return OK;
    scanner->begun = true;
    if (scanner->text.size == 0 && memchr(text.at, '&', text.size) == NULL) {
        scanner->text = text;
        return OK;
    }
    if (scanner->node.size == 0 && scanner->text.size > 0)
        NEED(buffer_add(&scanner->node, scanner->text.at, scanner->text.size));
    TRY(add_decoded(&scanner->node, text, false, scanner->doc->tools.entities));
    scanner->text = (Span){scanner->node.data, scanner->node.size};
    return OK;
}

/* --- start tags --------------------------------------------------------------------------------------------------- */

static Status empty_element(Scanner *scanner, Tag tag, const Attributes *attributes)
{
    TRY(collect_start(scanner->doc, tag, attributes));
    collect_end(scanner->doc, tag);
    return OK;
}

/* An element whose content is text, up to its end tag. */
static Status raw_element(Scanner *scanner, const Token *token)
{
    Span text;
    TRY(collect_start(scanner->doc, token->tag, &token->attributes));
    TRY(read_raw(scanner, token->tag, &text));
    if (rules_of(token->tag) & DECODED && !is_literal(text)) {
        scanner->node.size = 0;
        TRY(add_decoded(&scanner->node, text, false, scanner->doc->tools.entities));
        text = (Span){scanner->node.data, scanner->node.size};
    }
    if (text.size > 0)
        TRY(collect_text(scanner->doc, text));
    scanner->node.size = 0;
    collect_end(scanner->doc, token->tag);
    return OK;
}

/* The start tag of an item closes the item before it, unless a SPECIAL element (a list) is open inside that. */
static Status close_item(Scanner *scanner, Tag tag, Tag twin)
{
    for (int depth = scanner->depth - 1; depth >= 0; depth--) {
        Tag found = scanner->open[depth].tag;
        if (found == tag || found == twin) {
            close_implied(scanner, found);
            return close_down_to(scanner, depth);
        }
        if (rules_of(found) & SPECIAL && found != TAG_address && found != TAG_div && found != TAG_p)
            return OK;
    }
    return OK;
}

static Status start_in_select(Scanner *scanner, const Token *token)
{
    if (token->tag != TAG_option && token->tag != TAG_optgroup)
        return FALL_BACK;
    if (current(scanner) == TAG_option)
        close_element(scanner);
    if (token->tag == TAG_optgroup && current(scanner) == TAG_optgroup)
        close_element(scanner);
    return open_element(scanner, token->tag, token->name, &token->attributes);
}

/* Whether a formatting element is open that `tag` must not be opened in. */
static bool is_open_here(const Scanner *scanner, Tag tag)
{
    for (int depth = scanner->depth - 1; depth >= 0 && !(rules_of(scanner->open[depth].tag) & BARRIER); depth--)
        if (scanner->open[depth].tag == tag)
            return true;
    return false;
}

static Status start_in_body(Scanner *scanner, const Token *token)
{
    Tag tag = token->tag;
    uint16_t rules = rules_of(tag);
    if (scanner->in_select)
        return start_in_select(scanner, token);
    if (rules & IN_TABLE && (tag != TAG_table || between_cells(scanner)))
        return start_in_table(scanner, tag);
    if (between_cells(scanner) && tag != TAG_script && tag != TAG_style)
        return FALL_BACK;
    if (tag == TAG_body || tag == TAG_head || (tag == TAG_form && scanner->form))
        return OK;
    if (tag == TAG_option || tag == TAG_optgroup)
        return FALL_BACK;
    if ((tag == TAG_a || tag == TAG_nobr) && is_open_here(scanner, tag))
        return FALL_BACK;
    if (tag == TAG_button && in_scope(scanner, tag, OTHER, OTHER) >= 0)
        return FALL_BACK;
    if (tag == TAG_table && scanner->quirks == UNSURE && in_scope(scanner, TAG_p, TAG_button, OTHER) >= 0)
        return FALL_BACK;
    if (tag == TAG_li)
        TRY(close_item(scanner, TAG_li, TAG_li));
    if (tag == TAG_dd || tag == TAG_dt)
        TRY(close_item(scanner, TAG_dd, TAG_dt));
    if (rules & CLOSES_P || (tag == TAG_table && scanner->quirks == NO_QUIRKS))
        TRY(close_p(scanner));
    if (rules & HEADING && rules_of(current(scanner)) & HEADING)
        close_element(scanner);
    if (rules & EMPTY)
        return empty_element(scanner, tag, &token->attributes);
    if (rules & (RAW | DECODED))
        return raw_element(scanner, token);
    if (tag == TAG_svg) {
        TRY(empty_element(scanner, tag, &token->attributes));
        return token->closes_itself ? OK : skip_svg(scanner, token->name);
    }
    if (tag == TAG_form)
        scanner->form = true;
    if (tag == TAG_select)
        scanner->in_select = true;
    return open_element(scanner, tag, token->name, &token->attributes);
}

/* Before the body: what belongs into the head stays there, anything else begins the body. */
static Status start_before_body(Scanner *scanner, const Token *token)
{
    Tag tag = token->tag;
    uint16_t rules = rules_of(tag);
    bool in_noscript = current(scanner) == TAG_noscript;
    if (in_noscript && !(rules & HEAD && tag != TAG_script && tag != TAG_title && tag != TAG_base))
        return FALL_BACK;
    if (tag == TAG_head)
        return OK;
    if (rules & HEAD)
        return rules & EMPTY ? empty_element(scanner, tag, &token->attributes) : raw_element(scanner, token);
    if (tag == TAG_noscript && !scanner->head_closed)
        return open_element(scanner, tag, token->name, &token->attributes);
    TRY(open_body(scanner));
    return tag == TAG_body ? OK : start_in_body(scanner, token);
}

Status start_tag(Scanner *scanner, const Token *token)
{
    TRY(flush_text(scanner));
    bool first = !scanner->begun;
    scanner->begun = true;
    if (scanner->place == AFTER_BODY || rules_of(token->tag) & UNSUPPORTED)
        return FALL_BACK;
    if (token->tag == TAG_html)
        return first ? collect_start(scanner->doc, TAG_html, &token->attributes) : FALL_BACK;
    return scanner->place == BEFORE_BODY ? start_before_body(scanner, token) : start_in_body(scanner, token);
}

/* --- end tags ----------------------------------------------------------------------------------------------------- */

static bool same_element(const Element *element, const Token *token)
{
    return element->tag == token->tag && (token->tag != OTHER || same_name(element->name, token->name));
}

/* An end tag without a special rule closes the innermost element of its name; the search stops at SPECIAL elements. */
static Status end_any(Scanner *scanner, const Token *token)
{
    for (int depth = scanner->depth - 1; depth >= 0; depth--) {
        if (same_element(&scanner->open[depth], token)) {
            TRY(flush_text(scanner));
            return close_down_to(scanner, depth);
        }
        if (rules_of(scanner->open[depth].tag) & SPECIAL)
            return rules_of(token->tag) & FORMATTING && is_open_here(scanner, token->tag) ? FALL_BACK : OK;
    }
    return OK;
}

static Status end_enclosing(Scanner *scanner, int depth, Tag but)
{
    if (depth < 0)
        return OK;  /* nothing of that name is open here: ignored */
    TRY(flush_text(scanner));
    close_implied(scanner, but);
    return close_down_to(scanner, depth);
}

static Status end_heading(Scanner *scanner)
{
    for (int depth = scanner->depth - 1; depth >= 0; depth--) {
        uint16_t rules = rules_of(scanner->open[depth].tag);
        if (rules & HEADING)
            return end_enclosing(scanner, depth, OTHER);
        if (rules & BARRIER)
            break;
    }
    return OK;
}

static Status end_form(Scanner *scanner)
{
    bool open = scanner->form;
    scanner->form = false;
    int depth = in_scope(scanner, TAG_form, OTHER, OTHER);
    if (!open || depth < 0)
        return OK;
    TRY(flush_text(scanner));
    close_implied(scanner, OTHER);
    return current(scanner) == TAG_form ? close_down_to(scanner, depth) : FALL_BACK;
}

/* </p> without a paragraph makes an empty one. */
static Status end_p(Scanner *scanner)
{
    int depth = in_scope(scanner, TAG_p, TAG_button, OTHER);
    if (depth >= 0)
        return end_enclosing(scanner, depth, TAG_p);
    TRY(flush_text(scanner));
    return empty_element(scanner, TAG_p, &NO_ATTRIBUTES);
}

static Status end_in_select(Scanner *scanner, Tag tag)
{
    if (tag != TAG_option && tag != TAG_optgroup && tag != TAG_select)
        return FALL_BACK;
    TRY(flush_text(scanner));
    if (tag != TAG_option && current(scanner) == TAG_option)
        close_element(scanner);
    if (tag == TAG_select && current(scanner) == TAG_optgroup)
        close_element(scanner);
    if (current(scanner) != tag)
        return FALL_BACK;
    close_element(scanner);
    return OK;
}

static Status end_in_body(Scanner *scanner, const Token *token)
{
    Tag tag = token->tag;
    uint16_t rules = rules_of(tag);
    if (scanner->in_select)
        return end_in_select(scanner, tag);
    if (tag == TAG_body || tag == TAG_html) {
        scanner->place = AFTER_BODY;
        return OK;
    }
    if (rules & IN_TABLE)
        return end_in_table(scanner, tag);
    if (between_cells(scanner) || tag == TAG_br || rules & UNSUPPORTED)
        return FALL_BACK;
    if (tag == TAG_p)
        return end_p(scanner);
    if (tag == TAG_li)
        return end_enclosing(scanner, in_scope(scanner, tag, TAG_ol, TAG_ul), tag);
    if (tag == TAG_dd || tag == TAG_dt)
        return end_enclosing(scanner, in_scope(scanner, tag, OTHER, OTHER), tag);
    if (rules & HEADING)
        return end_heading(scanner);
    if (tag == TAG_form)
        return end_form(scanner);
    if (rules & ENCLOSES)
        return end_enclosing(scanner, in_scope(scanner, tag, OTHER, OTHER), OTHER);
    return end_any(scanner, token);
}

Status end_tag(Scanner *scanner, const Token *token)
{
    Tag tag = token->tag;
    scanner->begun = true;
    if (scanner->place == AFTER_BODY)
        return tag == TAG_body || tag == TAG_html ? OK : FALL_BACK;
    if (scanner->place == IN_BODY)
        return end_in_body(scanner, token);
    if (current(scanner) == TAG_noscript) {
        if (tag != TAG_noscript)
            return FALL_BACK;
        close_element(scanner);
        return OK;
    }
    if (tag == TAG_br || rules_of(tag) & UNSUPPORTED)
        return FALL_BACK;
    if (tag == TAG_head)
        scanner->head_closed = true;
    if (tag != TAG_body && tag != TAG_html)
        return OK;
    TRY(open_body(scanner));
    return end_in_body(scanner, token);
}
