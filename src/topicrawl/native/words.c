/* The words of texts as numbers: text/word_numbers.py in C. */

#include "words.h"

typedef struct {
    const Text *text;
    Py_ssize_t start, end;
} Span;

/* Characters as codes: an ASCII letter in lower case, 0 for what is in no word, OTHER for letters beyond ASCII. So words are
   found and hashed many characters at a time, and the few words with others one by one. */
enum { OTHER = 0xFF, ASCII = 0x80, STRETCH = 64, MOST_WORDS = 512, WORD = 8, LONG = 2 * WORD };
enum { LONGEST_KEPT = 1 << 18 };  /* characters of a text whose memory is kept */
#define HIGH_BITS 0x8080808080808080u
#define WIDE_BIT 0x80000000u

/* Words that are found and not yet looked up. */
typedef struct {
    int64_t starts[MOST_WORDS], ends[MOST_WORDS];
    uint64_t hashes[MOST_WORDS];
    int count;
} Pending;

/* The word at a `Span`, folded. */
static PyObject *word_at(const void *place)
{
    const Span *span = place;
    Py_UCS4 most = 0;
    for (Py_ssize_t at = span->start; at < span->end; at++) {
        Py_UCS4 folded = folded_at(span->text, at);
        most = folded > most ? folded : most;
    }
    PyObject *word = PyUnicode_New(span->end - span->start, most);
    for (Py_ssize_t at = span->start; word != NULL && at < span->end; at++)
        PyUnicode_WRITE(PyUnicode_KIND(word), PyUnicode_DATA(word), at - span->start, folded_at(span->text, at));
    return word;
}

uint64_t hash_folded(const HashKey *key, const Text *text, Py_ssize_t start, Py_ssize_t end)
{
    Hash hash = {.key = key};
    bool wide = false;
    for (Py_ssize_t at = start; at < end && !wide; at++)
        wide = folded_at(text, at) >= ASCII;
    for (Py_ssize_t at = start; at < end; at++)
        hash_piece(&hash, folded_at(text, at) | (wide ? WIDE_BIT : 0), wide ? 32 : 8);
    return hash_end(&hash);
}

/* Look up all words that were found. */
static bool add_words(Words *self, const Text *text, Pending *pending)
{
    Reading *reading = &self->reading;
    size_t size = (size_t)pending->count * sizeof(int64_t);
    int missing[MOST_WORDS], count = 0;
    if (!buffer_add(&reading->starts, pending->starts, size) || !buffer_reserve(&reading->numbers, size))
        return false;
    int64_t *numbers = (int64_t *)(reading->numbers.data + reading->numbers.size);
    for (int i = 0; i < pending->count; i++) {
        numbers[i] = table_expect(&self->table, pending->hashes[i]);
        missing[count] = i;
        count += numbers[i] == NOT_MET;
    }
    for (int i = 0; i < count; i++) {
        int at = missing[i];
        Span span = {text, (Py_ssize_t)pending->starts[at], (Py_ssize_t)pending->ends[at]};
        numbers[at] = table_number(&self->table, pending->hashes[at], word_at, &span);
        if (numbers[at] == NO_NUMBER)
            return false;
    }
    reading->numbers.size += size;
    pending->count = 0;
    return true;
}

static inline bool add_word(Words *self, const Text *text, Pending *pending, Py_ssize_t start, Py_ssize_t end, uint64_t hash)
{
    pending->starts[pending->count] = start;
    pending->ends[pending->count] = end;
    pending->hashes[pending->count] = hash;
    return ++pending->count < MOST_WORDS || add_words(self, text, pending);
}

/* Whether the word that begins at `at` is a single character. */
static bool is_single(const Text *text, Py_ssize_t at)
{
    int kind = kind_at(text, at);
    return kind == RUNNING || (kind == LETTER && kind_at(text, at + 1) != LETTER);
}

/* The words of a run of letters of any kind, one by one. */
static bool read_run(Words *self, const Text *text, Py_ssize_t at, Py_ssize_t run_end, Pending *pending)
{
    for (Py_ssize_t next; at < run_end; at = next) {
        next = at + 1;
        if (kind_at(text, at) == LETTER)
            while (next < run_end && kind_at(text, next) == LETTER)
                next++;
        Py_ssize_t end = self->pairs && next == at + 1 && is_single(text, next) ? next + 1 : next;
        if (!add_word(self, text, pending, at, end, hash_folded(&self->table.key, text, at, end)))
            return false;
    }
    return true;
}

