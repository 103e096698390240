/* Characters as topic/letters.py sees them: folded to one case, each of a kind. */

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
    Letter *blocks[BLOCKS];  /* of BLOCK characters each, made when first needed */
    PyObject *fold, *kinds;  /* make them */
} Kinds;

/* With ASCII, which is always needed; false with an exception set when that fails. */
bool kinds_init(Kinds *kinds, PyObject *fold, PyObject *make);
void kinds_free(Kinds *kinds);

/* A text while it is read. */
typedef struct {
    int kind;
    const void *data;
    Py_ssize_t length;
    const Kinds *kinds;
} Text;

/* Learns the characters of `string`, which must outlive `text`; false with an exception set when that fails. */
bool open_text(Kinds *kinds, PyObject *string, Text *text);

static inline const Letter *letter_of(const Kinds *kinds, Py_UCS4 c)
{
    return &kinds->blocks[c >> 8][c & 0xFF];  /* a character is below 0x110000, so its block below BLOCKS */
}

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
