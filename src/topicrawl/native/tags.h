/* The elements of HTML that need a rule of their own; every other element is OTHER. */

#ifndef TOPICRAWL_TAGS_H
#define TOPICRAWL_TAGS_H

#include <stddef.h>
#include <stdint.h>

enum {
    BLOCK = 1 << 0,       /* separated from other text by line breaks */
    HIDES = 1 << 1,       /* its text is never shown */
    SPECIAL = 1 << 2,     /* the standard's "special": stops the search for the element of an end tag */
    FORMATTING = 1 << 3,  /* reopened when its parent was closed before it */
    EMPTY = 1 << 4,       /* has no content and no end tag */
    CLOSES_P = 1 << 5,    /* its start tag closes an open p */
    IMPLIED = 1 << 6,     /* its end tag may be left out */
    BARRIER = 1 << 7,     /* the standard's scope boundary */
    RAW = 1 << 8,         /* its content is text up to its end tag */
    DECODED = 1 << 9,     /* the same, with character references decoded */
    HEADING = 1 << 10,
    TABLE_PART = 1 << 11,   /* part of a table */
    ATTRIBUTES = 1 << 13,   /* its attributes are used */
    HEAD = 1 << 14,       /* belongs in the head */
    ENCLOSES = 1 << 15,   /* its end tag closes everything open inside it */
    OBJECT = 1 << 12,     /* formatting outside of it is not reopened inside */
    LEAVES_FOREIGN = 1 << 16,  /* its start tag ends SVG and MathML */
};

#define BOX BLOCK | SPECIAL | CLOSES_P | ENCLOSES

