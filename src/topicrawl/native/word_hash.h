/* The hash of a word, by a key that is drawn at random for each table: who does not know it cannot choose words that
   share a slot. Tables compare hashes, not words. Two words of up to 16 bytes, chosen without the key, have equal hashes
   with a probability of 2^-64, because the hash is strongly universal: two independent sums of products, 32 bits of each
   (MULTILINEAR in D. Lemire and O. Kaser, Strongly universal string hashing is fast, The Computer Journal 57, 2014).
   Longer words are hashed by SipHash-1-3, as strings of Python are. So of 2^23 tables with two million words one is
   expected to take two words for one. Hashes are never stored, and no number depends on them. */

#ifndef TOPICRAWL_WORD_HASH_H
#define TOPICRAWL_WORD_HASH_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>

enum { SHORT_WORD = 16, PIECES = 4 };  /* bytes of a word that is hashed in one step, and pieces of four bytes in it */

typedef struct {
    uint64_t high[1 + PIECES], low[1 + PIECES];  /* of short words */
    uint64_t of_long[2];
} HashKey;

/* Draw a key; false with an exception set when that fails. */
bool hash_key_init(HashKey *key);

/* The hash of a word of up to 16 bytes, the first eight and the others; what is missing is 0. */
static inline uint64_t hash_short(const HashKey *key, uint64_t first, uint64_t second)
{
    const uint64_t pieces[PIECES] = {(uint32_t)first, first >> 32, (uint32_t)second, second >> 32};
    uint64_t high = key->high[0], low = key->low[0];
    for (int i = 0; i < PIECES; i++) {
        high += key->high[1 + i] * pieces[i];
        low += key->low[1 + i] * pieces[i];
    }
    uint64_t hash = (high >> 32 << 32) | low >> 32;
    hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;  /* makes no two hashes one; words in a row get slots in no order */
    return hash ^ hash >> 32;
}

/* The hash of a word that is given piece by piece: bytes of ASCII, or other letters in four bytes whose last bit is set,
   so that no two words are given the same bytes. */
typedef struct {
    const HashKey *key;
    uint64_t first, second;  /* the first 16 bytes */
    uint64_t block;          /* the last bytes, up to seven */
    uint64_t state[4];       /* of SipHash, once there are more than 16 bytes */
    uint64_t bits;           /* given so far */
} Hash;

/* Take a block of eight bytes. */
void hash_block(Hash *hash);

static inline void hash_piece(Hash *hash, uint32_t piece, int bits)
{
    hash->block |= (uint64_t)piece << hash->bits % 64;
    hash->bits += (uint64_t)bits;
    if (hash->bits % 64 == 0)
        hash_block(hash);
}

uint64_t hash_end(Hash *hash);

#endif
