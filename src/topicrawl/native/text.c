/* Collects the text of a page: white space folded, non-ASCII in form NFKC, in segments by tag group. */

#include "ascii.h"
#include "reader.h"

/* Classes of bytes, as bits. */
enum { PLAIN = 1, SPACE = 2, BREAK = 4, CONTROL = 8, WIDE = 16, TWO_SPACES = 32 };

enum { AT_ONCE = 8 };
#define EACH(byte) (0x0101010101010101ULL * (byte))

/* `AT_ONCE` bytes as one number. */
static inline uint64_t eight_bytes(const char *at)
{
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

/* The highest bit of each byte of `bytes` that equals `byte`; both are below 0x80. */
static inline uint64_t equal_bytes(uint64_t bytes, unsigned char byte)
{
    return ~((bytes ^ EACH(byte)) + EACH(0x7F)) & EACH(0x80);
}

/* The classes of `AT_ONCE` bytes, 0 if one of them is neither plain nor a space; the byte before them is `before`. */
static inline unsigned classes_of_eight(const char *at, char before)
{
    uint64_t bytes = eight_bytes(at);
    if ((bytes | ~(bytes + EACH(0x80 - ' '))) & EACH(0x80))  /* wide, or below a space */
        return 0;
    uint64_t spaces = equal_bytes(bytes, ' ');
    bool two = (spaces & spaces << 8) != 0 || (before == ' ' && at[0] == ' ');
    return (spaces ? SPACE : 0) | (spaces != EACH(0x80) ? PLAIN : 0) | (two ? TWO_SPACES : 0);
}

/* The classes of all bytes in `text`, or-ed together. */
static unsigned byte_classes(Span text)
{
    static const uint8_t low[33] = {
        8, 8, 8, 8, 8, 8, 8, 8, 8, 4, 4, 8, 4, 4, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 2,
    };
    unsigned all = 0;
    char before = 0;
    for (size_t i = 0; i < text.size; i++) {
        unsigned some;
        while (i + AT_ONCE <= text.size && (some = classes_of_eight(text.at + i, before)) != 0) {
            all |= some;
            i += AT_ONCE;
            before = text.at[i - 1];
        }
        if (i == text.size)
            break;
        unsigned char c = (unsigned char)text.at[i];
        all |= c > ' ' ? c < 0x80 ? PLAIN : WIDE : low[c];
        all |= c == ' ' && before == ' ' ? TWO_SPACES : 0;
        before = text.at[i];
    }
    return all;
}

/* Whether all characters of `text` that are not ASCII are of those that NFKC never changes, alone or together: letters of
Latin-1, common dashes, quotation marks and bullets, Chinese characters. None of them is white space. `*more` becomes the
number of bytes beyond the number of characters. */
static bool is_settled(Span text, size_t *more)
{
    const unsigned char *at = (const unsigned char *)text.at, *end = at + text.size;
    *more = 0;
    while (at < end) {
        if (*at < 0x80) {
            while (end - at > AT_ONCE && !(eight_bytes((const char *)at) & EACH(0x80)))
                at += AT_ONCE;
            at += *at < 0x80;
        } else if (*at == 0xC3) {  /* À to ÿ */
            *more += 1;
            at += 2;
        } else if (*at == 0xE2 && at[1] == 0x80 && (at[2] == 0x93 || at[2] == 0x94 || at[2] == 0x98 || at[2] == 0x99
                                                    || at[2] == 0x9C || at[2] == 0x9D || at[2] == 0xA2)) {
            *more += 2;
            at += 3;
        } else if ((*at == 0xE4 && at[1] >= 0xB8) || (*at > 0xE4 && *at < 0xE9)) {  /* U+4E00 to U+8FFF */
            *more += 2;
            at += 3;
        } else {
            return false;
        }
    }
    return true;
}

bool is_ascii(Span text)
{
    return !(byte_classes(text) & (CONTROL | WIDE));
}

Span trimmed(Span text)
{
    while (text.size > 0 && is_space(text.at[0]))
        text.at++, text.size--;
    while (text.size > 0 && is_space(text.at[text.size - 1]))
        text.size--;
    return text;
}

/* Before text is appended: add the separator, begin a segment if the tag group changes, set the start of open links. */
static Status begin_piece(Document *doc, bool after_space)
{
    char gap = doc->gap ? doc->gap : after_space ? ' ' : 0;
    if (doc->length > 0 && gap) {
        NEED(buffer_add(&doc->text, &gap, 1));
        doc->length++;
    }
    int group = doc->groups[doc->open_groups - 1];
    if (group != doc->group) {
        doc->group = group;
        NEED(buffer_add_int(&doc->segment_starts, doc->length));
        NEED(buffer_add_int(&doc->segment_groups, group));
    }
    Link *links = (Link *)doc->links.data;
    for (int i = 0; i < doc->textless_count; i++) {
        links[doc->textless[i]].start = doc->length;
        links[doc->textless[i]].start_byte = doc->text.size;
    }
    doc->textless_count = 0;
    return OK;
}

/* Copy `text` with every run of white space a single space; returns the end of the copy, which is never longer. */
static char *copy_words(char *out, Span text)
{
    bool space = false;
    for (size_t i = 0; i < text.size; i++) {
        if (is_space(text.at[i])) {
            space = true;
            continue;
        }
        if (space)
            *out++ = ' ';
        space = false;
        *out++ = text.at[i];
    }
    return out;
}

/* Append settled text that is not blank; `all` are the classes of its bytes, `more` is as above. */
static Status append_settled(Document *doc, Span text, unsigned all, size_t more)
{
    Span words = trimmed(text);
    TRY(begin_piece(doc, words.at > text.at));
    NEED(buffer_reserve(&doc->text, words.size));
    char *begin = doc->text.data + doc->text.size, *end = begin + words.size;
    if (all & (BREAK | TWO_SPACES))
        end = copy_words(begin, words);  /* writes at most what was reserved */
    else
        memcpy(begin, words.at, words.size);
    doc->text.size += (size_t)(end - begin);
    doc->length += (int32_t)((size_t)(end - begin) - more);
    doc->gap = words.at + words.size < text.at + text.size ? ' ' : 0;
    doc->full = doc->length >= TEXT_LIMIT;
    return OK;
}

static bool space_at(PyObject *text, Py_ssize_t index)
{
    return Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(text, index));
}

