/* Types and functions shared by the files of the page reader.

    scan.c        the source to a tree, with the files named in scan.h        (page/html_turbohtml.py)
    walk.c        the tree to events                                          (page/html_turbohtml.py)
    collect.c     collects links and metadata                                 (page/collect.py)
    attributes.c  the values of attributes                                    (page/collect.py)
    tag_paths.c   the tag paths of links                                      (page/tag_paths.py)
    text.c        collects text by tag group                                  (page/collect.py)
    links.c       canonical URLs of the links                                 (urls.py)
    page.c        builds the result                                           (page/html.py)

The Python files named on the right define the result; this is a faster way to it. Where a page is too deep or rare, the
reader returns FALL_BACK, and they read the page instead. */

#ifndef TOPICRAWL_READER_H
#define TOPICRAWL_READER_H

#include "buffer.h"
#include "tags.h"

enum { SOURCE_LIMIT = 1 << 28, TEXT_LIMIT = 1000000, FIELD_LIMIT = 1000, MAX_LINKS = 2000, MAX_DEPTH = 400, MAX_URL = 2083, MOST_PATHS = 255 };
enum { REST = 4, HEADLINE = 0 };         /* tag groups */
enum { NOFOLLOW = 1, IMAGE = 2 };        /* flags of a link */

typedef enum {
    OK,
    FALL_BACK,  /* not supported here: Python must read this page */
    FAILED,     /* a Python exception is set */
} Status;

/* Return from the function unless `step` is OK. */
#define TRY(step) do { Status status_ = (step); if (status_ != OK) return status_; } while (0)
#define NEED(condition) do { if (!(condition)) return FAILED; } while (0)

/* Borrowed bytes; `at` is NULL for an absent value, as opposed to an empty one. */
typedef struct {
    const char *at;
    size_t size;
} Span;

/* The attributes that are used, as written in the source; of two with the same name the first counts. */
typedef struct {
    Span href, src, rel, title, alt, name, content, http_equiv, lang, xml_lang;
} Attributes;

/* Python functions (urls.join, normalize.fold, normalize.nfkc, collect.refresh_target, collect.leads_nowhere) and the table
of named entities. Borrowed. */
typedef struct {
    PyObject *join, *fold, *nfkc, *refresh_target, *leads_nowhere, *entities;
} Tools;

typedef struct {
    int32_t start, end;            /* of the anchor, in characters of the text */
    size_t start_byte, end_byte;   /* the same in bytes */
    size_t href, href_size;        /* in `fields` */
    size_t title, title_size;
    PyObject *alt;                 /* text of images in the anchor; NULL when there is none */
    uint8_t flags, path;           /* path: its number among `paths` */
} Link;

enum Target { DROPPED, TO_TITLE, TO_NOSCRIPT };

typedef struct {
    Tools tools;
    bool wide;                     /* the page has characters beyond Latin-1 */
    Buffer text;                   /* UTF-8 */
    int32_t length;                /* its characters */
    Buffer segment_starts, segment_groups;
    Buffer links;                  /* of Link */
    Buffer fields;                 /* hrefs and titles, decoded */
    Buffer labels;                 /* of the elements in tag paths, each ended by NUL */
    Buffer paths, path_ends;       /* the distinct tag paths, one after the other */
    struct Node *element;          /* whose start is collected */
    Buffer title, noscript;        /* hidden texts that are kept */
    PyObject *keywords, *description, *robots, *base, *language;  /* NULL when absent */
    Buffer scratch;
    bool has_scripts;
    bool full;                     /* TEXT_LIMIT is reached */
    char gap;                      /* separator before the next text: 0, a space or a line break */
    int group;                     /* of the last segment, -1 before the first */
    int8_t groups[MAX_DEPTH + 1];  /* of the open elements that have one */
    int open_groups;
    int hidden;                    /* open elements whose text is not shown */
    enum Target hidden_target;     /* where hidden text goes */
    int32_t open[MAX_DEPTH];       /* rows of open links, -1 for an anchor that is no link */
    int open_count;
    int32_t textless[MAX_DEPTH];   /* rows of open links without text so far */
    int textless_count;
} Document;

/* references.c: append `span` to `out` with character references decoded and line ends as LF. */
Status add_decoded(Buffer *out, Span span, bool in_attribute, PyObject *entities);
/* Whether decoding would not change `span`: it has neither a reference nor a carriage return. */
bool is_literal(Span span);

/* text.c: collect `text`, the whole text of a node. */
Status collect_text(Document *doc, Span text);
/* `text` on one line, at most FIELD_LIMIT characters of it; a new reference in `*folded`. */
Status fold_field(Document *doc, Span text, PyObject **folded);
/* The words of `text`, each run of white space between them a single space; a new reference. */
PyObject *joined_words(PyObject *text);
/* Whether `text` is ASCII without control characters. */
bool is_ascii(Span text);
/* `text` without white space at its ends. */
Span trimmed(Span text);

/* attributes.c: the value of an attribute, decoded: a part of the source or of `doc->scratch`, until the next call. */
Status decoded(Document *doc, Span value, Span *out);
/* The same without white space at its ends, for a value whose case does not count. */
Status decoded_words(Document *doc, Span value, Span *words);
/* Add a link; `*row` is -1 when it leads to no page or the page already has MAX_LINKS. */
Status add_link(Document *doc, Span href, const Attributes *attributes, uint8_t flags, int32_t *row);
/* The same for a decoded `href`. */
Status add_decoded_link(Document *doc, Span href, const Attributes *attributes, uint8_t flags, int32_t *row);

/* tag_paths.c: the number of the tag path of `doc->element`, a link; MOST_PATHS for those beyond as many. */
Status add_path(Document *doc, uint8_t *number);

/* collect.c */
Status collect_start(Document *doc, Tag tag, const Attributes *attributes);
void collect_end(Document *doc, Tag tag);
/* Close open links, after the last event. */
void collect_finish(Document *doc);
void document_free(Document *doc);

/* scan.c */
Status scan(Document *doc, const char *source, size_t size);

/* links.c: the canonical URL of `href` on the page at `base`: NULL when it is no http URL or too long. */
Status join_url(const Document *doc, PyObject *base, Span href, PyObject **joined);

#endif
