/* Rules inside tables: rows and cells whose tags are left out, and content that is moved before the table. */

#include "scan.h"

/* --- text and other content that is not allowed in a table ----------------------------------------------------------- */

static Status foster(Scanner *scanner, const Token *token)
{
    scanner->foster = true;
    Status status = in_body(scanner, token);
    scanner->foster = false;
    return status;
}

static Status pend(Scanner *scanner, const Token *token)
{
    scanner->pending_blank = (scanner->pending.last_piece == NULL || scanner->pending_blank) && token->blank;
    return add_piece(&scanner->arena, &scanner->pending, token->text);
}

Status flush_pending(Scanner *scanner)
{
    if (scanner->pending.last_piece == NULL)
        return OK;
    const Piece first = scanner->pending.piece;
    scanner->pending = (Node){0};
    for (const Piece *piece = &first; piece != NULL; piece = piece->next) {
        Token token = {.kind = CHARACTERS, .text = piece->span};
        TRY(scanner->pending_blank ? insert_text(scanner, piece->span) : foster(scanner, &token));
    }
    return OK;
}

/* --- closing --------------------------------------------------------------------------------------------------------- */

/* Close elements until the current node is `tag` or, for OTHER, a section; or the template or html around them. */
static void clear_to(Scanner *scanner, Tag tag)
{
    for (;;) {
        Tag found = current_tag(scanner);
        bool reached = tag == OTHER ? is_section(found) : found == tag;
        if (reached || found == TAG_template || found == TAG_html || scanner->depth == 0)
            return;
        pop(scanner);
    }
}

/* Depth of the innermost section of a table; -1 when there is none. */
static int section_in_scope(const Scanner *scanner)
{
    int depth = -1;
    static const Tag sections[] = {TAG_tbody, TAG_thead, TAG_tfoot};
    for (int i = 0; i < 3; i++) {
        int found = in_scope(scanner, sections[i], TABLE_SCOPE);
        depth = found > depth ? found : depth;
    }
    return depth;
}

static bool close_table(Scanner *scanner)
{
    int depth = in_scope(scanner, TAG_table, TABLE_SCOPE);
    if (depth < 0)
        return false;
    pop_to(scanner, depth);
    reset_mode(scanner);
    return true;
}

static bool close_caption(Scanner *scanner)
{
    int depth = in_scope(scanner, TAG_caption, TABLE_SCOPE);
    if (depth < 0)
        return false;
    pop_to(scanner, depth);
    clear_to_marker(scanner);
    scanner->mode = IN_TABLE;
    return true;
}

static bool close_section(Scanner *scanner)
{
    if (section_in_scope(scanner) < 0)
        return false;
    clear_to(scanner, OTHER);
    pop(scanner);
    scanner->mode = IN_TABLE;
    return true;
}

static bool close_row(Scanner *scanner)
{
    if (in_scope(scanner, TAG_tr, TABLE_SCOPE) < 0)
        return false;
    clear_to(scanner, TAG_tr);
    pop(scanner);
    scanner->mode = IN_TABLE_BODY;
    return true;
}

static void close_cell(Scanner *scanner)
{
    int depth = scanner->depth - 1;
    while (depth > 0 && !is_cell(html_tag(scanner->open[depth])))
        depth--;
    pop_to(scanner, depth);
    clear_to_marker(scanner);
    scanner->mode = IN_ROW;
}

/* Whether `token` is the start tag of a part of a table (not of a whole table). */
static bool starts_part(const Token *token)
{
    return token->kind == START_TAG && rules_of(token->tag) & TABLE_PART && token->tag != TAG_table;
}

/* Whether `token` is the end tag of html, the body or a part of a table. */
static bool ends_part(const Token *token)
{
    return token->kind == END_TAG
        && ((rules_of(token->tag) & TABLE_PART && token->tag != TAG_table) || token->tag == TAG_body
            || token->tag == TAG_html);
}

/* A table inside a select inside a cell or a caption closes the select first. */
static Status in_cell_or_caption(Scanner *scanner, const Token *token)
{
    int depth = is_start(token, TAG_table) ? in_scope(scanner, TAG_select, ANY_SCOPE) : -1;
    if (depth >= 0)
        pop_to(scanner, depth);
    return in_body(scanner, token);
}

/* --- the modes ------------------------------------------------------------------------------------------------------- */

static Status open_in(Scanner *scanner, const Token *token, Mode mode)
{
    scanner->mode = mode;
    return insert_element(scanner, token);
}

static Status start_part(Scanner *scanner, const Token *token)
{
    clear_to(scanner, TAG_table);
    if (token->tag == TAG_caption) {
        TRY(add_marker(scanner));
        return open_in(scanner, token, IN_CAPTION);
    }
    if (token->tag == TAG_colgroup)
        return open_in(scanner, token, IN_COLUMN_GROUP);
    if (is_section(token->tag))
        return open_in(scanner, token, IN_TABLE_BODY);
    bool column = token->tag == TAG_col;
    TRY(insert_tag(scanner, column ? TAG_colgroup : TAG_tbody));
    return reprocess(scanner, column ? IN_COLUMN_GROUP : IN_TABLE_BODY, token);
}

