/* Character tests for ASCII as HTML and URLs define it, independent of the locale. */

#ifndef TOPICRAWL_ASCII_H
#define TOPICRAWL_ASCII_H

#include <stdbool.h>
#include <stddef.h>

static inline char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static inline bool is_letter(char c)
{
    c = lower(c);
    return c >= 'a' && c <= 'z';
}

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

/* Whether `size` bytes at `text` equal `word`, which is in lower case; case is ignored. */
static inline bool equals(const char *text, size_t size, const char *word)
{
    for (size_t i = 0; i < size; i++)
        if (word[i] == '\0' || lower(text[i]) != word[i])
            return false;
    return word[size] == '\0';
}

/* Whether the bytes from `at` to `end` start with `word`, which is in lower case; case is ignored. */
static inline bool starts_with(const char *at, const char *end, const char *word)
{
    for (; *word != '\0'; at++, word++)
        if (at == end || lower(*at) != *word)
            return false;
    return true;
}

#endif
