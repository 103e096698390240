/* Adds the texts of a page's links to their documents: value/link_texts.py in C. */

#include "link_documents.h"

enum { AROUND_WORDS = 12, HEADING_WORDS = 20 };    /* as in link_texts.py */
enum { ABOUT_ANCHOR = 1, ABOUT_HEADING = 2 };

typedef struct {
    const int64_t *tokens, *starts;  /* the words of the page, and where each begins */
    int64_t words;
    const int64_t *begins, *ends;    /* of the links */
    const int64_t *heads, *tails;    /* begin and end of each heading */
    int64_t headings;
    const uint8_t *topic;            /* whether a token is a word of the topic, for the first tokens */
    int64_t topic_size;
} PageTexts;

/* The first word that begins at `place` or later. */
static int64_t word_from(const PageTexts *page, int64_t place)
{
    int64_t low = 0, high = page->words;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (page->starts[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The number of the heading above a place: 0 for none. A place within a heading belongs to the one before. */
static int64_t heading_above(const PageTexts *page, int64_t place)
{
    int64_t low = 0, high = page->headings;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (page->heads[middle] <= place)
            low = middle + 1;
        else
            high = middle;
    }
    return low - (low > 0 && page->tails[low - 1] > place);
}

/* Add the words from `first` to before `last`; whether one of them is a word of the topic. `link` is -1 where nothing
   is added. */
static bool add_words(const PageTexts *page, const Documents *documents, int64_t link, int64_t first, int64_t last,
                      uint8_t place)
{
    bool about = false;
    for (int64_t at = first < 0 ? 0 : first; at < last && at < page->words; at++) {
        int64_t token = page->tokens[at];
        if (token == 0)  /* no word */
            continue;
        about = about || (token > 0 && token < page->topic_size && page->topic[token]);
        if (link >= 0)
            documents_add(documents, link, (int32_t)token, place);
    }
    return about;
}

typedef struct {
    uint8_t anchor, heading, around;
} Places;

static void add_texts(const PageTexts *page, const Documents *documents, const int64_t *links, const uint8_t *waits,
                      int64_t rows, Places places, int64_t *below, uint8_t *about)
{
    for (int64_t row = 0; row < rows; row++) {
        int64_t first = word_from(page, page->begins[row]), last = word_from(page, page->ends[row]);
        int64_t link = waits[row] ? links[row] : -1, above = below[row] = heading_above(page, page->begins[row]);
        about[row] = add_words(page, documents, link, first, last, places.anchor) ? ABOUT_ANCHOR : 0;
        if (above > 0) {
            int64_t head = word_from(page, page->heads[above - 1]), tail = word_from(page, page->tails[above - 1]);
            head = head < tail - HEADING_WORDS ? tail - HEADING_WORDS : head;
            about[row] |= add_words(page, documents, link, head, tail, places.heading) ? ABOUT_HEADING : 0;
        }
    }
    for (int64_t row = 0; row < rows; row++) {  /* before the anchors of all, then after them, as in link_texts.py */
        int64_t first = word_from(page, page->begins[row]);
        if (waits[row])
            add_words(page, documents, links[row], first - AROUND_WORDS, first, places.around);
    }
    for (int64_t row = 0; row < rows; row++) {
        int64_t last = word_from(page, page->ends[row]);
        if (waits[row])
            add_words(page, documents, links[row], last, last + AROUND_WORDS, places.around);
    }
}

/* add_link_texts(tokens, places, sizes, links, waits, begins, ends, words, starts, heads, tails, topic, at_places,
   below, about): the last two are written, a number for each link */
PyObject *add_link_texts(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    Documents documents;
    (void)module;
    if (!arrays_take(&arrays, arguments, "IBBlbllllll" "bbLB") || !documents_in(&arrays, 0, &documents))
        return arrays_done(&arrays);
    int64_t rows = LENGTH(3);
    PageTexts page = {ARRAY(int64_t, 7), ARRAY(int64_t, 8), LENGTH(7), ARRAY(int64_t, 5), ARRAY(int64_t, 6),
                      ARRAY(int64_t, 9), ARRAY(int64_t, 10), LENGTH(9), ARRAY(uint8_t, 11), LENGTH(11)};
    const uint8_t *places = ARRAY(uint8_t, 12);
    if (LENGTH(4) != rows || LENGTH(5) != rows || LENGTH(6) != rows || LENGTH(8) != page.words
        || LENGTH(10) != page.headings || LENGTH(12) != 3 || LENGTH(13) != rows || LENGTH(14) != rows)
        PyErr_SetString(PyExc_ValueError, "arrays of different pages");
    else if (documents_have(&documents, ARRAY(int64_t, 3), rows))
        add_texts(&page, &documents, ARRAY(int64_t, 3), ARRAY(uint8_t, 4), rows,
                  (Places){places[0], places[1], places[2]}, ARRAY(int64_t, 13), ARRAY(uint8_t, 14));
    return arrays_done(&arrays);
}
