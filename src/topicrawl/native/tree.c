/* Which element is open where: the tree construction of the HTML standard for pages without mis-nesting.

Formatting elements (b, a, font …) that are not closed before what contains them, content between the cells of a table,
and elements with rules of their own are given up. So formatting that is open is always on the stack, and nothing ever
has to be opened again or moved. */

#include "scan.h"

static const Span NO_NAME = {NULL, 0};
static const Attributes NO_ATTRIBUTES;

/* --- the stack of open elements ----------------------------------------------------------------------------------- */

Verdict open_element(Scanner *scanner, Tag tag, Span name, const Attributes *attributes)
{
    if (scanner->depth == MAX_DEPTH)
        return GIVE_UP;
    TRY(said_start(scanner->said, tag, attributes));
    scanner->open[scanner->depth++] = (Element){tag, name};  /* room was checked above */
    return GO;
}

void close_element(Scanner *scanner)
{
    Tag tag = scanner->open[--scanner->depth].tag;  /* every caller has seen an element there */
    if (tag == TAG_select)
        scanner->in_select = false;
    said_end(scanner->said, tag);
}

void close_implied(Scanner *scanner, Tag but)
{
    while (rules_of(current(scanner)) & IMPLIED && current(scanner) != but)
        close_element(scanner);
}

