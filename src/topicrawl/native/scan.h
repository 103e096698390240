/* The parser's state, and the steps that its files share. The names are those of the HTML standard, "tree construction".

    scan.c        the source to tokens, and each token to the rules that hold
    tokens.c      tags, attributes, comments, raw text
    doctype.c     whether a doctype means quirks mode
    stack.c       the stack of open elements, and where nodes are inserted
    formatting.c  formatting elements that are reopened or badly nested
    head.c        rules before the body, and of templates
    body.c        start tags in the body
    body_end.c    end tags in the body
    tables.c      rules inside tables
    frames.c      rules of framesets, and after the body
    foreign.c     SVG and MathML
    walk.c        the finished tree to collect.c */

#ifndef TOPICRAWL_SCAN_H
#define TOPICRAWL_SCAN_H

#include "ascii.h"
#include "nodes.h"

typedef enum { START_TAG, END_TAG, CHARACTERS, COMMENT_TAG } TokenKind;

typedef struct {
    TokenKind kind;
    Tag tag;
    Span name;
    Span attributes;     /* as written */
    bool closes_itself;
    Span text;
    bool blank;          /* the text is white space */
} Token;

/* Insertion modes. */
typedef enum {
    INITIAL, BEFORE_HTML, BEFORE_HEAD, IN_HEAD, IN_HEAD_NOSCRIPT, AFTER_HEAD, IN_BODY, IN_TABLE, IN_CAPTION,
    IN_COLUMN_GROUP, IN_TABLE_BODY, IN_ROW, IN_CELL, IN_TEMPLATE, AFTER_BODY, IN_FRAMESET, AFTER_FRAMESET,
    AFTER_AFTER_BODY, AFTER_AFTER_FRAMESET,
} Mode;

typedef struct {
    Document *doc;
    const char *at, *end;
    Arena arena;
    size_t most_elements;             /* a page that reopens more is read in Python */
    Node *root;                       /* the document */
    Node *head, *form;                /* pointers of the standard */
    Node *open[MAX_DEPTH];            /* the stack of open elements */
    int depth;
    int open_p;                       /* how many of them are p */
    Node *formatting[MAX_DEPTH];      /* the list of active formatting elements; NULL is a marker */
    int formatting_count;
    Mode templates[MAX_DEPTH];        /* modes of the open templates */
    int template_count;
    bool had_template;                /* a template was opened */
    Mode mode;
    bool quirks;
    bool no_frameset;                 /* the page has content that a frameset must not replace */
    bool foster;                      /* content of a table is moved before it */
    bool skip_newline;                /* a line break after <pre> is no text */
    Node pending;                     /* text in a table, before it is known to be blank */
    bool pending_blank;
    Buffer decoded;
} Scanner;

/* scan.c */
Status process(Scanner *scanner, const Token *token);
Status process_in(Scanner *scanner, Mode mode, const Token *token);
/* Go on in `mode` with the same token. */
Status reprocess(Scanner *scanner, Mode mode, const Token *token);
Status raw_element(Scanner *scanner, const Token *token);
/* The rest of the page is text. */
Status plain_text(Scanner *scanner);

/* tokens.c: moves `at` past a tag whose "<" or "</" has been read; false when the source ends inside it. */
bool read_tag(Scanner *scanner, Token *token);
/* Moves `at` past a comment or other declaration that begins at `at` with "<!", "<?" or "</". */
void skip_declaration(Scanner *scanner);
/* The text up to the end tag of a raw element, which is read too. */
Span read_raw(Scanner *scanner, Tag tag);
/* The attribute at `*at`, before `end`, to which `*at` moves; false when there is no more. */
bool next_attribute(const char **at, const char *end, Span *name, Span *value);
/* The used attributes among those written in `pieces`. */
Attributes read_attributes(const Piece *pieces);
/* Whether `written` has an attribute called `name`; `*value` is its value. */
bool has_attribute(Span written, const char *name, Span *value);

/* Whether an input is hidden. turbohtml overlooks it where the word is in quotes and the page has characters beyond
   Latin-1: Python reads such a page if that `counts`. */
Status is_hidden(Scanner *scanner, const Token *token, bool counts, bool *hidden);

/* doctype.c: whether the doctype `text`, as written, means quirks mode. */
bool means_quirks(Span text);

