/* The elements of HTML that need a rule of their own; every other element is OTHER. */

#ifndef TOPICRAWL_TAGS_H
#define TOPICRAWL_TAGS_H

#include <stddef.h>
#include <stdint.h>

enum {
    BLOCK = 1 << 0,       /* separated from other text by line breaks */
    HIDES = 1 << 1,       /* its text is never shown */
    SPECIAL = 1 << 2,     /* the standard's "special": stops the search for the element of an end tag */
    FORMATTING = 1 << 3,  /* reopened by a browser when it was not closed: FALL_BACK */
    EMPTY = 1 << 4,       /* has no content and no end tag */
    CLOSES_P = 1 << 5,    /* its start tag closes an open p */
    IMPLIED = 1 << 6,     /* its end tag may be left out */
    BARRIER = 1 << 7,     /* the standard's scope boundary */
    RAW = 1 << 8,         /* its content is text up to its end tag */
    DECODED = 1 << 9,     /* the same, with character references decoded */
    HEADING = 1 << 10,
    IN_TABLE = 1 << 11,   /* part of a table */
    UNSUPPORTED = 1 << 12,  /* rare, with long rules: FALL_BACK */
    ATTRIBUTES = 1 << 13,       /* its attributes are used */
    HEAD = 1 << 14,       /* belongs in the head */
    ENCLOSES = 1 << 15,   /* its end tag closes everything open inside it */
};

#define BOX BLOCK | SPECIAL | CLOSES_P | ENCLOSES

