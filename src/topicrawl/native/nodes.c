#include "nodes.h"

enum { BLOCK_SIZE = 1 << 16 };

struct Block {
    Block *before;
    size_t used, size;
    max_align_t data[];
};

void *arena_take(Arena *arena, size_t size)
{
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (arena->last == NULL || arena->last->size - arena->last->used < size) {
        size_t capacity = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        Block *block = PyMem_Malloc(sizeof(Block) + capacity);
        if (block == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        *block = (Block){arena->last, 0, capacity};
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
