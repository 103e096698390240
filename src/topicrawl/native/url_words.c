/* The words of URLs as numbers: text/url_words.py in C, for URLs of plain ASCII; Python spells all others. */

#include "ascii.h"
#include "words.h"

enum { LONGEST = 40, MOST_LEFT_OUT = 32 };  /* letters of a word, as in url_words.py; words that are left out */

typedef struct {
    WordTable *table;
    Kinds *kinds;
    PyObject *spell;                    /* Python function: the words of a URL */
    uint64_t left_out[MOST_LEFT_OUT];   /* hashes of words that are left out */
    Py_ssize_t left_out_count;
    Buffer numbers, places;             /* of int64_t: words, and the place of the URL of each */
    int64_t place;                      /* of the URL that is being read */
} UrlReading;

typedef struct {
    char letters[LONGEST];  /* in lower case */
    Py_ssize_t length;
} Spelled;

static PyObject *spelled_word(const void *given)
{
    const Spelled *spelled = given;
    return PyUnicode_FromStringAndSize(spelled->letters, spelled->length);
}

static PyObject *given_word(const void *given)
{
    return Py_NewRef((PyObject *)given);
}

static bool add_number(UrlReading *reading, int64_t number)
{
    return number != NO_NUMBER && buffer_add(&reading->numbers, &number, sizeof number)
        && buffer_add(&reading->places, &reading->place, sizeof reading->place);
}

static bool add_spelled(UrlReading *reading, const Spelled *spelled)
{
    Hash letters = {.key = &reading->table->key};
    for (Py_ssize_t i = 0; i < spelled->length; i++)
        hash_piece(&letters, (uint8_t)spelled->letters[i], 8);
    uint64_t hash = hash_end(&letters);
    for (Py_ssize_t i = 0; i < reading->left_out_count; i++)
        if (reading->left_out[i] == hash)
            return true;
    return add_number(reading, table_number(reading->table, hash, spelled_word, spelled));
}