PyObject *joined_words(PyObject *text)
{
    PyObject *words = PyUnicode_Split(text, NULL, -1);
    if (words == NULL)
        return NULL;
    PyObject *space = PyUnicode_FromStringAndSize(" ", 1);
    PyObject *joined = space == NULL ? NULL : PyUnicode_Join(space, words);
    Py_XDECREF(space);
    Py_DECREF(words);
    return joined;
}

/* Append `piece`, the words of `text`. */
static Status append_words(Document *doc, PyObject *text, PyObject *piece)
{
    Py_ssize_t size;
    const char *utf8 = PyUnicode_AsUTF8AndSize(piece, &size);
    NEED(utf8 != NULL);
    if (size == 0)
        return OK;
    TRY(begin_piece(doc, space_at(text, 0)));
    NEED(buffer_add(&doc->text, utf8, (size_t)size));
    doc->gap = space_at(text, PyUnicode_GET_LENGTH(text) - 1) ? ' ' : 0;
    doc->length += (int32_t)PyUnicode_GET_LENGTH(piece);  /* at most TEXT_LIMIT */
    doc->full = doc->length >= TEXT_LIMIT;
    return OK;
}

/* The words of `text` with single spaces between them; `even` ASCII loses only the spaces at its ends. */
static PyObject *piece_of(PyObject *text, bool even)
{
    return even ? PyObject_CallMethod(text, "strip", "s", " ") : joined_words(text);
}

/* Whether `text` is ASCII without line breaks, tabs and double spaces. */
static bool is_even(PyObject *text)
{
    if (!PyUnicode_IS_ASCII(text))
        return false;
    Span bytes = {PyUnicode_DATA(text), (size_t)PyUnicode_GET_LENGTH(text)};
    return !(byte_classes(bytes) & (BREAK | TWO_SPACES));
}

/* Append any text that is not blank, in form NFKC, as far as the limit allows. */
static Status append_unicode(Document *doc, PyObject *text)
{
    Py_ssize_t left = TEXT_LIMIT - doc->length;
    PyObject *cut = PyUnicode_Substring(text, 0, left);
    PyObject *normal = cut == NULL ? NULL : PyObject_CallOneArg(doc->tools.nfkc, cut);
    PyObject *kept = normal == NULL ? NULL : PyUnicode_Substring(normal, 0, left);
    PyObject *piece = kept == NULL ? NULL : piece_of(kept, is_even(cut));
    Status status = piece == NULL ? FAILED : append_words(doc, kept, piece);
    Py_XDECREF(cut);
    Py_XDECREF(normal);
    Py_XDECREF(kept);
    Py_XDECREF(piece);
    return status;
}

static Status collect_unicode(Document *doc, Span text)
{
    PyObject *decoded = PyUnicode_DecodeUTF8(text.at, (Py_ssize_t)text.size, NULL);
    NEED(decoded != NULL);
    bool blank = true;
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(decoded) && blank; i++)
        blank = space_at(decoded, i);
    if (blank && !doc->gap)
        doc->gap = ' ';
    Status status = blank ? OK : append_unicode(doc, decoded);
    Py_DECREF(decoded);
    return status;
}

Status collect_text(Document *doc, Span text)
{
    if (doc->hidden) {
        if (doc->hidden_target != DROPPED)
            NEED(buffer_add(doc->hidden_target == TO_TITLE ? &doc->title : &doc->noscript, text.at, text.size));
        return OK;
    }
    unsigned all = byte_classes(text);
    size_t more = 0;
    if (all & CONTROL || text.size > (size_t)(TEXT_LIMIT - doc->length) || (all & WIDE && !is_settled(text, &more)))
        return collect_unicode(doc, text);
    if (all & (PLAIN | WIDE))
        return append_settled(doc, text, all, more);
    if (!doc->gap && text.size > 0)
        doc->gap = ' ';
    return OK;
}

Status fold_field(Document *doc, Span text, PyObject **folded)
{
    if (text.size > FIELD_LIMIT || !is_ascii(text)) {
        PyObject *decoded = PyUnicode_DecodeUTF8(text.at, (Py_ssize_t)text.size, NULL);
        NEED(decoded != NULL);
        *folded = PyObject_CallOneArg(doc->tools.fold, decoded);
        Py_DECREF(decoded);
        return *folded == NULL ? FAILED : OK;
    }
    char line[FIELD_LIMIT];  /* long enough, see above */
    char *end = copy_words(line, trimmed(text));
    *folded = PyUnicode_FromStringAndSize(line, end - line);
    return *folded == NULL ? FAILED : OK;
}
