/* The scanner's state: the source, the position in it, and the stack of open elements. */

#ifndef TOPICRAWL_SCAN_H
#define TOPICRAWL_SCAN_H

#include "ascii.h"
#include "reader.h"

/* An open element; `name`, as written, distinguishes elements whose tag is OTHER. */
typedef struct {
    Tag tag;
    Span name;
} Element;

/* A tag as written. */
typedef struct {
    Tag tag;
    Span name;
    Attributes attributes;
    bool closes_itself;
} Token;

enum Place { BEFORE_BODY, IN_BODY, AFTER_BODY };
enum Quirks { QUIRKS, NO_QUIRKS, UNSURE };

typedef struct {
    Document *doc;
    const char *at, *end;
    Element open[MAX_DEPTH];
    int depth;
    enum Place place;
    enum Quirks quirks;
    bool begun;        /* a tag or text has been read */
    bool head_closed;
    bool form;         /* the last form has not ended */
    bool in_select;
    Span text;         /* not collected yet: more may follow in the same node */
    Buffer node;       /* holds that text when it is not one piece of the source */
} Scanner;

/* tokens.c: moves `at` past a tag whose "<" or "</" has been read; false when the source ends inside it. */
bool read_tag(Scanner *scanner, Token *token);
/* Moves `at` past a comment, doctype or other declaration that begins at `at` with "<!", "<?" or "</". */
void skip_declaration(Scanner *scanner);
/* The text up to the end tag of a raw element, which is read too. FALL_BACK for nested scripts. */
Status read_raw(Scanner *scanner, Tag tag, Span *text);

/* svg.c: moves `at` past an svg element whose start tag, called `name`, has been read. */
Status skip_svg(Scanner *scanner, Span name);

/* tree.c */
Status start_tag(Scanner *scanner, const Token *token);
Status end_tag(Scanner *scanner, const Token *token);
Status add_text(Scanner *scanner, Span text);
Status flush_text(Scanner *scanner);
void close_all(Scanner *scanner);

/* tables.c: tags of tables, and whether the current node is a table, section or row, which hold only such tags. */
Status start_in_table(Scanner *scanner, Tag tag);
Status end_in_table(Scanner *scanner, Tag tag);
bool between_cells(const Scanner *scanner);

/* Steps that tree.c and tables.c share. */
Status open_element(Scanner *scanner, Tag tag, Span name, const Attributes *attributes);
void close_element(Scanner *scanner);
void close_implied(Scanner *scanner, Tag but);
/* Close elements down to the one at `depth` inclusive; FALL_BACK on formatting that a browser would reopen. */
Status close_down_to(Scanner *scanner, int depth);

static inline Tag current(const Scanner *scanner)
{
    return scanner->depth > 0 ? scanner->open[scanner->depth - 1].tag : OTHER;
}

/* Whether two names are equal, ignoring case. */
static inline bool same_name(Span one, Span other)
{
    bool same = one.size == other.size;
    for (size_t i = 0; same && i < one.size; i++)
        same = lower(one.at[i]) == lower(other.at[i]);
    return same;
}

static inline uint16_t rules_of(Tag tag)
{
    return tag_rules[tag].rules;
}

#endif