Verdict close_down_to(Scanner *scanner, int depth)
{
    while (scanner->depth > depth + 1) {
        if (rules_of(current(scanner)) & FORMATTING)
            return GIVE_UP;
        close_element(scanner);
    }
    close_element(scanner);
    return GO;
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

static Verdict close_p(Scanner *scanner)
{
    int depth = in_scope(scanner, TAG_p, TAG_button, OTHER);
    if (depth < 0)
        return GO;
    close_implied(scanner, TAG_p);
    return close_down_to(scanner, depth);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

Verdict flush_text(Scanner *scanner)
{
    Span text = scanner->text;
    if (text.size == 0)
        return GO;
    scanner->text = (Span){NULL, 0};
    TRY(said_text(scanner->said, text));
    scanner->node.size = 0;
    return GO;
}

static bool is_blank(Span text)
{
    for (size_t i = 0; i < text.size; i++)
        if (!is_space(text.at[i]))
            return false;
    return true;
}

static Verdict open_body(Scanner *scanner)
{
    scanner->place = IN_BODY;
    return open_element(scanner, TAG_body, NO_NAME, &NO_ATTRIBUTES);
}

/* Whether text may stand here, which begins the body where it has not begun; `*kept` is false for text of no import. */
static Verdict admit_text(Scanner *scanner, Span text, bool *kept)
{
    bool blank = is_blank(text);
    *kept = true;
    if (scanner->place == IN_BODY)
        return between_cells(scanner) && !blank ? GIVE_UP : GO;
    *kept = !blank;
    if (blank)
        return GO;
    return scanner->place == AFTER_BODY || current(scanner) == TAG_noscript ? GIVE_UP : open_body(scanner);
}

Verdict add_text(Scanner *scanner, Span text)
{
    bool kept;
    TRY(admit_text(scanner, text, &kept));
    if (!kept || text.size == 0)
        return GO;
    scanner->begun = true;
    if (scanner->text.size == 0 && memchr(text.at, '&', text.size) == NULL) {
        scanner->text = text;
        return GO;
    }
    if (scanner->node.size == 0 && scanner->text.size > 0)
        NEED(buffer_add(&scanner->node, scanner->text.at, scanner->text.size));
    TRY(add_decoded(&scanner->node, text, false, scanner->said->tools.entities));
    scanner->text = (Span){scanner->node.data, scanner->node.size};
    return GO;
}

/* --- start tags --------------------------------------------------------------------------------------------------- */

static Verdict empty_element(Scanner *scanner, Tag tag, const Attributes *attributes)
{
    TRY(said_start(scanner->said, tag, attributes));
    said_end(scanner->said, tag);
    return GO;
}

/* An element whose content is text, up to its end tag. */
static Verdict raw_element(Scanner *scanner, const Token *token)
{
    Span text;
    TRY(said_start(scanner->said, token->tag, &token->attributes));
    TRY(read_raw(scanner, token->tag, &text));
    if (rules_of(token->tag) & DECODED && !is_literal(text)) {
        scanner->node.size = 0;
        TRY(add_decoded(&scanner->node, text, false, scanner->said->tools.entities));
        text = (Span){scanner->node.data, scanner->node.size};
    }
    if (text.size > 0)
        TRY(said_text(scanner->said, text));
    scanner->node.size = 0;
    said_end(scanner->said, token->tag);
    return GO;
}

/* The start of an item ends the item before it, unless something special (a list) stands between them. */
static Verdict close_item(Scanner *scanner, Tag tag, Tag twin)
{
    for (int depth = scanner->depth - 1; depth >= 0; depth--) {
        Tag found = scanner->open[depth].tag;
        if (found == tag || found == twin) {
            close_implied(scanner, found);
            return close_down_to(scanner, depth);
        }
        if (rules_of(found) & SPECIAL && found != TAG_address && found != TAG_div && found != TAG_p)
            return GO;
    }
    return GO;
}

static Verdict start_in_select(Scanner *scanner, const Token *token)
{
    if (token->tag != TAG_option && token->tag != TAG_optgroup)
        return GIVE_UP;
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

static Verdict start_in_body(Scanner *scanner, const Token *token)
{
    Tag tag = token->tag;
    uint16_t rules = rules_of(tag);
    if (scanner->in_select)
        return start_in_select(scanner, token);
    if (rules & IN_TABLE && (tag != TAG_table || between_cells(scanner)))
        return start_in_table(scanner, tag);
    if (between_cells(scanner) && tag != TAG_script && tag != TAG_style)
        return GIVE_UP;
    if (tag == TAG_body || tag == TAG_head || (tag == TAG_form && scanner->form))
        return GO;
    if (tag == TAG_option || tag == TAG_optgroup)
        return GIVE_UP;
    if ((tag == TAG_a || tag == TAG_nobr) && is_open_here(scanner, tag))
        return GIVE_UP;
    if (tag == TAG_button && in_scope(scanner, tag, OTHER, OTHER) >= 0)
        return GIVE_UP;
    if (tag == TAG_table && scanner->quirks == UNSURE && in_scope(scanner, TAG_p, TAG_button, OTHER) >= 0)
        return GIVE_UP;
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
        return token->closes_itself ? GO : skip_drawing(scanner, token->name);
    }
    if (tag == TAG_form)
        scanner->form = true;
    if (tag == TAG_select)
        scanner->in_select = true;
    return open_element(scanner, tag, token->name, &token->attributes);
}

/* Before the body: what belongs into the head stays there, anything else begins the body. */
static Verdict start_before_body(Scanner *scanner, const Token *token)
{
    Tag tag = token->tag;
    uint16_t rules = rules_of(tag);
    bool in_noscript = current(scanner) == TAG_noscript;
    if (in_noscript && !(rules & HEAD && tag != TAG_script && tag != TAG_title && tag != TAG_base))
        return GIVE_UP;
    if (tag == TAG_head)
        return GO;
    if (rules & HEAD)
        return rules & EMPTY ? empty_element(scanner, tag, &token->attributes) : raw_element(scanner, token);
    if (tag == TAG_noscript && !scanner->head_closed)
        return open_element(scanner, tag, token->name, &token->attributes);
    TRY(open_body(scanner));
    return tag == TAG_body ? GO : start_in_body(scanner, token);
}

Verdict start_tag(Scanner *scanner, const Token *token)
{
    TRY(flush_text(scanner));
    bool first = !scanner->begun;
    scanner->begun = true;
    if (scanner->place == AFTER_BODY || rules_of(token->tag) & INTRICATE)
        return GIVE_UP;
    if (token->tag == TAG_html)
        return first ? said_start(scanner->said, TAG_html, &token->attributes) : GIVE_UP;
    return scanner->place == BEFORE_BODY ? start_before_body(scanner, token) : start_in_body(scanner, token);
}

/* --- end tags ----------------------------------------------------------------------------------------------------- */

static bool same_element(const Element *element, const Token *token)
{
    return element->tag == token->tag && (token->tag != OTHER || same_name(element->name, token->name));
}

/* An end tag without a rule of its own ends the innermost element of its name, but reaches through nothing special. */
static Verdict end_any(Scanner *scanner, const Token *token)
{
    for (int depth = scanner->depth - 1; depth >= 0; depth--) {
        if (same_element(&scanner->open[depth], token)) {
            TRY(flush_text(scanner));
            return close_down_to(scanner, depth);
        }
        if (rules_of(scanner->open[depth].tag) & SPECIAL)
            return rules_of(token->tag) & FORMATTING && is_open_here(scanner, token->tag) ? GIVE_UP : GO;
    }
    return GO;
}

static Verdict end_enclosing(Scanner *scanner, int depth, Tag but)
{
    if (depth < 0)
        return GO;  /* nothing of that name is open here: ignored */
    TRY(flush_text(scanner));
    close_implied(scanner, but);
    return close_down_to(scanner, depth);
}

static Verdict end_heading(Scanner *scanner)
{
    for (int depth = scanner->depth - 1; depth >= 0; depth--) {
        uint16_t rules = rules_of(scanner->open[depth].tag);
        if (rules & HEADING)
            return end_enclosing(scanner, depth, OTHER);
        if (rules & BARRIER)
            break;
    }
    return GO;
}

static Verdict end_form(Scanner *scanner)
{
    bool open = scanner->form;
    scanner->form = false;
    int depth = in_scope(scanner, TAG_form, OTHER, OTHER);
    if (!open || depth < 0)
        return GO;
    TRY(flush_text(scanner));
    close_implied(scanner, OTHER);
    return current(scanner) == TAG_form ? close_down_to(scanner, depth) : GIVE_UP;
}

/* </p> without a paragraph makes an empty one. */
static Verdict end_p(Scanner *scanner)
{
    int depth = in_scope(scanner, TAG_p, TAG_button, OTHER);
    if (depth >= 0)
        return end_enclosing(scanner, depth, TAG_p);
    TRY(flush_text(scanner));
    return empty_element(scanner, TAG_p, &NO_ATTRIBUTES);
}

static Verdict end_in_select(Scanner *scanner, Tag tag)
{
    if (tag != TAG_option && tag != TAG_optgroup && tag != TAG_select)
        return GIVE_UP;
    TRY(flush_text(scanner));
    if (tag != TAG_option && current(scanner) == TAG_option)
        close_element(scanner);
    if (tag == TAG_select && current(scanner) == TAG_optgroup)
        close_element(scanner);
    if (current(scanner) != tag)
        return GIVE_UP;
    close_element(scanner);
    return GO;
}

static Verdict end_in_body(Scanner *scanner, const Token *token)
{
    Tag tag = token->tag;
    uint16_t rules = rules_of(tag);
    if (scanner->in_select)
        return end_in_select(scanner, tag);
    if (tag == TAG_body || tag == TAG_html) {
        scanner->place = AFTER_BODY;
        return GO;
    }
    if (rules & IN_TABLE)
        return end_in_table(scanner, tag);
    if (between_cells(scanner) || tag == TAG_br || rules & INTRICATE)
        return GIVE_UP;
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

Verdict end_tag(Scanner *scanner, const Token *token)
{
    Tag tag = token->tag;
    scanner->begun = true;
    if (scanner->place == AFTER_BODY)
        return tag == TAG_body || tag == TAG_html ? GO : GIVE_UP;
    if (scanner->place == IN_BODY)
        return end_in_body(scanner, token);
    if (current(scanner) == TAG_noscript) {
        if (tag != TAG_noscript)
            return GIVE_UP;
        close_element(scanner);
        return GO;
    }
    if (tag == TAG_br || rules_of(tag) & INTRICATE)
        return GIVE_UP;
    if (tag == TAG_head)
        scanner->head_closed = true;
    if (tag != TAG_body && tag != TAG_html)
        return GO;
    TRY(open_body(scanner));
    return end_in_body(scanner, token);
}
