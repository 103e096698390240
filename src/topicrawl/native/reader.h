/* What the parts of the page reader share.

    scan.c    tokens and elements: which text stands in which element        (page/html_turbohtml.py)
    said.c    what is kept of them: links, metadata                          (page/collect.py)
    text.c    and text by tag group
    links.c   the canonical URLs behind the links                            (urls.py)
    page.c    all of it put together                                         (page/html.py)

A page that is not plain is given up, and the code named on the right reads it instead. It is the definition of what
a page says; this is a quicker way to the same answer. */

#ifndef TOPICRAWL_READER_H
#define TOPICRAWL_READER_H

#include "buffer.h"
#include "tags.h"

enum { TEXT_LIMIT = 1000000, FIELD_LIMIT = 1000, MAX_LINKS = 2000, MAX_DEPTH = 400, MAX_URL = 2083 };
enum { REST = 4, HEADLINE = 0 };         /* tag groups */
enum { NOFOLLOW = 1, IMAGE = 2 };        /* flags of a link */

typedef enum {
    GO,       /* all is well */
    GIVE_UP,  /* not plain: somebody else has to read this page */
    FAILED,   /* a Python exception is set */
} Verdict;

/* Go on only when `step` went well. */
#define TRY(step) do { Verdict verdict_ = (step); if (verdict_ != GO) return verdict_; } while (0)
#define NEED(condition) do { if (!(condition)) return FAILED; } while (0)

/* Bytes that belong to somebody else; `at` is NULL when there are none, not even an empty string. */
typedef struct {
    const char *at;
    size_t size;
} Span;

/* The attributes we know, as written in the source; of two with one name the first counts. */
typedef struct {
    Span href, src, rel, title, alt, name, content, http_equiv, lang, xml_lang;
} Attributes;

/* What is done in Python: urls.join, fold.fold, fold.nfkc, and the named characters. Borrowed. */
typedef struct {
    PyObject *join, *fold, *nfkc, *entities;
} Tools;

typedef struct {
    int32_t start, end;            /* where the anchor stands, in characters of the text */
    size_t start_byte, end_byte;   /* the same in bytes */
    size_t href, href_size;        /* in `fields` */
    size_t title, title_size;
    PyObject *alt;                 /* text of images in the anchor; NULL when there is none */
    uint8_t flags;
} Link;

enum Caught { NOTHING, THE_TITLE, A_NOSCRIPT };

typedef struct {
    Tools tools;
    Buffer text;                   /* UTF-8 */
    int32_t length;                /* its characters */
    Buffer segment_starts, segment_groups;
    Buffer links;                  /* of Link */
    Buffer fields;                 /* hrefs and titles, decoded */
    Buffer title, noscript;        /* hidden text that is kept */
    PyObject *keywords, *description, *robots, *base, *language;  /* NULL when not said */
    Buffer scratch;
    bool has_scripts;
    char gap;                      /* what parts the next text from the last: 0, a space or a line break */
    int group;                     /* of the last segment, -1 before the first */
    int8_t groups[MAX_DEPTH + 1];  /* of the open elements that have one */
    int open_groups;
    int hidden;                    /* open elements whose text is not shown */
    enum Caught caught;            /* where hidden text goes */
    int32_t open[MAX_DEPTH];       /* rows of open links, -1 for an anchor that is no link */
    int open_count;
    int32_t fresh[MAX_DEPTH];      /* those without any text so far */
    int fresh_count;
} Said;

/* references.c: append `span` to `out` with character references decoded and line ends made one. */
Verdict add_decoded(Buffer *out, Span span, bool in_attribute, PyObject *entities);
/* Whether `span` would stay as it is: it has neither a reference nor a carriage return. */
bool is_literal(Span span);

/* text.c: what `text` says, which is the whole text of a node. */
Verdict said_text(Said *said, Span text);
/* `text` on one line, at most FIELD_LIMIT characters of it; a new reference in `*folded`. */
Verdict fold_field(Said *said, Span text, PyObject **folded);
/* Whether there is nothing in `text` but ASCII, without control characters. */
bool is_ascii(Span text);
/* `text` without white space at its ends. */
Span trimmed(Span text);

/* said.c */
Verdict said_start(Said *said, Tag tag, const Attributes *attributes);
void said_end(Said *said, Tag tag);
void said_free(Said *said);

/* scan.c */
Verdict scan(Said *said, const char *source, size_t size);

/* links.c: the canonical URL of `href` on the page at `base`: NULL when it leads nowhere we go. */
Verdict join_url(const Said *said, PyObject *base, Span href, PyObject **joined);

#endif
