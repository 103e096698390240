/* The tree of a page, built as the HTML standard says. All memory of a tree is taken from one arena and freed at once. */

#ifndef TOPICRAWL_NODES_H
#define TOPICRAWL_NODES_H

#include "ascii.h"
#include "reader.h"

typedef struct Block Block;

typedef struct {
    Block *last;
    size_t elements;  /* taken so far */
} Arena;

/* `size` zeroed bytes; NULL with a MemoryError set when there are none. */
void *arena_take(Arena *arena, size_t size);
void arena_free(Arena *arena);

typedef struct Piece {
    Span span;
    struct Piece *next;
} Piece;

typedef enum { ELEMENT, TEXT, COMMENT } Kind;
typedef enum { HTML, SVG, MATH } Space;
/* Elements of SVG and MathML whose content is read as HTML: all of it, or its text and most of its tags. */
typedef enum { NO_POINT, HTML_POINT, TEXT_POINT } Point;

typedef struct Node {
    struct Node *parent, *first, *last, *previous, *next;
    Span name;           /* as written; it distinguishes elements whose tag is OTHER */
    Piece piece;         /* a text, or the attributes of an element as written; html may have more than one of them */
    Piece *last_piece;
    uint8_t kind, tag, space, point;  /* Kind, Tag, Space, Point */
    uint32_t label;      /* in tag paths; 0 as long as it is not needed */
    bool open;           /* on the stack of open elements */
    bool listed;         /* in the list of active formatting elements */
    bool wall;           /* of SVG or MathML, and ends every scope */
} Node;

Node *new_node(Arena *arena, Kind kind);
/* Put `node`, which has no parent, before `next`, a child of `parent`; at the end when `next` is NULL. */
void insert_node(Node *parent, Node *next, Node *node);
void remove_node(Node *node);
/* Move all children of `from` to the end of `to`. */
void move_children(Node *from, Node *to);
/* Append a part to a text or to the attributes of html. */
Status add_piece(Arena *arena, Node *node, Span span);

/* The tag of an element of HTML; OTHER for one of SVG and MathML. */
static inline Tag html_tag(const Node *node)
{
    return node->space == HTML ? (Tag)node->tag : OTHER;
}

/* Whether two names are equal, ignoring case. */
static inline bool same_name(Span one, Span other)
{
    bool same = one.size == other.size;
    for (size_t i = 0; same && i < one.size; i++)
        same = lower(one.at[i]) == lower(other.at[i]);
    return same;
}

static inline uint32_t rules_of(Tag tag)
{
    return tag_rules[tag].rules;
}

#endif
