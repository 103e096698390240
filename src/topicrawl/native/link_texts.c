/* Adds the texts of a page's links to their documents: text/link_texts.py in C. */

#include "link_documents.h"

#include "buffer.h"

enum { AROUND_WORDS = 12, HEADING_WORDS = 20 };    /* as in link_texts.py */
enum { PARAGRAPH = 3 };                            /* as in page/groups.py: groups before it are headings */

typedef struct {
    const int64_t *tokens, *starts;  /* the words of the page, and where each begins */
    int64_t words;
    Buffer heads, tails;             /* of int64_t: begin and end of each heading */
    int64_t headings;
} PageTexts;

/* Find the headings among the segments of a page; false with an exception set on failure. */
static bool find_headings(PageTexts *page, const int32_t *segments, const int32_t *groups, int64_t count, int64_t length)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t head = segments[i], tail = i + 1 < count ? segments[i + 1] : length;
        if (groups[i] >= PARAGRAPH)
            continue;
        if (!buffer_add(&page->heads, &head, sizeof head) || !buffer_add(&page->tails, &tail, sizeof tail))
            return false;
        page->headings++;
    }
    return true;
}

static int64_t head_of(const PageTexts *page, int64_t heading)
{
    return ((const int64_t *)page->heads.data)[heading];
}

static int64_t tail_of(const PageTexts *page, int64_t heading)
{
    return ((const int64_t *)page->tails.data)[heading];
}

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
        if (head_of(page, middle) <= place)
            low = middle + 1;
        else
            high = middle;
    }
    return low - (low > 0 && tail_of(page, low - 1) > place);
}

/* Words from `first` to before `last`. */
typedef struct {
    int64_t first, last;
} Run;

/* Add these words to the document of a link. */
static void add_words(const PageTexts *page, const Documents *documents, int64_t link, Run run, uint8_t place)
{
    for (int64_t at = run.first < 0 ? 0 : run.first; at < run.last && at < page->words; at++)
        if (page->tokens[at] != 0)  /* no word */
            documents_add(documents, link, (int32_t)page->tokens[at], place);
}

typedef struct {
    uint8_t anchor, heading, around;
} Places;

/* Links of a page, with the row of each: where its anchor begins and ends is in columns of the page. */
typedef struct {
    const int64_t *links, *rows;
    const uint8_t *waits;
    int64_t count;
    const int32_t *begins, *ends;
} PageLinks;

/* The words that begin between two places. They are few: the end is found step by step. */
static Run words_between(const PageTexts *page, int64_t begin, int64_t end)
{
    Run run = {word_from(page, begin), 0};
    run.last = end < begin ? word_from(page, end) : run.first;
    while (run.last < page->words && page->starts[run.last] < end)
        run.last++;
    return run;
}

/* The words of a heading that are used, the last ones. */
static Run heading_words(const PageTexts *page, int64_t heading)
{
    Run run = words_between(page, head_of(page, heading), tail_of(page, heading));
    run.first = run.first < run.last - HEADING_WORDS ? run.last - HEADING_WORDS : run.first;
    return run;
}

/* `runs` has room for the words of each anchor. */
static void add_texts(const PageTexts *page, const Documents *documents, const PageLinks *given, Places places, Run *runs)
{
    const PageLinks on = *given;
    int64_t latest = 0;  /* the heading above the link before, and its words */
    Run heading = {0, 0};
    for (int64_t i = 0; i < on.count; i++) {
        if (!on.waits[i])
            continue;
        int64_t begin = on.begins[on.rows[i]], above = heading_above(page, begin);
        runs[i] = words_between(page, begin, on.ends[on.rows[i]]);
        if (above > 0 && above != latest)
            heading = heading_words(page, (latest = above) - 1);
        add_words(page, documents, on.links[i], runs[i], places.anchor);
        if (above > 0)
            add_words(page, documents, on.links[i], heading, places.heading);
    }
    for (int64_t i = 0; i < on.count; i++)  /* before the anchors of all, then after them, as in link_texts.py */
        if (on.waits[i])
            add_words(page, documents, on.links[i], (Run){runs[i].first - AROUND_WORDS, runs[i].first}, places.around);
    for (int64_t i = 0; i < on.count; i++)
        if (on.waits[i])
            add_words(page, documents, on.links[i], (Run){runs[i].last, runs[i].last + AROUND_WORDS}, places.around);
}

/* Whether all of these are rows of a page with so many. */
static bool are_rows(const int64_t *rows, int64_t count, int64_t size)
{
    bool fits = true;
    for (int64_t i = 0; fits && i < count; i++)
        fits = rows[i] >= 0 && rows[i] < size;
    return fits;
}

/* add_link_texts(tokens, places, sizes, by, links, rows, waits, begins, ends, words, starts, segments, groups, length,
   at_places) */
PyObject *add_link_texts(PyObject *module, PyObject *arguments)
{
    Arrays arrays;
    Documents documents;
    (void)module;
    if (!arrays_take(&arrays, arguments, "IBBIllbii" "lliil" "b") || !documents_in(&arrays, 0, &documents))
        return arrays_done(&arrays);
    PageTexts page = {.tokens = ARRAY(int64_t, 9), .starts = ARRAY(int64_t, 10), .words = LENGTH(9)};
    PageLinks on = {ARRAY(int64_t, 4), ARRAY(int64_t, 5), ARRAY(uint8_t, 6), LENGTH(4), ARRAY(int32_t, 7),
                    ARRAY(int32_t, 8)};
    const uint8_t *places = ARRAY(uint8_t, 14);
    Buffer runs = {0};
    if (LENGTH(5) != on.count || LENGTH(6) != on.count || LENGTH(8) != LENGTH(7) || LENGTH(10) != page.words
        || LENGTH(12) != LENGTH(11) || LENGTH(13) != 1 || LENGTH(14) != 3
        || !are_rows(on.rows, on.count, LENGTH(7)) || !are_rows(on.links, on.count, documents.count))
        PyErr_SetString(PyExc_ValueError, "arrays of different pages");
    else if (find_headings(&page, ARRAY(int32_t, 11), ARRAY(int32_t, 12), LENGTH(11), ARRAY(int64_t, 13)[0])
             && buffer_reserve(&runs, (size_t)on.count * sizeof(Run)))
        add_texts(&page, &documents, &on, (Places){places[0], places[1], places[2]}, (Run *)runs.data);
    buffer_free(&runs);
    buffer_free(&page.heads);
    buffer_free(&page.tails);
    return arrays_done(&arrays);
}
