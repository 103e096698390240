#include "word_hash.h"

#include <string.h>

bool hash_key_init(HashKey *key)
{
    PyObject *os = PyImport_ImportModule("os");
    PyObject *drawn = os == NULL ? NULL : PyObject_CallMethod(os, "urandom", "n", (Py_ssize_t)sizeof *key);
    bool done = drawn != NULL && PyBytes_Check(drawn) && PyBytes_GET_SIZE(drawn) == (Py_ssize_t)sizeof *key;
    if (done)
        memcpy(key, PyBytes_AS_STRING(drawn), sizeof *key);
    else if (!PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "random bytes are bytes, as many as were asked for");
    Py_XDECREF(os);
    Py_XDECREF(drawn);
    return done;
}

static uint64_t rotated(uint64_t bits, int places)
{
    return bits << places | bits >> (64 - places);
}

static void sip_round(uint64_t *state)
{
    state[0] += state[1];
    state[1] = rotated(state[1], 13) ^ state[0];
    state[0] = rotated(state[0], 32);
    state[2] += state[3];
    state[3] = rotated(state[3], 16) ^ state[2];
    state[0] += state[3];
    state[3] = rotated(state[3], 21) ^ state[0];
    state[2] += state[1];
    state[1] = rotated(state[1], 17) ^ state[2];
    state[2] = rotated(state[2], 32);
}

static void sip_block(uint64_t *state, uint64_t block)
{
    state[3] ^= block;
    sip_round(state);
    state[0] ^= block;
}

static void sip_begin(uint64_t *state, const uint64_t *key)
{
    state[0] = key[0] ^ 0x736F6D6570736575u;
    state[1] = key[1] ^ 0x646F72616E646F6Du;
    state[2] = key[0] ^ 0x6C7967656E657261u;
    state[3] = key[1] ^ 0x7465646279746573u;
}

static uint64_t sip_end(uint64_t *state)
{
    state[2] ^= 0xFF;
    for (int i = 0; i < 3; i++)
        sip_round(state);
    return state[0] ^ state[1] ^ state[2] ^ state[3];
}

void hash_block(Hash *hash)
{
    if (hash->bits == 64)
        hash->first = hash->block;
    else if (hash->bits == 8 * SHORT_WORD)
        hash->second = hash->block;
    else if (hash->bits == 8 * SHORT_WORD + 64) {  /* it is a long word */
        sip_begin(hash->state, hash->key->of_long);
        sip_block(hash->state, hash->first);
        sip_block(hash->state, hash->second);
    }
    if (hash->bits > 8 * SHORT_WORD)
        sip_block(hash->state, hash->block);
    hash->block = 0;
}

uint64_t hash_end(Hash *hash)
{
    uint64_t bytes = hash->bits / 8;
    hash->bits = (hash->bits + 63) / 64 * 64;  /* the last block ends with zeros */
    if (bytes % 8 != 0)
        hash_block(hash);
    if (bytes <= SHORT_WORD)
        return hash_short(hash->key, hash->first, hash->second);
    sip_block(hash->state, bytes << 56);
    return sip_end(hash->state);
}
