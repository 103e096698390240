/* The tag path of a link (page/tag_paths.py): the innermost elements that contain it, each with class and id. */

#include "scan.h"

enum { DEPTH = 6, LONGEST = 16 };

/* Append the words of a value after `mark` (0: nothing), joined by points; nothing where it has none. */
static Status add_words(Document *doc, Span value, char mark)
{
    char words[LONGEST];
    size_t size = 0;
    bool gap = false;
    for (size_t i = 0; i < value.size && size < LONGEST; i++) {
        char c = value.at[i];
        if (is_space(c)) {
            gap = size > 0;
        } else if (is_letter(c) || c == '-' || c == '_') {
            if (gap)
                words[size++] = '.';
            if (size < LONGEST)  /* a point may have been the last */
                words[size++] = lower(c);
            gap = false;
        }
    }
    if (size > 0 && mark)
        NEED(buffer_add(&doc->labels, &mark, 1));
    NEED(buffer_add(&doc->labels, words, size));
    return OK;
}

/* The same of an attribute. Unlike the name of an element it may have references. */
static Status add_attribute(Document *doc, Span written, char mark)
{
    Span value;
    if (written.size == 0)
        return OK;
    TRY(decoded(doc, written, &value));
    return add_words(doc, value, mark);
}

/* The values of the first `class` and the first `id`; empty where there is none. */
static void class_and_id(Span written, Span *class, Span *id)
{
    const char *at = written.at, *end = at + written.size;
    Span name, value;
    *class = *id = (Span){NULL, 0};
    while (next_attribute(&at, end, &name, &value)) {
        Span *kept = name.size == 5 ? class : name.size == 2 ? id : NULL;
        if (kept != NULL && kept->at == NULL && equals(name.at, name.size, kept == class ? "class" : "id"))
            *kept = value;
    }
}

/* Set the label of an element: where its text, which ends with NUL, begins in `labels`, plus 1. */
static Status set_label(Document *doc, Node *node)
{
    const TagRules *rules = &tag_rules[node->tag];
    size_t place = doc->labels.size;
    TRY(add_words(doc, node->tag != OTHER ? (Span){rules->name, rules->size} : node->name, 0));
    if (node->piece.span.size > 0) {
        Span class, id;
        class_and_id(node->piece.span, &class, &id);
        TRY(add_attribute(doc, class, '.'));
        TRY(add_attribute(doc, id, '#'));
    }
    NEED(buffer_add(&doc->labels, "", 1));
    node->label = (uint32_t)place + 1;  /* below 2^32: at most some ten times SOURCE_LIMIT */
    return OK;
}

/* Write the path of `node` to `scratch`. */
static Status write_path(Document *doc, Node *node)
{
    Node *elements[DEPTH];
    int count = 0;
    for (; count < DEPTH && node->parent != NULL && node->tag != TAG_body && node->tag != TAG_html; node = node->parent) {
        if (node->label == 0)
            TRY(set_label(doc, node));
        elements[count++] = node;
    }
    doc->scratch.size = 0;
    while (count-- > 0) {
        const char *label = doc->labels.data + elements[count]->label - 1;
        NEED(buffer_add(&doc->scratch, label, strlen(label)));
        if (count > 0)
            NEED(buffer_add(&doc->scratch, "/", 1));
    }
    return OK;
}

Status add_path(Document *doc, uint8_t *number)
{
    TRY(write_path(doc, doc->element));
    const int32_t *ends = buffer_ints(&doc->path_ends);
    size_t count = buffer_count(&doc->path_ends), size = doc->scratch.size;
    for (size_t i = 0, begin = 0; i < count; begin = (size_t)ends[i++]) {
        if ((size_t)ends[i] - begin == size && memcmp(doc->paths.data + begin, doc->scratch.data, size) == 0) {
            *number = (uint8_t)i;
            return OK;
        }
    }
    *number = (uint8_t)count;
    if (count == MOST_PATHS)  /* the number of no path */
        return OK;
    NEED(buffer_add(&doc->paths, doc->scratch.data, size));
    NEED(buffer_add_int(&doc->path_ends, (int32_t)doc->paths.size));  /* MOST_PATHS short paths */
    return OK;
}
