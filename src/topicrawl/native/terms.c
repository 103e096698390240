/* Finds terms in texts with a trie: leftmost, then longest, at word boundaries, as topic/matcher.py defines matches.

Only positions where a word may begin are tried. */

#include "terms.h"

#include "kinds.h"
#include "trie.h"

enum { GROUPS = 5 };

/* Marks of a character, as bits. Spellings are in groups by their first character; one may begin where a group has a
character as FIRST and the next one as SECOND. */
enum { IS_LETTER = 1, IS_RUNNING = 2, FIRST_BIT = 8, SPELLING_GROUPS = 24 };
#define FIRST (0xFFFFFFULL << FIRST_BIT)
#define SECOND (FIRST << SPELLING_GROUPS)

typedef struct {
    PyObject_HEAD
    Trie trie;
    Kinds kinds;
    int32_t terms;       /* one more than the largest term number */
    uint64_t marks[BLOCK];  /* of the characters of the first block, see below */
    uint64_t single;        /* the groups of spellings of one character, as SECOND */
} Terms;

/* The end of the longest match that begins at `at`, 0 when there is none; `*term` is its term. */
static Py_ssize_t match_at(const Terms *self, const Text *text, Py_ssize_t at, int before, int32_t *term)
{
    const Trie *trie = &self->trie;
    int32_t node = trie_child(trie, ROOT, folded_at(text, at));
    if (node == NO_NODE || trie_node(trie, node)->head == before)
        return 0;
    Py_ssize_t found = 0;
    for (Py_ssize_t end = at + 1;; end++) {
        const Node *reached = trie_node(trie, node);
        if (reached->term != NO_TERM && reached->tail != kind_at(text, end)) {
            found = end;
            *term = reached->term;
        }
        if (end == text->length || (node = trie_child(trie, node, folded_at(text, end))) == NO_NODE)
            return found;
    }
}

typedef bool (*Found)(void *context, Py_ssize_t at, int32_t term);

/* The marks of a character beyond the first block: any spelling may begin or go on with it. */
static uint64_t wide_marks(const Terms *self, Py_UCS4 character)
{
    int kind = letter_of(&self->kinds, character)->kind;
    return FIRST | SECOND | (kind == LETTER ? IS_LETTER : 0) | (kind == RUNNING ? IS_RUNNING : 0);
}

/* Calls `found` for the longest match that begins at `at`, if there is one and it begins at `*free_from` or later. */
static bool try_at(const Terms *self, const Text *text, Py_ssize_t at, Py_ssize_t *free_from, Found found, void *context)
{
    int32_t term = NO_TERM;
    Py_ssize_t end = at < *free_from ? 0 : match_at(self, text, at, kind_at(text, at - 1), &term);
    if (end == 0)
        return true;
    *free_from = end;
    return found(context, at, term);
}

/* Calls `found` for every match in a text, from left to right; returns the number of tokens, -1 on failure. `width` is the
constant of its characters' width, so that each has a loop of its own. */
static inline Py_ssize_t search_width(const Terms *self, const Text *text, int width, Found found, void *context)
{
    Py_ssize_t tokens = 0, free_from = 0, at = 0;
    uint64_t letter = 0, begun = 0;  /* of the character before: IS_LETTER, and FIRST in the place of SECOND */
    for (; at < text->length; at++) {
        Py_UCS4 character = PyUnicode_READ(width, text->data, at);
        uint64_t marks = character < BLOCK ? self->marks[character] : wide_marks(self, character);
        if ((begun & marks) != 0 && !try_at(self, text, at - 1, &free_from, found, context))
            return -1;
        uint64_t inside = marks & letter;  /* 1 inside a word, where nothing begins */
        letter = marks & IS_LETTER;
        tokens += (Py_ssize_t)((letter ^ inside) + (marks / IS_RUNNING & 1));
        begun = (marks & FIRST) << SPELLING_GROUPS & (inside - 1);
    }
    if ((begun & self->single) != 0 && !try_at(self, text, at - 1, &free_from, found, context))
        return -1;
    return tokens;
}

static Py_ssize_t search(Terms *self, PyObject *string, Found found, void *context)
{
    Text text;
    if (!open_text(&self->kinds, string, &text))
        return -1;
    if (text.kind == PyUnicode_1BYTE_KIND)
        return search_width(self, &text, PyUnicode_1BYTE_KIND, found, context);
    if (text.kind == PyUnicode_2BYTE_KIND)
        return search_width(self, &text, PyUnicode_2BYTE_KIND, found, context);
    return search_width(self, &text, PyUnicode_4BYTE_KIND, found, context);
}

/* --- find --------------------------------------------------------------------------------------------------------- */