static Status start_in_table(Scanner *scanner, const Token *token)
{
    bool hidden;
    switch (token->tag) {
    case TAG_table:
        return close_table(scanner) ? process(scanner, token) : OK;
    case TAG_style: case TAG_script: case TAG_template:
        return in_head(scanner, token);
    case TAG_input:
        TRY(is_hidden(scanner, token, true, &hidden));
        return hidden ? insert_empty(scanner, token) : foster(scanner, token);
    case TAG_form:
        if (scanner->form != NULL || scanner->template_count > 0)
            return OK;
        TRY(insert_element(scanner, token));
        scanner->form = current(scanner);
        pop(scanner);
        return OK;
    default:
        return starts_part(token) ? start_part(scanner, token) : foster(scanner, token);
    }
}

Status in_table(Scanner *scanner, const Token *token)
{
    Tag tag = current_tag(scanner);
    bool holds_parts = tag == TAG_table || tag == TAG_tr || tag == TAG_template || is_section(tag);
    if (token->kind == CHARACTERS)
        return holds_parts ? pend(scanner, token) : foster(scanner, token);
    if (token->kind == COMMENT_TAG)
        return insert_comment(scanner, NULL);
    if (token->kind == START_TAG)
        return start_in_table(scanner, token);
    if (token->tag == TAG_table) {
        close_table(scanner);
        return OK;
    }
    if (token->tag == TAG_template)
        return in_head(scanner, token);
    return ends_part(token) ? OK : foster(scanner, token);
}

Status in_caption(Scanner *scanner, const Token *token)
{
    if (is_end(token, TAG_caption)) {
        close_caption(scanner);
        return OK;
    }
    if (starts_part(token) || is_end(token, TAG_table))
        return close_caption(scanner) ? process(scanner, token) : OK;
    return ends_part(token) ? OK : in_cell_or_caption(scanner, token);
}

Status in_column_group(Scanner *scanner, const Token *token)
{
    if (token->kind == CHARACTERS && token->blank)
        return insert_text(scanner, token->text);
    if (token->kind == COMMENT_TAG)
        return insert_comment(scanner, NULL);
    if (is_start(token, TAG_html))
        return in_body(scanner, token);
    if (is_start(token, TAG_col))
        return insert_empty(scanner, token);
    if (is_start(token, TAG_template) || is_end(token, TAG_template))
        return in_head(scanner, token);
    if (is_end(token, TAG_col) || current_tag(scanner) != TAG_colgroup)
        return OK;
    pop(scanner);
    scanner->mode = IN_TABLE;
    return is_end(token, TAG_colgroup) ? OK : process(scanner, token);
}

Status in_table_body(Scanner *scanner, const Token *token)
{
    Tag tag = token->tag;
    if (is_start(token, TAG_tr)) {
        clear_to(scanner, OTHER);
        return open_in(scanner, token, IN_ROW);
    }
    if (token->kind == START_TAG && is_cell(tag)) {
        clear_to(scanner, OTHER);
        TRY(insert_tag(scanner, TAG_tr));
        return reprocess(scanner, IN_ROW, token);
    }
    if (token->kind == END_TAG && is_section(tag)) {
        if (in_scope(scanner, tag, TABLE_SCOPE) >= 0)
            close_section(scanner);
        return OK;
    }
    if (starts_part(token) || is_end(token, TAG_table))
        return close_section(scanner) ? process(scanner, token) : OK;
    return ends_part(token) ? OK : in_table(scanner, token);
}

Status in_row(Scanner *scanner, const Token *token)
{
    Tag tag = token->tag;
    if (token->kind == START_TAG && is_cell(tag)) {
        clear_to(scanner, TAG_tr);
        TRY(open_in(scanner, token, IN_CELL));
        return add_marker(scanner);
    }
    if (is_end(token, TAG_tr)) {
        close_row(scanner);
        return OK;
    }
    if (token->kind == END_TAG && is_section(tag) && in_scope(scanner, tag, TABLE_SCOPE) < 0)
        return OK;
    if (starts_part(token) || is_end(token, TAG_table) || (token->kind == END_TAG && is_section(tag)))
        return close_row(scanner) ? process(scanner, token) : OK;
    return ends_part(token) ? OK : in_table(scanner, token);
}

Status in_cell(Scanner *scanner, const Token *token)
{
    Tag tag = token->tag;
    if (starts_part(token)) {
        close_cell(scanner);
        return process(scanner, token);
    }
    if (token->kind == END_TAG && rules_of(tag) & TABLE_PART) {
        bool around = tag == TAG_table || tag == TAG_tr || is_section(tag);
        int depth = around || is_cell(tag) ? in_scope(scanner, tag, TABLE_SCOPE) : -1;
        if (depth < 0)
            return OK;
        if (around) {
            close_cell(scanner);
            return process(scanner, token);
        }
        pop_to(scanner, depth);
        clear_to_marker(scanner);
        scanner->mode = IN_ROW;
        return OK;
    }
    return ends_part(token) ? OK : in_cell_or_caption(scanner, token);
}
