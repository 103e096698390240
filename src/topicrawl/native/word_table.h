/* Words and their numbers by hash (word_hash.h): only new words become strings. */

#ifndef TOPICRAWL_WORD_TABLE_H
#define TOPICRAWL_WORD_TABLE_H

#include "buffer.h"
#include "fetch.h"
#include "word_hash.h"

typedef struct {
    uint64_t hash;
    int64_t number;  /* FREE in a free slot; below that a new word that has no number yet */
} Slot;

enum { FREQUENT = 16384 };

typedef struct {
    Slot *slots;  /* open addressing; at least a quarter is free */
    size_t mask, used;
    HashKey key;
    Slot frequent[FREQUENT];  /* words met lately, by the first bits of their hash: they fit the cache of a core */
    PyObject *number_all;  /* Python function: the numbers of new words */
    PyObject *new_words;   /* those that it was not yet asked about, a list */
    Buffer new_hashes;     /* of uint64_t, one for each */
} WordTable;

/* False with an exception set when that fails. */
bool table_init(WordTable *table, PyObject *number_all);
void table_free(WordTable *table);

/* Forget all words, which are asked for again, if there are millions, so that the memory of a long crawl is bounded. Call
   it before a text is read: placeholders are only valid until then. */
void table_tidy(WordTable *table);

enum { NOT_MET = -1 };
#define NO_NUMBER INT64_MIN

/* The number of a word that was met lately. For any other word NOT_MET, and the processor fetches what `table_number` will
   read: look up several words before that. */
static inline int64_t table_expect(const WordTable *table, uint64_t hash)
{
    const Slot *frequent = &table->frequent[hash >> 50];  /* 14 bits: below FREQUENT */
    if (frequent->hash == hash)
        return frequent->number;  /* NOT_MET if it is free */
    FETCH(&table->slots[hash & table->mask]);
    return NOT_MET;
}

/* The number of a word, or a placeholder below NOT_MET for a new one; NO_NUMBER with an exception set on failure. `letters` are the
   word's own, which are read only if it is new. */
int64_t table_number(WordTable *table, uint64_t hash, PyObject *(*word)(const void *), const void *letters);

/* Ask for the numbers of all new words, and put them in place of the placeholders; false with an exception set when
   that fails. The table then forgets all words, which are asked for again. */
bool table_settle(WordTable *table, int64_t *numbers, size_t count);

#endif
