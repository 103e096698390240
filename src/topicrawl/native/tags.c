#include "tags.h"

#include "ascii.h"

const TagRules tag_rules[TAG_COUNT] = {
    {"", 0, 0, -1},
#define X(name, rules, group) {#name, sizeof #name - 1, rules, group},
    TAGS(X)
#undef X
};

/* First tag of each initial letter; tags are in alphabetical order. */
static const uint8_t first_with[27] = {
    TAG_a, TAG_b, TAG_caption, TAG_datalist, TAG_em, TAG_fieldset, TAG_h1, TAG_h1, TAG_i, TAG_keygen, TAG_keygen,
    TAG_legend, TAG_main, TAG_nav, TAG_object, TAG_p, TAG_rb, TAG_rb, TAG_s, TAG_table, TAG_u, TAG_var, TAG_wbr,
    TAG_xmp, TAG_COUNT, TAG_COUNT, TAG_COUNT,
};

Tag tag_named(const char *name, size_t size)
{
    if (size == 0 || !is_letter(name[0]))
        return OTHER;
    int letter = lower(name[0]) - 'a';
    for (int tag = first_with[letter]; tag < first_with[letter + 1]; tag++)
        if (tag_rules[tag].size == size && equals(name, size, tag_rules[tag].name))
            return (Tag)tag;
    return OTHER;
}