/* name, rules, tag group (page/groups.py; -1: that of its parent). In alphabetical order. */
#define TAGS(X) \
    X(a, FORMATTING | ATTRIBUTES, -1) \
    X(address, BOX, -1) \
    X(applet, UNSUPPORTED, -1) \
    X(area, EMPTY | SPECIAL | ATTRIBUTES, -1) \
    X(article, BOX, -1) \
    X(aside, BOX, -1) \
    X(b, FORMATTING, 2) \
    X(base, EMPTY | SPECIAL | HEAD | ATTRIBUTES, -1) \
    X(basefont, EMPTY | SPECIAL | HEAD, -1) \
    X(bgsound, EMPTY | SPECIAL | HEAD, -1) \
    X(big, FORMATTING, -1) \
    X(blockquote, BOX, -1) \
    X(body, BLOCK | SPECIAL, -1) \
    X(br, EMPTY | BLOCK | SPECIAL, -1) \
    X(button, BLOCK | SPECIAL | ENCLOSES, -1) \
    X(caption, BLOCK | SPECIAL | BARRIER | IN_TABLE, -1) \
    X(center, BOX, -1) \
    X(code, FORMATTING, -1) \
    X(col, EMPTY | SPECIAL | IN_TABLE, -1) \
    X(colgroup, SPECIAL | IN_TABLE, -1) \
    X(datalist, HIDES, -1) \
    X(dd, BLOCK | SPECIAL | CLOSES_P | IMPLIED, -1) \
    X(details, BOX, -1) \
    X(dialog, BLOCK | CLOSES_P | ENCLOSES, -1) \
    X(dir, BOX, -1) \
    X(div, BOX, -1) \
    X(dl, BOX, -1) \
    X(dt, BLOCK | SPECIAL | CLOSES_P | IMPLIED, -1) \
    X(em, FORMATTING, -1) \
    X(embed, EMPTY | SPECIAL, -1) \
    X(fieldset, BOX, -1) \
    X(figcaption, BOX, -1) \
    X(figure, BOX, -1) \
    X(font, FORMATTING, -1) \
    X(footer, BOX, -1) \
    X(form, BLOCK | SPECIAL | CLOSES_P, -1) \
    X(frame, UNSUPPORTED, -1) \
    X(frameset, UNSUPPORTED, -1) \
    X(h1, BLOCK | SPECIAL | CLOSES_P | HEADING, 0) \
    X(h2, BLOCK | SPECIAL | CLOSES_P | HEADING, 1) \
    X(h3, BLOCK | SPECIAL | CLOSES_P | HEADING, 1) \
    X(h4, BLOCK | SPECIAL | CLOSES_P | HEADING, 2) \
    X(h5, BLOCK | SPECIAL | CLOSES_P | HEADING, 2) \
    X(h6, BLOCK | SPECIAL | CLOSES_P | HEADING, 2) \
    X(head, SPECIAL, -1) \
    X(header, BOX, -1) \
    X(hgroup, BOX, -1) \
    X(hr, EMPTY | BLOCK | SPECIAL | CLOSES_P, -1) \
    X(html, SPECIAL | BARRIER | ATTRIBUTES, -1) \
    X(i, FORMATTING, -1) \
    X(iframe, RAW | HIDES | SPECIAL | ATTRIBUTES, -1) \
    X(image, UNSUPPORTED, -1) \
    X(img, EMPTY | SPECIAL | ATTRIBUTES, -1) \
    X(input, EMPTY | SPECIAL, -1) \
    X(keygen, EMPTY | SPECIAL, -1) \
    X(legend, BLOCK, -1) \
    X(li, BLOCK | SPECIAL | CLOSES_P | IMPLIED, 3) \
    X(link, EMPTY | SPECIAL | HEAD, -1) \
    X(listing, UNSUPPORTED, -1) \
    X(main, BOX, -1) \
    X(marquee, UNSUPPORTED, -1) \
    X(math, UNSUPPORTED, -1) \
    X(menu, BOX, -1) \
    X(meta, EMPTY | SPECIAL | HEAD | ATTRIBUTES, -1) \
    X(nav, BOX, -1) \
    X(nobr, FORMATTING, -1) \
    X(noembed, RAW | HIDES | SPECIAL, -1) \
    X(noframes, RAW | HIDES | SPECIAL | HEAD, -1) \
    X(noscript, HIDES | SPECIAL, -1) \
    X(object, UNSUPPORTED, -1) \
    X(ol, BOX, -1) \
    X(optgroup, BLOCK | IMPLIED, -1) \
    X(option, BLOCK | IMPLIED, -1) \
    X(p, BLOCK | SPECIAL | CLOSES_P | IMPLIED, 3) \
    X(param, EMPTY | SPECIAL, -1) \
    X(plaintext, UNSUPPORTED, -1) \
    X(pre, BOX, -1) \
    X(rb, UNSUPPORTED, -1) \
    X(rp, UNSUPPORTED, -1) \
    X(rt, UNSUPPORTED, -1) \
    X(rtc, UNSUPPORTED, -1) \
    X(ruby, 0, -1) \
    X(s, FORMATTING, -1) \
    X(script, RAW | HIDES | SPECIAL | HEAD, -1) \
    X(search, BOX, -1) \
    X(section, BOX, -1) \
    X(select, BLOCK | SPECIAL, -1) \
    X(selectedcontent, UNSUPPORTED, -1) \
    X(small, FORMATTING, -1) \
    X(source, EMPTY | SPECIAL, -1) \
    X(span, 0, -1) \
    X(strike, FORMATTING, -1) \
    X(strong, FORMATTING, 2) \
    X(style, RAW | HIDES | SPECIAL | HEAD, -1) \
    X(sub, 0, -1) \
    X(summary, BOX, -1) \
    X(sup, 0, -1) \
    X(svg, HIDES, -1) \
    X(table, BLOCK | SPECIAL | BARRIER | IN_TABLE, -1) \
    X(tbody, BLOCK | SPECIAL | IN_TABLE, -1) \
    X(td, BLOCK | SPECIAL | BARRIER | IN_TABLE, 3) \
    X(template, UNSUPPORTED, -1) \
    X(textarea, BLOCK | DECODED | SPECIAL, -1) \
    X(tfoot, BLOCK | SPECIAL | IN_TABLE, -1) \
    X(th, BLOCK | SPECIAL | BARRIER | IN_TABLE, 3) \
    X(thead, BLOCK | SPECIAL | IN_TABLE, -1) \
    X(title, DECODED | HIDES | SPECIAL | HEAD, -1) \
    X(tr, BLOCK | SPECIAL | IN_TABLE, -1) \
    X(track, EMPTY | SPECIAL, -1) \
    X(tt, FORMATTING, -1) \
    X(u, FORMATTING, -1) \
    X(ul, BOX, -1) \
    X(var, 0, -1) \
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
    uint16_t rules;
    int8_t group;
} TagRules;

extern const TagRules tag_rules[TAG_COUNT];

/* The tag called `name` (`size` bytes, any case); OTHER when it is not in the list. */
Tag tag_named(const char *name, size_t size);

#endif
