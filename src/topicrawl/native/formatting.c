/* Formatting elements (b, a, font …): reopened where their parent was closed before them, and split where they are badly
nested, as "the list of active formatting elements" and "the adoption agency algorithm" of the HTML standard say. */

#include "scan.h"

enum { MOST_EQUAL = 3, MOST_ROUNDS = 8, MOST_KEPT = 3 };

/* --- the list ----------------------------------------------------------------------------------------------------- */

static int place_in_list(const Scanner *scanner, const Node *node)
{
    int place = scanner->formatting_count - 1;
    while (place >= 0 && scanner->formatting[place] != node)
        place--;
    return place;
}

static void take_from_list(Scanner *scanner, int place)
{
    if (scanner->formatting[place] != NULL)
        scanner->formatting[place]->listed = false;
    scanner->formatting_count--;
    memmove(scanner->formatting + place, scanner->formatting + place + 1,
            sizeof(Node *) * (size_t)(scanner->formatting_count - place));
}

static Status add_to_list(Scanner *scanner, int place, Node *node)
{
    if (scanner->formatting_count == MAX_DEPTH)
        return FALL_BACK;
    memmove(scanner->formatting + place + 1, scanner->formatting + place,
            sizeof(Node *) * (size_t)(scanner->formatting_count - place));
    scanner->formatting[place] = node;
    scanner->formatting_count++;
    if (node != NULL)
        node->listed = true;
    return OK;
}

void unlist(Scanner *scanner, const Node *node)
{
    int place = place_in_list(scanner, node);
    if (place >= 0)
        take_from_list(scanner, place);
}

Status add_marker(Scanner *scanner)
{
    return add_to_list(scanner, scanner->formatting_count, NULL);
}

void clear_to_marker(Scanner *scanner)
{
    while (scanner->formatting_count > 0) {
        bool marker = scanner->formatting[scanner->formatting_count - 1] == NULL;
        take_from_list(scanner, scanner->formatting_count - 1);
        if (marker)
            return;
    }
}

Node *listed_after_marker(const Scanner *scanner, Tag tag)
{
    for (int place = scanner->formatting_count - 1; place >= 0; place--) {
        Node *node = scanner->formatting[place];
        if (node == NULL || node->tag == tag)
            return node;
    }
    return NULL;
}

/* Whether every attribute of `one` is in `other` with the same value; `*count` is how many `one` has. */
static Status is_within(Scanner *scanner, Span one, Span other, bool *within, int *count)
{
    const char *at = one.at, *end = one.at + one.size;
    Span name, value, twin_name = {NULL, 0}, twin;
    *within = true;
    *count = 0;
    while (next_attribute(&at, end, &name, &value)) {
        const char *first = one.at, *there = other.at;
        while (next_attribute(&first, end, &twin_name, &twin) && !same_name(name, twin_name))
            ;
        if (twin_name.at != name.at)
            continue;  /* the second of its name does not count */
        ++*count;
        bool found = false;
        while (!found && next_attribute(&there, other.at + other.size, &twin_name, &twin))
            found = same_name(name, twin_name);
        Buffer *decoded = &scanner->decoded;
        decoded->size = 0;
        if (found) {
            TRY(add_decoded(decoded, value, true, scanner->doc->tools.entities));
            size_t size = decoded->size;
            TRY(add_decoded(decoded, twin, true, scanner->doc->tools.entities));
            found = decoded->size == 2 * size && (size == 0 || memcmp(decoded->data, decoded->data + size, size) == 0);
        }
        *within = *within && found;
    }
    return OK;
}

static Status same_attributes(Scanner *scanner, const Node *one, const Node *other, bool *same)
{
    Span first = one->piece.span, second = other->piece.span;
    *same = first.size == second.size && (first.size == 0 || memcmp(first.at, second.at, first.size) == 0);
    if (*same)
        return OK;
    int count, other_count;
    bool within, other_within;
    TRY(is_within(scanner, first, second, &within, &count));
    TRY(is_within(scanner, second, first, &other_within, &other_count));
    *same = within && other_within && count == other_count;
    return OK;
}

Status list_formatting(Scanner *scanner, Node *node)
{
    int equal = 0, earliest = -1;
    for (int place = scanner->formatting_count - 1; place >= 0 && scanner->formatting[place] != NULL; place--) {
        bool same;
        if (scanner->formatting[place]->tag != node->tag)
            continue;
        TRY(same_attributes(scanner, scanner->formatting[place], node, &same));
        if (same) {
            equal++;
            earliest = place;
        }
    }
    if (equal >= MOST_EQUAL)
        take_from_list(scanner, earliest);
    return add_to_list(scanner, scanner->formatting_count, node);
}

/* --- reopening ---------------------------------------------------------------------------------------------------- */

