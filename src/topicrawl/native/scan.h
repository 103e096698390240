/* The scanner's state: the source, where it stands in it, and the elements that are open there. */

#ifndef TOPICRAWL_SCAN_H
#define TOPICRAWL_SCAN_H

#include "letters.h"
#include "reader.h"

/* An open element; `name` is its name as written, which tells OTHER elements apart. */
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
    Said *said;
    const char *at, *end;
    Element open[MAX_DEPTH];
    int depth;
    enum Place place;
    enum Quirks quirks;
    bool begun;        /* something that counts has been read */
    bool head_closed;
    bool form;         /* the last form has not ended */
    bool in_select;
    Span text;         /* not handed on yet: more may follow in the same node */
    Buffer node;       /* where that text is put together when it is not one piece of the source */
} Scanner;

/* tokens.c: moves `at` behind a tag whose "<" or "</" has been read; false when the source ends inside it. */
bool read_tag(Scanner *scanner, Token *token);
/* Moves `at` behind a comment, doctype or other declaration that begins at `at` with "<!", "<?" or "</". */
void skip_declaration(Scanner *scanner);
/* The text up to the end tag of a raw element, which is read too. GIVE_UP where scripts hide scripts. */
Verdict read_raw(Scanner *scanner, Tag tag, Span *text);

/* drawing.c: moves `at` behind a drawing whose start tag, called `name`, has been read. */
Verdict skip_drawing(Scanner *scanner, Span name);

/* tree.c */
Verdict start_tag(Scanner *scanner, const Token *token);
Verdict end_tag(Scanner *scanner, const Token *token);
Verdict add_text(Scanner *scanner, Span text);
Verdict flush_text(Scanner *scanner);
void close_all(Scanner *scanner);

/* tables.c: tags that build tables, and whether the current node is one that may hold nothing else. */
Verdict start_in_table(Scanner *scanner, Tag tag);
Verdict end_in_table(Scanner *scanner, Tag tag);
bool between_cells(const Scanner *scanner);

/* Steps that tree.c and tables.c share. */
Verdict open_element(Scanner *scanner, Tag tag, Span name, const Attributes *attributes);
void close_element(Scanner *scanner);
void close_implied(Scanner *scanner, Tag but);
/* Close elements down to the one at `depth` inclusive; gives up over formatting that a browser would open again. */
Verdict close_down_to(Scanner *scanner, int depth);

static inline Tag current(const Scanner *scanner)
{
    return scanner->depth > 0 ? scanner->open[scanner->depth - 1].tag : OTHER;
}

/* Whether two names are the same in any case. */
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
