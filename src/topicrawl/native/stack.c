/* The stack of open elements, and where nodes are inserted. */

#include "scan.h"

static const Span NOTHING = {NULL, 0};

Status push(Scanner *scanner, Node *node)
{
    if (scanner->depth == MAX_DEPTH)
        return FALL_BACK;
    scanner->open[scanner->depth++] = node;  /* below MAX_DEPTH: checked above */
    scanner->open_p += html_tag(node) == TAG_p;
    node->open = true;
    return OK;
}

void pop(Scanner *scanner)
{
    if (scanner->depth > 0)
        take_from_stack(scanner, scanner->open[scanner->depth - 1]);
}

void pop_to(Scanner *scanner, int depth)
{
    while (scanner->depth > depth)
        pop(scanner);
}

void take_from_stack(Scanner *scanner, Node *node)
{
    int depth = scanner->depth - 1;
    while (depth >= 0 && scanner->open[depth] != node)
        depth--;
    if (depth < 0)
        return;
    scanner->depth--;
    memmove(scanner->open + depth, scanner->open + depth + 1, sizeof(Node *) * (size_t)(scanner->depth - depth));
    scanner->open_p -= html_tag(node) == TAG_p;
    node->open = false;
}

/* --- inserting ---------------------------------------------------------------------------------------------------- */

Node *new_element(Scanner *scanner, Tag tag, Span name, Span attributes)
{
    Node *node = new_node(&scanner->arena, ELEMENT);
    if (node == NULL)
        return NULL;
    scanner->arena.elements++;
    node->tag = tag;
    node->name = name;
    node->piece.span = attributes;
    node->last_piece = &node->piece;
    return node;
}

/* The place of content that is not allowed in a table: before the table. */
static void find_foster_place(const Scanner *scanner, Node **parent, Node **next)
{
    *next = NULL;
    for (int depth = scanner->depth - 1; depth >= 0; depth--) {
        Tag tag = html_tag(scanner->open[depth]);
        if (tag == TAG_template) {
            *parent = scanner->open[depth];
            return;
        }
        if (tag == TAG_table) {
            *next = scanner->open[depth]->parent != NULL ? scanner->open[depth] : NULL;
            *parent = *next != NULL ? (*next)->parent : scanner->open[depth > 0 ? depth - 1 : 0];
            return;
        }
    }
    *parent = scanner->open[0];
}

void find_place(const Scanner *scanner, Node *target, Node **parent, Node **next)
{
    Tag tag = html_tag(target);
    *parent = target;
    *next = NULL;
    if (scanner->foster && (tag == TAG_table || tag == TAG_tr || is_section(tag)))
        find_foster_place(scanner, parent, next);
}

static Status insert_new(Scanner *scanner, Node *node)
{
    Node *parent, *next;
    NEED(node != NULL);
    if (scanner->arena.elements > scanner->most_elements)
        return FALL_BACK;
    find_place(scanner, current(scanner), &parent, &next);
    insert_node(parent, next, node);
    return push(scanner, node);
}

Status insert_element(Scanner *scanner, const Token *token)
{
    return insert_new(scanner, new_element(scanner, token->tag, token->name, token->attributes));
}

Status insert_tag(Scanner *scanner, Tag tag)
{
    return insert_new(scanner, new_element(scanner, tag, NOTHING, NOTHING));
}

Status insert_empty(Scanner *scanner, const Token *token)
{
    TRY(insert_element(scanner, token));
    pop(scanner);
    return OK;
}

Status insert_text(Scanner *scanner, Span text)
{
    Node *parent, *next;
    if (text.size == 0)
        return OK;
    find_place(scanner, current(scanner), &parent, &next);
    Node *before = next != NULL ? next->previous : parent->last;
    if (before == NULL || before->kind != TEXT) {
        before = new_node(&scanner->arena, TEXT);
        NEED(before != NULL);
        insert_node(parent, next, before);
    }
    return add_piece(&scanner->arena, before, text);
}

Status insert_comment(Scanner *scanner, Node *parent)
{
    Node *next = NULL, *comment = new_node(&scanner->arena, COMMENT);
    NEED(comment != NULL);
    if (parent == NULL)
        find_place(scanner, current(scanner), &parent, &next);
    insert_node(parent, next, comment);
    return OK;
}

/* --- searching and closing ---------------------------------------------------------------------------------------- */

static bool ends_scope(const Node *node, Scope scope)
{
    Tag tag = html_tag(node);
    if (scope == TABLE_SCOPE)
        return tag == TAG_html || tag == TAG_table || tag == TAG_template;
    if (node->wall || rules_of(tag) & BARRIER)
        return true;
    return (scope == BUTTON_SCOPE && tag == TAG_button) || (scope == LIST_SCOPE && (tag == TAG_ol || tag == TAG_ul));
}

int in_scope(const Scanner *scanner, Tag tag, Scope scope)
{
    for (int depth = scanner->depth - 1; depth >= 0; depth--) {
        if (html_tag(scanner->open[depth]) == tag)
            return depth;
        if (ends_scope(scanner->open[depth], scope))
            return -1;
    }
    return -1;
}

bool is_in_scope(const Scanner *scanner, int depth)
{
    int above = scanner->depth - 1;
    while (above > depth && !ends_scope(scanner->open[above], ANY_SCOPE))
        above--;
    return above == depth;
}

void close_implied(Scanner *scanner, Tag but)
{
    while (rules_of(current_tag(scanner)) & IMPLIED && current_tag(scanner) != but)
        pop(scanner);
}

void close_p(Scanner *scanner)
{
    int depth = scanner->open_p > 0 ? in_scope(scanner, TAG_p, BUTTON_SCOPE) : -1;
    if (depth >= 0)
        pop_to(scanner, depth);
}

/* --- the mode that follows from the stack ------------------------------------------------------------------------- */

static bool mode_of(const Scanner *scanner, Tag tag, Mode *mode)
{
    switch (tag) {
    case TAG_td: case TAG_th: *mode = IN_CELL; return true;
    case TAG_tr: *mode = IN_ROW; return true;
    case TAG_tbody: case TAG_thead: case TAG_tfoot: *mode = IN_TABLE_BODY; return true;
    case TAG_caption: *mode = IN_CAPTION; return true;
    case TAG_colgroup: *mode = IN_COLUMN_GROUP; return true;
    case TAG_table: *mode = IN_TABLE; return true;
    case TAG_template: *mode = scanner->templates[scanner->template_count - 1]; return true;
    case TAG_head: *mode = IN_HEAD; return true;
    case TAG_body: *mode = IN_BODY; return true;
    case TAG_frameset: *mode = IN_FRAMESET; return true;
    case TAG_html: *mode = scanner->head == NULL ? BEFORE_HEAD : AFTER_HEAD; return true;
    default: return false;
    }
}

void reset_mode(Scanner *scanner)
{
    scanner->mode = IN_BODY;
    for (int depth = scanner->depth - 1; depth >= 0; depth--)
        if (mode_of(scanner, html_tag(scanner->open[depth]), &scanner->mode))
            return;
}
