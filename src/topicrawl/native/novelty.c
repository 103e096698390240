/* Which parts of a text are new: the numbers of frontier/piece_filter.py. */

#include "novelty.h"

#include "fetch.h"

#include <stdbool.h>
#include <stdint.h>

enum { SHORTEST = 8, LONG = 6, HALF = 600, MOST_WORDS = HALF / (LONG + 1) + 1 };  /* as in frontier/piece_filter.py */
enum { AT_ONCE = 32 };  /* pieces whose bits are fetched from memory together */

typedef struct {
    int kind;
    const void *data;
    Py_ssize_t length;
    uint8_t *known;
    uint32_t mask;  /* of bits */
    int waiting;    /* pieces that are not recorded yet */
    uint32_t places[AT_ONCE];
    Py_ssize_t weights[AT_ONCE];
} Sample;

static uint32_t table[256];

static void fill_table(void)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t sum = byte;
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320u : 0);
        table[byte] = sum;
    }
}

static inline uint32_t add_byte(uint32_t sum, uint32_t byte)
{
    return sum >> 8 ^ table[(sum ^ byte) & 0xFF];
}

/* CRC-32 of the UTF-8 of the characters from `begin` to `end`, after `salt`; a lone surrogate counts as `?`. */
static uint32_t checksum(const Sample *sample, Py_ssize_t begin, Py_ssize_t end, uint32_t salt)
{
    uint32_t sum = ~salt;
    for (Py_ssize_t at = begin; at < end; at++) {
        Py_UCS4 c = PyUnicode_READ(sample->kind, sample->data, at);
        if (c >= 0xD800 && c <= 0xDFFF)
            c = '?';
        if (c < 0x80) {
            sum = add_byte(sum, c);
            continue;
        }
        if (c < 0x800) {
            sum = add_byte(sum, 0xC0 | c >> 6);
        } else {
            if (c < 0x10000) {
                sum = add_byte(sum, 0xE0 | c >> 12);
            } else {
                sum = add_byte(sum, 0xF0 | c >> 18);
                sum = add_byte(sum, 0x80 | (c >> 12 & 0x3F));
            }
            sum = add_byte(sum, 0x80 | (c >> 6 & 0x3F));
        }
        sum = add_byte(sum, 0x80 | (c & 0x3F));
    }
    return ~sum;
}

/* Record the pieces that wait, in order; add the weights of those that were unknown to `fresh`. */
static void record_waiting(Sample *sample, Py_ssize_t *fresh)
{
    for (int i = 0; i < sample->waiting; i++) {
        uint8_t *known = sample->known + (sample->places[i] >> 3);
        uint8_t bit = (uint8_t)(1 << (sample->places[i] & 7));
        *fresh += *known & bit ? 0 : sample->weights[i];
        *known |= bit;
    }
    sample->waiting = 0;
}

/* Record the characters from `begin` to `end`, now or later; `weight` is added to `fresh` if they were unknown. */
static void record(Sample *sample, Py_ssize_t begin, Py_ssize_t end, uint32_t salt, Py_ssize_t weight,
                   Py_ssize_t *fresh)
{
    uint32_t place = checksum(sample, begin, end, salt) & sample->mask;
    FETCH(sample->known + (place >> 3));
    sample->places[sample->waiting] = place;
    sample->weights[sample->waiting] = weight;
    if (++sample->waiting == AT_ONCE)
        record_waiting(sample, fresh);
}

static bool cuts(Py_UCS4 c)
{
    if (c < 0x80)
        return c == '\n' || c == '.' || c == '!' || c == '?' || (c >= '0' && c <= '9');
    return c == 0x3002 || c == 0xFF01 || c == 0xFF1F || Py_UNICODE_ISDECIMAL(c);
}

static void learn_pieces(Sample *sample, uint32_t salt, Py_ssize_t *total, Py_ssize_t *fresh)
{
    Py_ssize_t begin = 0;
    for (Py_ssize_t at = 0; at <= sample->length; at++) {
        if (at < sample->length && !cuts(PyUnicode_READ(sample->kind, sample->data, at)))
            continue;
        if (at - begin >= SHORTEST) {
            *total += at - begin;
            record(sample, begin, at, salt, at - begin, fresh);
        }
        begin = at + 1;
    }
    record_waiting(sample, fresh);
}

static bool are_same(const Sample *sample, Py_ssize_t one, Py_ssize_t other, Py_ssize_t length)
{
    for (Py_ssize_t i = 0; i < length; i++)
        if (PyUnicode_READ(sample->kind, sample->data, one + i) != PyUnicode_READ(sample->kind, sample->data, other + i))
            return false;
    return true;
}

static void learn_words(Sample *sample, uint32_t salt, Py_ssize_t *words, Py_ssize_t *fresh)
{
    Py_ssize_t begins[MOST_WORDS], lengths[MOST_WORDS], begin = 0;
    Py_ssize_t length = sample->length < HALF ? sample->length : HALF;
    for (Py_ssize_t at = 0; at <= length; at++) {
        if (at < length && !Py_UNICODE_ISSPACE(PyUnicode_READ(sample->kind, sample->data, at)))
            continue;
        bool counts = at - begin >= LONG;
        for (Py_ssize_t i = 0; counts && i < *words; i++)
            counts = lengths[i] != at - begin || !are_same(sample, begins[i], begin, at - begin);
        if (counts) {
            begins[*words] = begin;  /* a word and the space after it take LONG + 1 characters: they fit */
            lengths[*words] = at - begin;
            ++*words;
            record(sample, begin, at, salt, 1, fresh);
        }
        begin = at + 1;
    }
    record_waiting(sample, fresh);
}

PyObject *novelty_learn(PyObject *module, PyObject *arguments)
{
    PyObject *text;
    unsigned int salt;
    Py_buffer known;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "UIw*", &text, &salt, &known))
        return NULL;
    if (table[1] == 0)
        fill_table();
    PyObject *counted = NULL;
    if (known.len == 0 || (known.len & (known.len - 1)) != 0 || known.len > 1 << 28) {
        PyErr_SetString(PyExc_ValueError, "the filter must have a power of two of bytes, at most 2^28");
    } else {
        Sample sample = {PyUnicode_KIND(text), PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text), known.buf,
                         (uint32_t)(known.len * 8 - 1), 0, {0}, {0}};
        Py_ssize_t letters = 0, new_letters = 0, words = 0, new_words = 0;
        learn_pieces(&sample, salt, &letters, &new_letters);
        learn_words(&sample, ~salt, &words, &new_words);
        counted = Py_BuildValue("nnnn", letters, new_letters, words, new_words);
    }
    PyBuffer_Release(&known);
    return counted;
}