/* stack.c */
Status push(Scanner *scanner, Node *node);
void pop(Scanner *scanner);
void pop_to(Scanner *scanner, int depth);
void take_from_stack(Scanner *scanner, Node *node);
Node *new_element(Scanner *scanner, Tag tag, Span name, Span attributes);
Status insert_element(Scanner *scanner, const Token *token);
Status insert_tag(Scanner *scanner, Tag tag);
Status insert_empty(Scanner *scanner, const Token *token);
Status insert_text(Scanner *scanner, Span text);
Status insert_comment(Scanner *scanner, Node *parent);
/* Where a node whose parent would be `target` is inserted: before `*next` in `*parent`. */
void find_place(const Scanner *scanner, Node *target, Node **parent, Node **next);
typedef enum { ANY_SCOPE, BUTTON_SCOPE, LIST_SCOPE, TABLE_SCOPE } Scope;
/* Depth of the innermost open `tag` in scope; -1 when there is none. */
int in_scope(const Scanner *scanner, Tag tag, Scope scope);
/* Whether the element at `depth` is in scope. */
bool is_in_scope(const Scanner *scanner, int depth);
void close_implied(Scanner *scanner, Tag but);
void close_p(Scanner *scanner);
void reset_mode(Scanner *scanner);

/* formatting.c */
Status reconstruct(Scanner *scanner);
Status list_formatting(Scanner *scanner, Node *node);
void unlist(Scanner *scanner, const Node *node);
Status add_marker(Scanner *scanner);
void clear_to_marker(Scanner *scanner);
/* The last element of `tag` after the last marker; NULL when there is none. */
Node *listed_after_marker(const Scanner *scanner, Tag tag);
/* The adoption agency algorithm for the end tag `token`. */
Status adopt(Scanner *scanner, const Token *token);

/* The rules of the modes. */
Status initial(Scanner *scanner, const Token *token);
Status before_html(Scanner *scanner, const Token *token);
Status before_head(Scanner *scanner, const Token *token);
Status in_head(Scanner *scanner, const Token *token);
Status in_head_noscript(Scanner *scanner, const Token *token);
Status after_head(Scanner *scanner, const Token *token);
Status in_template(Scanner *scanner, const Token *token);
Status in_body(Scanner *scanner, const Token *token);
Status end_in_body(Scanner *scanner, const Token *token);
Status end_any(Scanner *scanner, const Token *token);
Status in_table(Scanner *scanner, const Token *token);
Status flush_pending(Scanner *scanner);
Status in_caption(Scanner *scanner, const Token *token);
Status in_column_group(Scanner *scanner, const Token *token);
Status in_table_body(Scanner *scanner, const Token *token);
Status in_row(Scanner *scanner, const Token *token);
Status in_cell(Scanner *scanner, const Token *token);
Status after_body(Scanner *scanner, const Token *token);
Status in_frameset(Scanner *scanner, const Token *token);
Status after_frameset(Scanner *scanner, const Token *token);
Status after_after_body(Scanner *scanner, const Token *token);
Status after_after_frameset(Scanner *scanner, const Token *token);

/* foreign.c: whether the rules of SVG and MathML hold for `token`, these rules, and the start tags svg and math. */
bool is_foreign(const Scanner *scanner, const Token *token);
Status in_foreign(Scanner *scanner, const Token *token);
Status insert_foreign(Scanner *scanner, const Token *token, Space space);

/* walk.c */
Status walk(Document *doc, Node *root);

static inline Node *current(const Scanner *scanner)
{
    return scanner->depth > 0 ? scanner->open[scanner->depth - 1] : scanner->root;
}

static inline Tag current_tag(const Scanner *scanner)
{
    return html_tag(current(scanner));
}

/* Whether `node` is an element of HTML called as `token` is. */
static inline bool is_named(const Node *node, const Token *token)
{
    return node->space == HTML && node->tag == token->tag
        && (token->tag != OTHER || same_name(node->name, token->name));
}

static inline bool is_start(const Token *token, Tag tag)
{
    return token->kind == START_TAG && token->tag == tag;
}

static inline bool is_end(const Token *token, Tag tag)
{
    return token->kind == END_TAG && token->tag == tag;
}

static inline bool is_section(Tag tag)
{
    return tag == TAG_tbody || tag == TAG_thead || tag == TAG_tfoot;
}

static inline bool is_cell(Tag tag)
{
    return tag == TAG_td || tag == TAG_th;
}

#endif