static bool append_match(void *list, Py_ssize_t at, int32_t term)
{
    PyObject *match = Py_BuildValue("ni", at, (int)term);
    bool done = match != NULL && PyList_Append(list, match) == 0;
    Py_XDECREF(match);
    return done;
}

static PyObject *terms_find(PyObject *self, PyObject *text)
{
    if (!PyUnicode_Check(text))
        return PyErr_Format(PyExc_TypeError, "a text is a str");
    PyObject *matches = PyList_New(0);
    if (matches != NULL && search((Terms *)self, text, append_match, matches) < 0)
        Py_CLEAR(matches);
    return matches;
}

/* --- count -------------------------------------------------------------------------------------------------------- */

typedef struct {
    const int32_t *starts, *groups;  /* of the segments */
    Py_ssize_t segments, segment;    /* their number, and the one in which the last match began */
    int32_t *counts;                 /* GROUPS for each term */
} Tally;

static bool tally_match(void *context, Py_ssize_t at, int32_t term)
{
    Tally *tally = context;
    while (tally->segment + 1 < tally->segments && tally->starts[tally->segment + 1] <= at)
        tally->segment++;
    int32_t group = tally->segment < tally->segments ? tally->groups[tally->segment] : -1;
    if (group < 0 || group >= GROUPS) {
        PyErr_SetString(PyExc_IndexError, "a match outside all segments");
        return false;
    }
    tally->counts[(size_t)term * GROUPS + (size_t)group]++;  /* both are in range */
    return true;
}

typedef struct {
    int32_t *counts;       /* of each term in one anchor */
    Buffer seen;           /* its terms */
    Buffer rows, terms, numbers;
} AnchorTally;

static bool tally_anchor(void *context, Py_ssize_t at, int32_t term)
{
    AnchorTally *tally = context;
    (void)at;
    return tally->counts[term]++ > 0 || buffer_add_int(&tally->seen, term);
}

/* Append the counts of the anchor in `row`, in order of terms, and reset them. */
static bool end_anchor(AnchorTally *tally, int32_t row)
{
    int32_t *seen = buffer_ints(&tally->seen);
    size_t count = buffer_count(&tally->seen);
    for (size_t i = 1; i < count; i++)  /* few terms: insertion sort */
        for (size_t j = i; j > 0 && seen[j - 1] > seen[j]; j--) {
            int32_t term = seen[j];
            seen[j] = seen[j - 1];
            seen[j - 1] = term;
        }
    for (size_t i = 0; i < count; i++) {
        if (!buffer_add_int(&tally->rows, row) || !buffer_add_int(&tally->terms, seen[i])
            || !buffer_add_int(&tally->numbers, tally->counts[seen[i]]))
            return false;
        tally->counts[seen[i]] = 0;
    }
    tally->seen.size = 0;
    return true;
}

static bool count_anchors(Terms *self, PyObject *anchors, AnchorTally *tally)
{
    for (Py_ssize_t row = 0; row < PyList_GET_SIZE(anchors) && row < INT32_MAX; row++) {
        PyObject *anchor = PyList_GET_ITEM(anchors, row);  /* borrowed */
        if (!PyUnicode_Check(anchor)) {
            PyErr_SetString(PyExc_TypeError, "an anchor is a str");
            return false;
        }
        if (search(self, anchor, tally_anchor, tally) < 0 || !end_anchor(tally, (int32_t)row))
            return false;
    }
    return true;
}

/* The terms that occur, in order, and their counts in each group. */
static bool rows_of(const Terms *self, const int32_t *counts, Buffer *terms, Buffer *groups)
{
    for (int32_t term = 0; term < self->terms; term++) {
        const int32_t *row = counts + (size_t)term * GROUPS;
        bool occurs = false;
        for (int group = 0; group < GROUPS; group++)
            occurs = occurs || row[group] > 0;
        if (occurs && !(buffer_add_int(terms, term) && buffer_add(groups, row, GROUPS * sizeof *row)))
            return false;
    }
    return true;
}

static PyObject *as_bytes(const Buffer *buffer)
{
    return PyBytes_FromStringAndSize(buffer->data, (Py_ssize_t)buffer->size);
}

