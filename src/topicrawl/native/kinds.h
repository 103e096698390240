/* Case folding and character kinds of topic/letters.py, as tables filled on demand. */

#ifndef TOPICRAWL_KINDS_H
#define TOPICRAWL_KINDS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>

enum { OTHER_KIND, LETTER, DIGIT, RUNNING };  /* as in topic/letters.py */
enum { BLOCK = 256, BLOCKS = 0x1100 };

typedef struct {
    Py_UCS4 folded;
    int32_t kind;
} Letter;

typedef struct {
    Letter *blocks[BLOCKS];  /* of BLOCK characters each, NULL until needed */
    PyObject *fold, *kinds;  /* the Python functions that fill them */
} Kinds;

/* Fills the first block (Latin-1), which every text may use; false with an exception set when that fails. */
bool kinds_init(Kinds *kinds, PyObject *fold, PyObject *make);
void kinds_free(Kinds *kinds);

/* A str opened for reading. */
typedef struct {
    int kind;
    const void *data;
    Py_ssize_t length;
    const Kinds *kinds;
} Text;

/* Fills the blocks that `string` uses; it must outlive `text`. False with an exception set when that fails. */
bool open_text(Kinds *kinds, PyObject *string, Text *text);

static inline const Letter *letter_of(const Kinds *kinds, Py_UCS4 c)
{
    return &kinds->blocks[c >> 8][c & 0xFF];  /* a character is below 0x110000, so its block below BLOCKS */
}

/* The same of a character whose block may not be filled yet; NULL with an exception set when that fails. */
const Letter *letter_met(Kinds *kinds, Py_UCS4 c);

static inline const Letter *letter_at(const Text *text, Py_ssize_t at)
{
    return letter_of(text->kinds, PyUnicode_READ(text->kind, text->data, at));
}

static inline Py_UCS4 folded_at(const Text *text, Py_ssize_t at)
{
    return letter_at(text, at)->folded;
}

/* The kind of the character at `at`, OTHER_KIND outside the text. */
static inline int kind_at(const Text *text, Py_ssize_t at)
{
    return at < 0 || at >= text->length ? OTHER_KIND : letter_at(text, at)->kind;
}

#endif