static Node *copy_of(Scanner *scanner, const Node *node)
{
    return new_element(scanner, node->tag, node->name, node->piece.span);
}

Status reconstruct(Scanner *scanner)
{
    int place = scanner->formatting_count;
    while (place > 0 && scanner->formatting[place - 1] != NULL && !scanner->formatting[place - 1]->open)
        place--;
    for (; place < scanner->formatting_count; place++) {
        Node *closed = scanner->formatting[place];
        Token token = {.kind = START_TAG, .tag = closed->tag, .name = closed->name, .attributes = closed->piece.span};
        TRY(insert_element(scanner, &token));
        closed->listed = false;
        scanner->formatting[place] = current(scanner);
        scanner->formatting[place]->listed = true;
    }
    return OK;
}

/* --- bad nesting -------------------------------------------------------------------------------------------------- */

/* Depth of the first SPECIAL element above `depth` on the stack; -1 when there is none. */
static int furthest_block(const Scanner *scanner, int depth)
{
    for (depth++; depth < scanner->depth; depth++)
        if (rules_of(html_tag(scanner->open[depth])) & SPECIAL || scanner->open[depth]->wall)
            return depth;
    return -1;
}

static int depth_of(const Scanner *scanner, const Node *node)
{
    int depth = scanner->depth - 1;
    while (depth >= 0 && scanner->open[depth] != node)
        depth--;
    return depth;
}

static void move(Node *node, Node *parent)
{
    remove_node(node);
    insert_node(parent, NULL, node);
}

/* The inner loop: the elements between `formatting` and `block` are copied around `block`. `*last` becomes the outermost
copy, `*bookmark` the place in the list where the copy of `formatting` belongs. */
static Status copy_between(Scanner *scanner, const Node *formatting, Node *block, Node **last, int *bookmark)
{
    int depth = depth_of(scanner, block);
    *last = block;
    for (int round = 1; scanner->open[--depth] != formatting; round++) {  /* it is on the stack, below `block` */
        Node *node = scanner->open[depth];
        int place = node->listed ? place_in_list(scanner, node) : -1;
        if (round > MOST_KEPT && place >= 0) {
            take_from_list(scanner, place);
            *bookmark -= place < *bookmark;
            place = -1;
        }
        if (place < 0) {
            take_from_stack(scanner, node);
            continue;
        }
        Node *copy = copy_of(scanner, node);
        NEED(copy != NULL);
        node->open = node->listed = false;
        copy->open = copy->listed = true;
        scanner->open[depth] = copy;
        scanner->formatting[place] = copy;
        if (*last == block)
            *bookmark = place + 1;
        move(*last, copy);
        *last = copy;
    }
    return OK;
}

/* One round of the outer loop for `formatting`, at `depth` on the stack, with `block` inside it. */
static Status adopt_once(Scanner *scanner, Node *formatting, int depth, Node *block)
{
    Node *ancestor = scanner->open[depth > 0 ? depth - 1 : 0], *last, *parent, *next;
    int bookmark = place_in_list(scanner, formatting);
    TRY(copy_between(scanner, formatting, block, &last, &bookmark));
    remove_node(last);
    find_place(scanner, ancestor, &parent, &next);
    insert_node(parent, next, last);
    Node *copy = copy_of(scanner, formatting);
    NEED(copy != NULL);
    if (scanner->arena.elements > scanner->most_elements)
        return FALL_BACK;
    move_children(block, copy);
    insert_node(block, NULL, copy);
    int place = place_in_list(scanner, formatting);
    take_from_list(scanner, place);
    TRY(add_to_list(scanner, bookmark - (place < bookmark), copy));
    take_from_stack(scanner, formatting);
    int below = depth_of(scanner, block) + 1;
    memmove(scanner->open + below + 1, scanner->open + below, sizeof(Node *) * (size_t)(scanner->depth - below));
    scanner->open[below] = copy;  /* in place of the one just taken */
    scanner->depth++;
    copy->open = true;
    return OK;
}

Status adopt(Scanner *scanner, const Token *token)
{
    if (is_named(current(scanner), token) && !current(scanner)->listed) {
        pop(scanner);
        return OK;
    }
    for (int round = 0; round < MOST_ROUNDS; round++) {
        Node *formatting = listed_after_marker(scanner, token->tag);
        if (formatting == NULL)
            return end_any(scanner, token);
        if (!formatting->open) {
            unlist(scanner, formatting);
            return OK;
        }
        int depth = depth_of(scanner, formatting);
        if (!is_in_scope(scanner, depth))
            return OK;
        int block = furthest_block(scanner, depth);
        if (block < 0) {
            pop_to(scanner, depth);
            unlist(scanner, formatting);
            return OK;
        }
        TRY(adopt_once(scanner, formatting, depth, scanner->open[block]));
    }
    return OK;
}