static PyObject *terms_count(PyObject *object, PyObject *arguments)
{
    Terms *self = (Terms *)object;
    PyObject *text, *anchors, *counted = NULL;
    Py_buffer starts, groups;
    if (!PyArg_ParseTuple(arguments, "Uy*y*O!", &text, &starts, &groups, &PyList_Type, &anchors))
        return NULL;
    Py_ssize_t segments = (starts.len < groups.len ? starts.len : groups.len) / (Py_ssize_t)sizeof(int32_t);
    Tally tally = {.starts = starts.buf, .groups = groups.buf, .segments = segments};
    AnchorTally in_anchors = {0};
    Buffer terms = {0}, rows = {0};
    tally.counts = PyMem_Calloc((size_t)self->terms * GROUPS + 1, sizeof(int32_t));
    in_anchors.counts = PyMem_Calloc((size_t)self->terms + 1, sizeof(int32_t));
    if (tally.counts == NULL || in_anchors.counts == NULL) {
        PyErr_NoMemory();
    } else {
        Py_ssize_t length = search(self, text, tally_match, &tally);
        if (length >= 0 && rows_of(self, tally.counts, &terms, &rows) && count_anchors(self, anchors, &in_anchors))
            counted = Py_BuildValue("NNNNNn", as_bytes(&terms), as_bytes(&rows), as_bytes(&in_anchors.rows),
                                    as_bytes(&in_anchors.terms), as_bytes(&in_anchors.numbers), length);
    }
    PyMem_Free(tally.counts);
    PyMem_Free(in_anchors.counts);
    Buffer *buffers[] = {&terms, &rows, &in_anchors.seen, &in_anchors.rows, &in_anchors.terms, &in_anchors.numbers};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        buffer_free(buffers[i]);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&groups);
    return counted;
}

/* --- the type ----------------------------------------------------------------------------------------------------- */

static void mark_kinds(Terms *self)
{
    for (Py_UCS4 c = 0; c < BLOCK; c++) {
        int kind = letter_of(&self->kinds, c)->kind;
        self->marks[c] = kind == LETTER ? IS_LETTER : kind == RUNNING ? IS_RUNNING : 0;
    }
}

/* Mark the characters of the first block with which a spelling begins and goes on. */
static void mark_spelling(Terms *self, PyObject *spelling)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(spelling);
    if (length == 0)
        return;
    Py_UCS4 begin = PyUnicode_READ_CHAR(spelling, 0);
    uint64_t first = 1ULL << (FIRST_BIT + begin % SPELLING_GROUPS), second = first << SPELLING_GROUPS;
    self->single |= length == 1 ? second : 0;
    for (Py_UCS4 c = 0; c < BLOCK; c++) {
        Py_UCS4 folded = letter_of(&self->kinds, c)->folded;
        self->marks[c] |= folded == begin ? first : 0;
        self->marks[c] |= length == 1 || folded == PyUnicode_READ_CHAR(spelling, 1) ? second : 0;
    }
}

static bool add_spelling(Terms *self, PyObject *spelling, PyObject *term, uint8_t head, uint8_t tail)
{
    long number = PyLong_AsLong(term);
    if (number == -1 && PyErr_Occurred())
        return false;
    if (!PyUnicode_Check(spelling) || number < 0 || number > 1 << 24) {
        PyErr_SetString(PyExc_ValueError, "a spelling is a str, its term a number from 0");
        return false;
    }
    mark_spelling(self, spelling);
    if (number >= self->terms)
        self->terms = (int32_t)number + 1;
    return trie_add(&self->trie, spelling, (int32_t)number, head, tail);
}

static int terms_init(PyObject *object, PyObject *arguments, PyObject *named)
{
    Terms *self = (Terms *)object;
    PyObject *spellings, *terms, *fold, *kinds;
    Py_buffer heads, tails;
    (void)named;
    if (self->kinds.fold != NULL) {
        PyErr_SetString(PyExc_TypeError, "the terms are already set");
        return -1;
    }
    if (!PyArg_ParseTuple(arguments, "O!O!y*y*OO", &PyList_Type, &spellings, &PyList_Type, &terms, &heads, &tails,
                          &fold, &kinds))
        return -1;
    Py_ssize_t count = PyList_GET_SIZE(spellings);
    bool done = kinds_init(&self->kinds, fold, kinds) && trie_init(&self->trie);
    if (done && (PyList_GET_SIZE(terms) != count || heads.len != count || tails.len != count)) {
        PyErr_SetString(PyExc_ValueError, "each spelling needs a term, a head and a tail");
        done = false;
    }
    if (done)
        mark_kinds(self);
    for (Py_ssize_t i = 0; i < count && done; i++)
        done = add_spelling(self, PyList_GET_ITEM(spellings, i), PyList_GET_ITEM(terms, i),
                            ((uint8_t *)heads.buf)[i], ((uint8_t *)tails.buf)[i]);
    PyBuffer_Release(&heads);
    PyBuffer_Release(&tails);
    return done ? 0 : -1;
}

static void terms_dealloc(PyObject *object)
{
    Terms *self = (Terms *)object;
    PyTypeObject *type = Py_TYPE(object);
    trie_free(&self->trie);
    kinds_free(&self->kinds);
    type->tp_free(object);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"count", terms_count, METH_VARARGS, NULL},
    {"find", terms_find, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_init, terms_init},
    {Py_tp_dealloc, terms_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec terms_spec = {
    .name = "topicrawl._native.Terms",
    .basicsize = sizeof(Terms),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};
