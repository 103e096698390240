/* Words and their numbers by hash (topic/words.py): only new words become strings. */

#ifndef TOPICRAWL_WORD_TABLE_H
#define TOPICRAWL_WORD_TABLE_H

#include "buffer.h"

#define HASH_BASE 0x9E3779B97F4A7C15u  /* as in topic/words.py */

typedef struct {
    uint64_t hash;
    int64_t number;  /* FREE in a free slot; below that a new word that has no number yet */
} Slot;

enum { FREQUENT = 4096 };

typedef struct {
    Slot *slots;  /* open addressing; at least a quarter is free */
    size_t mask, used;
    Slot frequent[FREQUENT];  /* words met lately, by the first bits of their hash: they fit a processor's cache */
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

/* A word is looked up in three steps, each for several words at a time, as neither table is in the processor's cache. First
   have it fetch what `table_expect` will read. */
void table_fetch(const WordTable *table, uint64_t hash);

/* The number of a word that was met lately. For any other word NOT_MET, and the processor fetches what `table_number` will
   read. */
int64_t table_expect(const WordTable *table, uint64_t hash);

/* The number of a word, or a placeholder below NOT_MET for a new one; 0 with an exception set on failure. `letters` are the
   word's own, which are read only if it is new. */
int64_t table_number(WordTable *table, uint64_t hash, PyObject *(*word)(const void *), const void *letters);

/* Ask for the numbers of all new words, and put them in place of the placeholders; false with an exception set when
   that fails. The table then forgets all words, which are asked for again. */
bool table_settle(WordTable *table, int64_t *numbers, size_t count);

#endif
