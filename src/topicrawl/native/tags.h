/* The elements of HTML that need a rule of their own; every other element is OTHER. */

#ifndef TOPICRAWL_TAGS_H
#define TOPICRAWL_TAGS_H

#include <stddef.h>
#include <stdint.h>

enum {
    BLOCK = 1 << 0,       /* its text stands on lines of its own */
    HIDES = 1 << 1,       /* its text is never shown */
    SPECIAL = 1 << 2,     /* an end tag does not reach through it */
    FORMATTING = 1 << 3,  /* opened again by a browser when it was not closed: we then give up */
    EMPTY = 1 << 4,       /* has no content and no end tag */
    CLOSES_P = 1 << 5,    /* its start ends a paragraph */
    IMPLIED = 1 << 6,     /* its end tag may be left out */
    BARRIER = 1 << 7,     /* ends the scope in which an end tag looks for its element */
    RAW = 1 << 8,         /* its content is text up to its end tag, markup or not */
    DECODED = 1 << 9,     /* the same, but character references count */
    HEADING = 1 << 10,
    IN_TABLE = 1 << 11,   /* builds tables */
    INTRICATE = 1 << 12,  /* its rules are not worth their code here */
    TOLD = 1 << 13,       /* its attributes say something to us */
    HEAD = 1 << 14,       /* belongs into the head */
    ENCLOSES = 1 << 15,   /* its end tag ends whatever is left open in it */
};

#define BOX BLOCK | SPECIAL | CLOSES_P | ENCLOSES

/* name, rules, tag group (page/groups.py; -1: that of its parent). In alphabetical order. */
#define TAGS(X) \
    X(a, FORMATTING | TOLD, -1) \
    X(address, BOX, -1) \
    X(applet, INTRICATE, -1) \
    X(area, EMPTY | SPECIAL | TOLD, -1) \
    X(article, BOX, -1) \
    X(aside, BOX, -1) \
    X(b, FORMATTING, 2) \
    X(base, EMPTY | SPECIAL | HEAD | TOLD, -1) \
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
    X(frame, INTRICATE, -1) \
    X(frameset, INTRICATE, -1) \
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
    X(html, SPECIAL | BARRIER | TOLD, -1) \
    X(i, FORMATTING, -1) \
    X(iframe, RAW | HIDES | SPECIAL | TOLD, -1) \
    X(image, INTRICATE, -1) \
    X(img, EMPTY | SPECIAL | TOLD, -1) \
    X(input, EMPTY | SPECIAL, -1) \
    X(keygen, EMPTY | SPECIAL, -1) \
    X(legend, BLOCK, -1) \
    X(li, BLOCK | SPECIAL | CLOSES_P | IMPLIED, 3) \
    X(link, EMPTY | SPECIAL | HEAD, -1) \
    X(listing, INTRICATE, -1) \
    X(main, BOX, -1) \
    X(marquee, INTRICATE, -1) \
    X(math, INTRICATE, -1) \
    X(menu, BOX, -1) \
    X(meta, EMPTY | SPECIAL | HEAD | TOLD, -1) \
    X(nav, BOX, -1) \
    X(nobr, FORMATTING, -1) \
    X(noembed, RAW | HIDES | SPECIAL, -1) \
    X(noframes, RAW | HIDES | SPECIAL | HEAD, -1) \
    X(noscript, HIDES | SPECIAL, -1) \
    X(object, INTRICATE, -1) \
    X(ol, BOX, -1) \
    X(optgroup, BLOCK | IMPLIED, -1) \
    X(option, BLOCK | IMPLIED, -1) \
    X(p, BLOCK | SPECIAL | CLOSES_P | IMPLIED, 3) \
    X(param, EMPTY | SPECIAL, -1) \
    X(plaintext, INTRICATE, -1) \
    X(pre, BOX, -1) \
    X(rb, INTRICATE, -1) \
    X(rp, INTRICATE, -1) \
    X(rt, INTRICATE, -1) \
    X(rtc, INTRICATE, -1) \
    X(ruby, 0, -1) \
    X(s, FORMATTING, -1) \
    X(script, RAW | HIDES | SPECIAL | HEAD, -1) \
    X(search, BOX, -1) \
    X(section, BOX, -1) \
    X(select, BLOCK | SPECIAL, -1) \
    X(selectedcontent, INTRICATE, -1) \
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
    X(template, INTRICATE, -1) \
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

/* The tag that `size` bytes at `name` spell, in any case. */
Tag tag_named(const char *name, size_t size);

#endif
