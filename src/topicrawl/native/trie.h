/* The spellings of a topic's terms as a trie; edges are in a hash table. */

#ifndef TOPICRAWL_TRIE_H
#define TOPICRAWL_TRIE_H

#include "buffer.h"

enum { NO_TERM = -1, NO_NODE = 0, ROOT = 1 };

typedef struct {
    int32_t term;   /* term whose spelling ends here, or NO_TERM */
    uint8_t head;   /* kind that must not precede a spelling whose first character this is */
    uint8_t tail;   /* kind that must not follow one that ends here */
} Node;

typedef struct {
    Buffer nodes;             /* of Node; the first is not used, the second is the root */
    uint64_t *keys;           /* open addressing: parent << 21 | character, 0 in a free slot */
    int32_t *children;
    size_t mask, used;
} Trie;

static inline size_t trie_slot(const Trie *trie, uint64_t key)
{
    uint64_t mixed = key * 0x9E3779B97F4A7C15u;
    size_t slot = (size_t)(mixed >> 32) & trie->mask;
    while (trie->keys[slot] != 0 && trie->keys[slot] != key)  /* ends: a quarter of the slots is always free */
        slot = (slot + 1) & trie->mask;
    return slot;
}

/* The child of `node` by `character`, NO_NODE when there is none. */
static inline int32_t trie_child(const Trie *trie, int32_t node, Py_UCS4 character)
{
    return trie->children[trie_slot(trie, (uint64_t)node << 21 | character)];
}

static inline Node *trie_node(const Trie *trie, int32_t node)
{
    return (Node *)trie->nodes.data + node;
}

bool trie_init(Trie *trie);
bool trie_add(Trie *trie, PyObject *spelling, int32_t term, uint8_t head, uint8_t tail);
void trie_free(Trie *trie);

#endif