/* The eight codes from `at` on, the first in the last bits. */
static inline uint64_t eight(const uint8_t *at)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t codes;
    memcpy(&codes, at, sizeof codes);
#else
    uint64_t codes = 0;
    for (int i = 0; i < WORD; i++)
        codes |= (uint64_t)at[i] << 8 * i;
#endif
    return codes;
}

/* The bits of the first codes of eight, at most all, 0 for a number below 0. */
static inline uint64_t first_codes(int64_t number)
{
    static const uint64_t bits[] = {0, 0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF, 0xFFFFFFFFFF, 0xFFFFFFFFFFFF, 0xFFFFFFFFFFFFFF,
                                    UINT64_MAX};
    return bits[number < 0 ? 0 : number > WORD ? WORD : number];
}

/* The words between two places that have nothing but letters between them. After the codes are `LONG` zeros. */
static inline bool read_between(Words *self, const Text *text, Py_ssize_t start, Py_ssize_t end, Pending *pending)
{
    const uint8_t *codes = (const uint8_t *)self->reading.codes.data + start;
    uint64_t first = eight(codes) & first_codes(end - start), second = eight(codes + WORD) & first_codes(end - start - WORD);
    if (end - start > LONG || ((first | second) & HIGH_BITS) != 0)
        return read_run(self, text, start, end, pending);
    return add_word(self, text, pending, start, end, hash_short(&self->table.key, first, second));
}

/* Which of 64 codes are in words, as bits; whether one of them is OTHER. */
static inline uint64_t in_words(const uint8_t *codes, bool *has_others)
{
    uint64_t found = 0, high = 0;
    for (int i = 0; i < STRETCH / WORD; i++) {
        uint64_t some = eight(codes + i * WORD);
        high |= some;
        uint64_t letters = (((some & ~HIGH_BITS) + ~HIGH_BITS) | some) & HIGH_BITS;  /* the first bit of each that is not 0 */
        found |= (letters >> 7) * 0x0102040810204080u >> 56 << i * WORD;
    }
    *has_others = (high & HIGH_BITS) != 0;
    return found;
}

/* Find out which of the codes that are OTHER are letters, and set those of all others to 0. */
static bool read_others(Words *self, const Text *text, Py_ssize_t first)
{
    uint8_t *codes = (uint8_t *)self->reading.codes.data;
    for (Py_ssize_t at = first; at < first + STRETCH && at < text->length; at++) {
        if (codes[at] != OTHER)
            continue;
        const Letter *letter = letter_met(&self->kinds, PyUnicode_READ(text->kind, text->data, at));
        if (letter == NULL)
            return false;
        codes[at] = letter->kind == LETTER || letter->kind == RUNNING ? OTHER : 0;
    }
    return true;
}

static inline int first_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return __builtin_ctzll(bits);
#else
    int place = 0;
    for (; (bits & 1) == 0; bits >>= 1)
        place++;
    return place;
#endif
}

/* The words of a text whose codes are set. */
static bool read_codes(Words *self, const Text *text, Pending *pending)
{
    uint8_t *codes = (uint8_t *)self->reading.codes.data;
    uint64_t before = 0;  /* whether the last character before is in a word */
    Py_ssize_t start = 0;
    for (Py_ssize_t first = 0; first <= text->length; first += STRETCH) {
        bool has_others;
        uint64_t inside = in_words(codes + first, &has_others);
        if (has_others) {
            if (!read_others(self, text, first))
                return false;
            inside = in_words(codes + first, &has_others);
        }
        /* where words begin, and where they have ended: by turns */
        for (uint64_t turns = inside ^ (inside << 1 | before); turns != 0; turns &= turns - 1) {
            Py_ssize_t at = first + first_bit(turns);
            if (before == 0)
                start = at;
            else if (!read_between(self, text, start, at, pending))
                return false;
            before ^= 1;
        }
    }
    return true;
}

/* Set the codes of characters of this type: without a branch, so that compilers make a few wide instructions of it. */
#define CODES_OF(type, name)                                                                          \
    static void name(const type *restrict characters, Py_ssize_t length, uint8_t *restrict codes)     \
    {                                                                                                 \
        for (Py_ssize_t i = 0; i < length; i++) {                                                     \
            type lower = (type)(characters[i] | 0x20), is_letter = (type) - ((type)(lower - 'a') < 26); \
            type is_other = (type) - (characters[i] >= ASCII);                                        \
            codes[i] = (uint8_t)((lower & is_letter) | is_other);                                     \
        }                                                                                             \
    }

