#include "nodes.h"

enum { BLOCK_SIZE = 1 << 16 };

/* what needs the widest alignment of all that is kept here: max_align_t, which the C headers of MSVC lack */
typedef union { long long number; double real; void *pointer; } Widest;

struct Block {
    Block *before;
    size_t used, size;
    Widest data[];
};

void *arena_take(Arena *arena, size_t size)
{
    size = (size + sizeof(Widest) - 1) / sizeof(Widest) * sizeof(Widest);
    if (arena->last == NULL || arena->last->size - arena->last->used < size) {
        size_t capacity = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        Block *block = PyMem_Malloc(sizeof(Block) + capacity);
        if (block == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        block->before = arena->last;
        block->used = 0;
        block->size = capacity;
        arena->last = block;
    }
    char *taken = (char *)arena->last->data + arena->last->used;
    arena->last->used += size;
    return memset(taken, 0, size);
}

void arena_free(Arena *arena)
{
    for (Block *block = arena->last, *before; block != NULL; block = before) {
        before = block->before;
        PyMem_Free(block);
    }
    *arena = (Arena){0};
}

Node *new_node(Arena *arena, Kind kind)
{
    Node *node = arena_take(arena, sizeof *node);
    if (node != NULL)
        node->kind = (uint8_t)kind;
    return node;
}

void insert_node(Node *parent, Node *next, Node *node)
{
    Node *previous = next != NULL ? next->previous : parent->last;
    node->parent = parent;
    node->previous = previous;
    node->next = next;
    *(previous != NULL ? &previous->next : &parent->first) = node;
    *(next != NULL ? &next->previous : &parent->last) = node;
}

void remove_node(Node *node)
{
    Node *parent = node->parent;
    if (parent == NULL)
        return;
    *(node->previous != NULL ? &node->previous->next : &parent->first) = node->next;
    *(node->next != NULL ? &node->next->previous : &parent->last) = node->previous;
    node->parent = node->previous = node->next = NULL;
}

void move_children(Node *from, Node *to)
{
    while (from->first != NULL) {
        Node *child = from->first;
        remove_node(child);
        insert_node(to, NULL, child);
    }
}

Status add_piece(Arena *arena, Node *node, Span span)
{
    if (node->last_piece == NULL) {
        node->piece.span = span;
        node->last_piece = &node->piece;
        return OK;
    }
    Piece *piece = arena_take(arena, sizeof *piece);
    NEED(piece != NULL);
    piece->span = span;
    node->last_piece->next = piece;
    node->last_piece = piece;
    return OK;
}