/* Letters in lower case; with `shape` each run of digits as "#". Too long words are left out. */
static bool add_letters(UrlReading *reading, const char *letters, Py_ssize_t length, bool shape)
{
    Spelled spelled = {.length = 0};
    for (Py_ssize_t i = 0; i < length; i++) {
        bool digit = shape && is_digit(letters[i]);
        if (digit && i > 0 && is_digit(letters[i - 1]))
            continue;
        if (spelled.length == LONGEST)
            return true;
        spelled.letters[spelled.length++] = digit ? '#' : lower(letters[i]);
    }
    return add_spelled(reading, &spelled);
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* The end of the part of a run that begins at `at`: lower case after at most one capital, or capitals, but not the
   last of several before lower case. */
static Py_ssize_t part_end(const char *run, Py_ssize_t length, Py_ssize_t at)
{
    Py_ssize_t end = at;
    while (end < length && is_upper(run[end]))
        end++;
    bool before_lower = end < length && is_lower(run[end]);
    if (end - at > 1)
        return before_lower ? end - 1 : end;
    while (end < length && is_lower(run[end]))
        end++;
    return end;
}

/* The words of a run of letters and digits, and its shape where it has both. */
static bool read_run(UrlReading *reading, const char *run, Py_ssize_t length)
{
    bool letters = false, digits = false;
    for (Py_ssize_t at = 0; at < length;) {
        if (is_digit(run[at])) {
            digits = true;
            at++;
            continue;
        }
        Py_ssize_t end = part_end(run, length, at);
        if (!add_letters(reading, run + at, end - at, false))
            return false;
        letters = true;
        at = end;
    }
    return !(letters && digits) || add_letters(reading, run, length, true);
}

/* Path and query of a URL of ASCII without percent-encoding. */
static bool read_plain(UrlReading *reading, const char *url, Py_ssize_t length)
{
    Py_ssize_t at = 0;
    while (at + 3 <= length && memcmp(url + at, "://", 3) != 0)
        at++;
    at += 3;
    while (at < length && url[at] != '/')
        at++;
    while (at < length) {
        Py_ssize_t start = at;
        while (at < length && (is_letter(url[at]) || is_digit(url[at])))
            at++;
        if (at > start && !read_run(reading, url + start, at - start))
            return false;
        at++;
    }
    return true;
}

/* The hash of a word; false with an exception set on failure. */
static bool hash_of(const UrlReading *reading, PyObject *word, uint64_t *hash)
{
    Text text;
    if (!open_text(reading->kinds, word, &text))
        return false;
    *hash = hash_folded(&reading->table->key, &text, 0, text.length);
    return true;
}

static bool read_spelled(UrlReading *reading, PyObject *url)
{
    PyObject *words = PyObject_CallOneArg(reading->spell, url);
    bool done = words != NULL;
    if (done && !PyList_Check(words)) {
        PyErr_SetString(PyExc_TypeError, "the words of a URL are a list");
        done = false;
    }
    for (Py_ssize_t i = 0; done && i < PyList_GET_SIZE(words); i++) {
        PyObject *word = PyList_GET_ITEM(words, i);
        uint64_t hash = 0;
        if (!PyUnicode_Check(word)) {
            PyErr_SetString(PyExc_TypeError, "a word is a str");
            done = false;
        } else {
            done = hash_of(reading, word, &hash) && add_number(reading, table_number(reading->table, hash, given_word, word));
        }
    }
    Py_XDECREF(words);
    return done;
}

static bool read_url(UrlReading *reading, PyObject *url)
{
    if (!PyUnicode_Check(url)) {
        PyErr_SetString(PyExc_TypeError, "a URL is a str");
        return false;
    }
    Py_ssize_t length = PyUnicode_GET_LENGTH(url);
    if (!PyUnicode_IS_COMPACT_ASCII(url) || memchr(PyUnicode_1BYTE_DATA(url), '%', (size_t)length) != NULL)
        return read_spelled(reading, url);
    return read_plain(reading, (const char *)PyUnicode_1BYTE_DATA(url), length);
}

static bool take_left_out(UrlReading *reading, PyObject *words)
{
    if (PyTuple_GET_SIZE(words) > MOST_LEFT_OUT) {
        PyErr_SetString(PyExc_ValueError, "too many words are left out");
        return false;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(words); i++) {
        if (!PyUnicode_Check(PyTuple_GET_ITEM(words, i))) {
            PyErr_SetString(PyExc_TypeError, "a word is a str");
            return false;
        }
        if (!hash_of(reading, PyTuple_GET_ITEM(words, i), &reading->left_out[reading->left_out_count++]))
            return false;
    }
    return true;
}

static PyObject *as_bytes(const Buffer *buffer)
{
    return PyByteArray_FromStringAndSize(buffer->data, (Py_ssize_t)buffer->size);
}

PyObject *words_read_urls(PyObject *object, PyObject *arguments)
{
    UrlReading reading = {.table = &((Words *)object)->table, .kinds = &((Words *)object)->kinds};
    PyObject *urls, *left_out, *read = NULL;
    if (!PyArg_ParseTuple(arguments, "O!O!O", &PyList_Type, &urls, &PyTuple_Type, &left_out, &reading.spell))
        return NULL;
    if (reading.table->slots == NULL)
        return PyErr_Format(PyExc_TypeError, "Words was not initialized");
    bool done = take_left_out(&reading, left_out);
    for (; done && reading.place < PyList_GET_SIZE(urls); reading.place++)
        done = read_url(&reading, PyList_GET_ITEM(urls, reading.place));
    if (table_settle(reading.table, (int64_t *)reading.numbers.data, reading.numbers.size / sizeof(int64_t)))
        read = Py_BuildValue("NN", as_bytes(&reading.places), as_bytes(&reading.numbers));
    buffer_free(&reading.numbers);
    buffer_free(&reading.places);
    return read;
}