/* name, rules, tag group (page/groups.py; -1: that of its parent). In alphabetical order. */
#define TAGS(X) \
    X(a, FORMATTING | ATTRIBUTES, -1) \
    X(address, BOX, -1) \
    X(applet, SPECIAL | BARRIER | OBJECT, -1) \
    X(area, EMPTY | SPECIAL | ATTRIBUTES, -1) \
    X(article, BOX, -1) \
    X(aside, BOX, -1) \
    X(b, FORMATTING | LEAVES_FOREIGN, 2) \
    X(base, EMPTY | SPECIAL | HEAD | ATTRIBUTES, -1) \
    X(basefont, EMPTY | SPECIAL | HEAD, -1) \
    X(bgsound, EMPTY | SPECIAL | HEAD, -1) \
    X(big, FORMATTING | LEAVES_FOREIGN, -1) \
    X(blockquote, BOX | LEAVES_FOREIGN, -1) \
    X(body, BLOCK | SPECIAL | LEAVES_FOREIGN, -1) \
    X(br, EMPTY | BLOCK | SPECIAL | LEAVES_FOREIGN, -1) \
    X(button, BLOCK | SPECIAL | ENCLOSES, -1) \
    X(caption, BLOCK | SPECIAL | BARRIER | TABLE_PART, -1) \
    X(center, BOX | LEAVES_FOREIGN, -1) \
    X(code, FORMATTING | LEAVES_FOREIGN, -1) \
    X(col, EMPTY | SPECIAL | TABLE_PART, -1) \
    X(colgroup, SPECIAL | TABLE_PART, -1) \
    X(datalist, HIDES, -1) \
    X(dd, BLOCK | SPECIAL | CLOSES_P | IMPLIED | LEAVES_FOREIGN, -1) \
    X(details, BOX, -1) \
    X(dialog, BLOCK | CLOSES_P | ENCLOSES, -1) \
    X(dir, BOX, -1) \
    X(div, BOX | LEAVES_FOREIGN, -1) \
    X(dl, BOX | LEAVES_FOREIGN, -1) \
    X(dt, BLOCK | SPECIAL | CLOSES_P | IMPLIED | LEAVES_FOREIGN, -1) \
    X(em, FORMATTING | LEAVES_FOREIGN, -1) \
    X(embed, EMPTY | SPECIAL | LEAVES_FOREIGN, -1) \
    X(fieldset, BOX, -1) \
    X(figcaption, BOX, -1) \
    X(figure, BOX, -1) \
    X(font, FORMATTING, -1) \
    X(footer, BOX, -1) \
    X(form, BLOCK | SPECIAL | CLOSES_P, -1) \
    X(frame, EMPTY | SPECIAL | ATTRIBUTES, -1) \
    X(frameset, SPECIAL, -1) \
    X(h1, BLOCK | SPECIAL | CLOSES_P | HEADING | LEAVES_FOREIGN, 0) \
    X(h2, BLOCK | SPECIAL | CLOSES_P | HEADING | LEAVES_FOREIGN, 1) \
    X(h3, BLOCK | SPECIAL | CLOSES_P | HEADING | LEAVES_FOREIGN, 1) \
    X(h4, BLOCK | SPECIAL | CLOSES_P | HEADING | LEAVES_FOREIGN, 2) \
    X(h5, BLOCK | SPECIAL | CLOSES_P | HEADING | LEAVES_FOREIGN, 2) \
    X(h6, BLOCK | SPECIAL | CLOSES_P | HEADING | LEAVES_FOREIGN, 2) \
    X(head, SPECIAL | LEAVES_FOREIGN, -1) \
    X(header, BOX, -1) \
    X(hgroup, BOX, -1) \
    X(hr, EMPTY | BLOCK | SPECIAL | CLOSES_P | LEAVES_FOREIGN, -1) \
    X(html, SPECIAL | BARRIER | ATTRIBUTES, -1) \
    X(i, FORMATTING | LEAVES_FOREIGN, -1) \
    X(iframe, RAW | HIDES | SPECIAL | ATTRIBUTES, -1) \
    X(image, 0, -1) \
    X(img, EMPTY | SPECIAL | ATTRIBUTES | LEAVES_FOREIGN, -1) \
    X(input, EMPTY | SPECIAL, -1) \
    X(isindex, SPECIAL, -1) \
    X(keygen, EMPTY | SPECIAL, -1) \
    X(legend, BLOCK, -1) \
    X(li, BLOCK | SPECIAL | CLOSES_P | IMPLIED | LEAVES_FOREIGN, 3) \
    X(link, EMPTY | SPECIAL | HEAD, -1) \
    X(listing, SPECIAL | CLOSES_P | ENCLOSES | LEAVES_FOREIGN, -1) \
    X(main, BOX, -1) \
    X(marquee, SPECIAL | BARRIER | OBJECT, -1) \
    X(math, 0, -1) \
    X(menu, BOX | LEAVES_FOREIGN, -1) \
    X(meta, EMPTY | SPECIAL | HEAD | ATTRIBUTES | LEAVES_FOREIGN, -1) \
    X(nav, BOX, -1) \
    X(nobr, FORMATTING | LEAVES_FOREIGN, -1) \
    X(noembed, RAW | HIDES | SPECIAL, -1) \
    X(noframes, RAW | HIDES | SPECIAL | HEAD, -1) \
    X(noscript, HIDES | SPECIAL, -1) \
    X(object, SPECIAL | BARRIER | OBJECT, -1) \
    X(ol, BOX | LEAVES_FOREIGN, -1) \
    X(optgroup, BLOCK | IMPLIED, -1) \
    X(option, BLOCK | IMPLIED, -1) \
    X(p, BLOCK | SPECIAL | CLOSES_P | IMPLIED | LEAVES_FOREIGN, 3) \
    X(param, EMPTY | SPECIAL, -1) \
    X(plaintext, SPECIAL | CLOSES_P, -1) \
    X(pre, BOX | LEAVES_FOREIGN, -1) \
    X(rb, IMPLIED, -1) \
    X(rp, IMPLIED, -1) \
    X(rt, IMPLIED, -1) \
    X(rtc, IMPLIED, -1) \
    X(ruby, LEAVES_FOREIGN, -1) \
    X(s, FORMATTING | LEAVES_FOREIGN, -1) \
    X(script, RAW | HIDES | SPECIAL | HEAD, -1) \
    X(search, BOX, -1) \
    X(section, BOX, -1) \
    X(select, BLOCK | SPECIAL | BARRIER | ENCLOSES, -1) \
    X(selectedcontent, 0, -1) \
    X(small, FORMATTING | LEAVES_FOREIGN, -1) \
    X(source, EMPTY | SPECIAL, -1) \
    X(span, LEAVES_FOREIGN, -1) \
    X(strike, FORMATTING | LEAVES_FOREIGN, -1) \
    X(strong, FORMATTING | LEAVES_FOREIGN, 2) \
    X(style, RAW | HIDES | SPECIAL | HEAD, -1) \
    X(sub, LEAVES_FOREIGN, -1) \
    X(summary, BOX, -1) \
    X(sup, LEAVES_FOREIGN, -1) \
    X(svg, HIDES, -1) \
    X(table, BLOCK | SPECIAL | BARRIER | TABLE_PART | LEAVES_FOREIGN, -1) \
    X(tbody, BLOCK | SPECIAL | TABLE_PART, -1) \
    X(td, BLOCK | SPECIAL | BARRIER | TABLE_PART, 3) \
    X(template, HIDES | SPECIAL | BARRIER | HEAD, -1) \
    X(textarea, BLOCK | DECODED | SPECIAL, -1) \
    X(tfoot, BLOCK | SPECIAL | TABLE_PART, -1) \
    X(th, BLOCK | SPECIAL | BARRIER | TABLE_PART, 3) \
    X(thead, BLOCK | SPECIAL | TABLE_PART, -1) \
    X(title, DECODED | HIDES | SPECIAL | HEAD, -1) \
    X(tr, BLOCK | SPECIAL | TABLE_PART, -1) \
    X(track, EMPTY | SPECIAL, -1) \
    X(tt, FORMATTING | LEAVES_FOREIGN, -1) \
    X(u, FORMATTING | LEAVES_FOREIGN, -1) \
    X(ul, BOX | LEAVES_FOREIGN, -1) \
    X(var, LEAVES_FOREIGN, -1) \
    X(wbr, EMPTY | SPECIAL, -1) \
    X(xmp, RAW | SPECIAL | CLOSES_P, -1)

typedef enum {
    OTHER,
#define X(name, rules, group) TAG_##name,
    TAGS(X)
#undef X
    TAG_COUNT
} Tag;

typedef struct {
    const char *name;
    uint8_t size;
    uint32_t rules;
    int8_t group;
} TagRules;

extern const TagRules tag_rules[TAG_COUNT];

/* The tag called `name` (`size` bytes, any case); OTHER when it is not in the list. */
Tag tag_named(const char *name, size_t size);

#endif