CODES_OF(uint8_t, codes_of_1)
CODES_OF(uint16_t, codes_of_2)
CODES_OF(uint32_t, codes_of_4)

static bool read_words(Words *self, const Text *text)
{
    Reading *reading = &self->reading;
    Pending pending = {.count = 0};
    size_t length = (size_t)text->length, all = (length / STRETCH + 1) * STRETCH + LONG;
    reading->codes.size = reading->numbers.size = reading->starts.size = 0;
    if (!buffer_reserve(&reading->codes, all))
        return false;
    uint8_t *codes = (uint8_t *)reading->codes.data;
    memset(codes + length, 0, all - length);
    if (text->kind == PyUnicode_1BYTE_KIND)
        codes_of_1(text->data, text->length, codes);
    else if (text->kind == PyUnicode_2BYTE_KIND)
        codes_of_2(text->data, text->length, codes);
    else
        codes_of_4(text->data, text->length, codes);
    return read_codes(self, text, &pending) && add_words(self, text, &pending);
}

static PyObject *as_bytes(const Buffer *buffer)
{
    return PyByteArray_FromStringAndSize(buffer->data, (Py_ssize_t)buffer->size);
}

static void free_reading(Reading *reading)
{
    buffer_free(&reading->codes);
    buffer_free(&reading->numbers);
    buffer_free(&reading->starts);
}

static PyObject *words_read(PyObject *object, PyObject *string)
{
    Words *self = (Words *)object;
    PyObject *read = NULL;
    if (!PyUnicode_Check(string))
        return PyErr_Format(PyExc_TypeError, "a text is a str");
    if (self->table.slots == NULL)
        return PyErr_Format(PyExc_TypeError, "Words was not initialized");
    Text text = {PyUnicode_KIND(string), PyUnicode_DATA(string), PyUnicode_GET_LENGTH(string), &self->kinds};
    table_tidy(&self->table);
    (void)read_words(self, &text);  /* where it fails, this fails too and forgets what is half read: */
    Reading reading = self->reading;
    self->reading = (Reading){0};  /* Python code that is called may read another text */
    if (table_settle(&self->table, (int64_t *)reading.numbers.data, reading.numbers.size / sizeof(int64_t)))
        read = Py_BuildValue("NN", as_bytes(&reading.numbers), as_bytes(&reading.starts));
    free_reading(&self->reading);
    if (text.length > LONGEST_KEPT)
        free_reading(&reading);
    self->reading = reading;
    return read;
}

/* Whether the letters of ASCII are read as their codes say; sets an exception if not. */
static bool has_plain_letters(const Kinds *kinds)
{
    for (Py_UCS4 c = 0; c < ASCII; c++) {
        const Letter *letter = letter_of(kinds, c);
        bool is_letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
        if ((letter->kind == LETTER) != is_letter || letter->kind == RUNNING || (is_letter && letter->folded != (c | 0x20))) {
            PyErr_SetString(PyExc_ValueError, "the letters of ASCII are folded to lower case, and no other character is one");
            return false;
        }
    }
    return true;
}

static int words_init(PyObject *object, PyObject *arguments, PyObject *named)
{
    Words *self = (Words *)object;
    PyObject *number_all, *fold, *kinds;
    int pairs;
    (void)named;
    if (self->table.number_all != NULL) {
        PyErr_SetString(PyExc_TypeError, "Words is already initialized");
        return -1;
    }
    if (!PyArg_ParseTuple(arguments, "OOOp", &number_all, &fold, &kinds, &pairs))
        return -1;
    self->pairs = pairs;
    return kinds_init(&self->kinds, fold, kinds) && has_plain_letters(&self->kinds) && table_init(&self->table, number_all)
        ? 0 : -1;
}

static void words_dealloc(PyObject *object)
{
    Words *self = (Words *)object;
    PyTypeObject *type = Py_TYPE(object);
    kinds_free(&self->kinds);
    table_free(&self->table);
    free_reading(&self->reading);
    type->tp_free(object);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"read", words_read, METH_O, NULL},
    {"read_urls", words_read_urls, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_init, words_init},
    {Py_tp_dealloc, words_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec words_spec = {
    .name = "topicrawl._native.Words",
    .basicsize = sizeof(Words),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};
