/* Tables: closes rows and cells whose end tag is omitted, opens rows and bodies whose start tag is omitted. */

#include "scan.h"

static const Span NO_NAME = {NULL, 0};
static const Attributes NO_ATTRIBUTES;

static bool is_section(Tag tag)
{
    return tag == TAG_tbody || tag == TAG_thead || tag == TAG_tfoot;
}

bool between_cells(const Scanner *scanner)
{
    Tag tag = current(scanner);
    return tag == TAG_table || tag == TAG_tr || is_section(tag);
}

static Status open_part(Scanner *scanner, Tag tag)
{
    return open_element(scanner, tag, NO_NAME, &NO_ATTRIBUTES);
}

/* Depth of the innermost element that is part of a table; -1 when there is none. */
static int innermost(const Scanner *scanner)
{
    for (int depth = scanner->depth - 1; depth >= 0; depth--)
        if (rules_of(scanner->open[depth].tag) & IN_TABLE)
            return depth;
    return -1;
}

/* Close a cell or caption and all that is open in it, formatting too: a browser does not reopen that. */
static void close_cell(Scanner *scanner, int depth)
{
    while (scanner->depth > depth)
        close_element(scanner);
}

/* Close the current cell, if any, so that the current node is a row, a section or the table. */
static Status leave_cell(Scanner *scanner)
{
    int depth = innermost(scanner);
    if (depth < 0)
        return FALL_BACK;
    Tag tag = scanner->open[depth].tag;
    if (tag == TAG_td || tag == TAG_th)
        close_cell(scanner, depth);
    return between_cells(scanner) ? OK : FALL_BACK;
}

Status start_in_table(Scanner *scanner, Tag tag)
{
    bool in_table = current(scanner) == TAG_table;
    if (tag == TAG_table)
        return FALL_BACK;
    if (tag == TAG_col || tag == TAG_colgroup)
        return in_table ? OK : FALL_BACK;
    if (tag == TAG_caption)
        return in_table ? open_part(scanner, tag) : FALL_BACK;
    TRY(leave_cell(scanner));
    bool cell = tag == TAG_td || tag == TAG_th;
    if (!cell && current(scanner) == TAG_tr)
        close_element(scanner);
    if (is_section(tag) && is_section(current(scanner)))
        close_element(scanner);
    if (!is_section(tag) && current(scanner) == TAG_table)
        TRY(open_part(scanner, TAG_tbody));
    if (cell && current(scanner) != TAG_tr)
        TRY(open_part(scanner, TAG_tr));
    return open_part(scanner, tag);
}

static Status end_cell(Scanner *scanner, Tag tag)
{
    int depth = innermost(scanner);
    if (depth < 0 || scanner->open[depth].tag != tag)
        return FALL_BACK;
    close_cell(scanner, depth);
    return OK;
}

Status end_in_table(Scanner *scanner, Tag tag)
{
    TRY(flush_text(scanner));
    if (tag == TAG_col || tag == TAG_colgroup)
        return current(scanner) == TAG_table ? OK : FALL_BACK;
    if (tag == TAG_td || tag == TAG_th || tag == TAG_caption)
        return end_cell(scanner, tag);
    TRY(leave_cell(scanner));
    if (tag != TAG_tr && current(scanner) == TAG_tr)
        close_element(scanner);
    if (tag == TAG_table && is_section(current(scanner)))
        close_element(scanner);
    if (current(scanner) != tag)
        return FALL_BACK;
    close_element(scanner);
    return OK;
}
