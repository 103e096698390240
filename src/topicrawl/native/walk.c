/* Walks the finished tree in document order and collects each start, text and end. */

#include "scan.h"

/* The text of a node in one piece: a part of the source, or joined in `joined`. */
static Status whole_text(const Node *node, Buffer *joined, Span *text)
{
    *text = node->piece.span;
    if (node->piece.next == NULL)
        return OK;
    joined->size = 0;
    for (const Piece *piece = &node->piece; piece != NULL; piece = piece->next)
        NEED(buffer_add(joined, piece->span.at, piece->span.size));
    *text = (Span){joined->data, joined->size};
    return OK;
}

static Status enter(Document *doc, Node *node, Buffer *joined)
{
    static const Attributes none;
    Span text;
    if (node->kind == TEXT) {
        TRY(whole_text(node, joined, &text));
        return collect_text(doc, text);
    }
    if (node->kind == COMMENT)
        return OK;
    if (!(rules_of(node->tag) & ATTRIBUTES))
        return collect_start(doc, node->tag, &none);
    Attributes attributes = read_attributes(&node->piece);
    doc->element = node;
    return collect_start(doc, node->tag, &attributes);
}

static Status walk_all(Document *doc, Node *root, Buffer *joined)
{
    for (Node *node = root->first; node != NULL && !doc->full;) {
        TRY(enter(doc, node, joined));
        if (node->first != NULL) {
            node = node->first;
            continue;
        }
        for (;;) {
            if (node->kind == ELEMENT)
                collect_end(doc, node->tag);
            if (node->next != NULL || node->parent == root)
                break;
            node = node->parent;
        }
        node = node->next;
    }
    return OK;
}

Status walk(Document *doc, Node *root)
{
    Buffer joined = {0};
    Status status = walk_all(doc, root, &joined);
    collect_finish(doc);
    buffer_free(&joined);
    return status;
}
