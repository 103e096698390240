/* SVG and MathML, which have rules of their own, and the HTML inside them. */

#include "scan.h"

static bool is_called(Span name, const char *word)
{
    return equals(name.at, name.size, word);
}

bool is_foreign(const Scanner *scanner, const Token *token)
{
    const Node *node = current(scanner);
    if (node->space == HTML)
        return false;
    bool starts = token->kind == START_TAG, text = token->kind == CHARACTERS;
    if (node->point == TEXT_POINT && (text || (starts && !is_called(token->name, "mglyph")
                                               && !is_called(token->name, "malignmark"))))
        return false;
    if (node->point == HTML_POINT && (text || starts))
        return false;
    return !(starts && token->tag == TAG_svg && is_called(node->name, "annotation-xml"));
}

/* Whether `node`, an annotation of MathML, says that it holds HTML. */
static Status holds_html(const Scanner *scanner, const Node *node, bool *holds)
{
    Span encoding;
    *holds = false;
    if (!has_attribute(node->piece.span, "encoding", &encoding))
        return OK;
    TRY(decoded(scanner->doc, encoding, &encoding));
    *holds = is_called(encoding, "text/html") || is_called(encoding, "application/xhtml+xml");
    return OK;
}

/* What the content of a new element is read as, and whether the element ends scopes. */
static Status set_point(const Scanner *scanner, Node *node)
{
    static const char *const texts[] = {"mi", "mo", "mn", "ms", "mtext"};
    if (node->space == SVG) {
        node->wall = is_called(node->name, "foreignobject") || is_called(node->name, "desc") || node->tag == TAG_title;
        node->point = node->wall ? HTML_POINT : NO_POINT;
        return OK;
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (is_called(node->name, texts[i]))
            node->point = TEXT_POINT;
    bool annotation = is_called(node->name, "annotation-xml"), html = false;
    if (annotation)
        TRY(holds_html(scanner, node, &html));
    if (html)
        node->point = HTML_POINT;
    node->wall = annotation || node->point == TEXT_POINT;
    return OK;
}

Status insert_foreign(Scanner *scanner, const Token *token, Space space)
{
    if (token->tag == TAG_template)
        return FALL_BACK;  /* turbohtml takes it for one of HTML at some end tags */
    TRY(insert_element(scanner, token));
    current(scanner)->space = space;
    TRY(set_point(scanner, current(scanner)));
    if (token->closes_itself)
        pop(scanner);
    return OK;
}

static bool leaves_foreign(const Token *token)
{
    Span value;
    if (token->kind == END_TAG)
        return token->tag == TAG_br || token->tag == TAG_p;
    if (token->tag == TAG_font)
        return has_attribute(token->attributes, "color", &value) || has_attribute(token->attributes, "face", &value)
            || has_attribute(token->attributes, "size", &value);
    return rules_of(token->tag) & LEAVES_FOREIGN;
}

static Status end_foreign(Scanner *scanner, const Token *token)
{
    for (int depth = scanner->depth - 1; depth > 0; depth--) {
        const Node *node = scanner->open[depth];
        if (node->space == HTML)
            return process_in(scanner, scanner->mode, token);
        if (same_name(node->name, token->name)) {
            pop_to(scanner, depth);
            return OK;
        }
    }
    return OK;
}

Status in_foreign(Scanner *scanner, const Token *token)
{
    if (token->kind == COMMENT_TAG)
        return insert_comment(scanner, NULL);
    if (token->kind == CHARACTERS) {
        if (!token->blank)
            scanner->no_frameset = true;
        return insert_text(scanner, token->text);
    }
    if (leaves_foreign(token)) {
        while (current(scanner)->space != HTML && current(scanner)->point == NO_POINT)
            pop(scanner);
        return process_in(scanner, scanner->mode, token);
    }
    if (token->kind == START_TAG)
        return insert_foreign(scanner, token, current(scanner)->space);
    return end_foreign(scanner, token);
}
