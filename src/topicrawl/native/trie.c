#include "trie.h"

enum { FIRST_SLOTS = 64, MAX_NODES = 1 << 30 };

static bool add_node(Trie *trie)
{
    Node node = {NO_TERM, 0, 0};
    if (trie->nodes.size / sizeof node >= MAX_NODES) {
        PyErr_NoMemory();
        return false;
    }
    return buffer_add(&trie->nodes, &node, sizeof node);
}

static bool resize(Trie *trie, size_t slots)
{
    uint64_t *old_keys = trie->keys;
    int32_t *old_children = trie->children;
    size_t old_slots = old_keys == NULL ? 0 : trie->mask + 1;
    trie->keys = PyMem_Calloc(slots, sizeof *trie->keys);
    trie->children = PyMem_Calloc(slots, sizeof *trie->children);
    if (trie->keys == NULL || trie->children == NULL) {
        PyMem_Free(trie->keys);
        PyMem_Free(trie->children);
        trie->keys = old_keys;
        trie->children = old_children;
        PyErr_NoMemory();
        return false;
    }
    trie->mask = slots - 1;
    for (size_t i = 0; i < old_slots; i++) {
        if (old_keys[i] == 0)
            continue;
        size_t slot = trie_slot(trie, old_keys[i]);
        trie->keys[slot] = old_keys[i];
        trie->children[slot] = old_children[i];
    }
    PyMem_Free(old_keys);
    PyMem_Free(old_children);
    return true;
}

bool trie_init(Trie *trie)
{
    return add_node(trie) && add_node(trie) && resize(trie, FIRST_SLOTS);
}

/* The child of `node` by `character`, added if absent; NO_NODE with an exception set when that fails. */
static int32_t child_or_new(Trie *trie, int32_t node, Py_UCS4 character)
{
    uint64_t key = (uint64_t)node << 21 | character;
    if (4 * trie->used >= 3 * trie->mask && !resize(trie, 2 * (trie->mask + 1)))
        return NO_NODE;
    size_t slot = trie_slot(trie, key);
    if (trie->keys[slot] == 0) {
        int32_t child = (int32_t)(trie->nodes.size / sizeof(Node));  /* below MAX_NODES */
        if (!add_node(trie))
            return NO_NODE;
        trie->keys[slot] = key;
        trie->children[slot] = child;
        trie->used++;
    }
    return trie->children[slot];
}

bool trie_add(Trie *trie, PyObject *spelling, int32_t term, uint8_t head, uint8_t tail)
{
    int32_t node = ROOT;
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(spelling); i++) {
        node = child_or_new(trie, node, PyUnicode_READ_CHAR(spelling, i));
        if (node == NO_NODE)
            return false;
        if (i == 0)
            trie_node(trie, node)->head = head;
    }
    if (node == ROOT)
        return true;
    Node *last = trie_node(trie, node);
    last->tail = tail;
    if (last->term == NO_TERM || term < last->term)
        last->term = term;
    return true;
}

void trie_free(Trie *trie)
{
    buffer_free(&trie->nodes);
    PyMem_Free(trie->keys);
    PyMem_Free(trie->children);
}
