/* Whether a page is in quirks mode, in which a table does not end a paragraph. */

#include "scan.h"

/* Beginnings of public identifiers that mean quirks mode, in lower case. */
static const char *const old[] = {
    "+//silmaril//dtd html pro v0r11 19970101//", "-//as//dtd html 3.0 aswedit + extensions//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//", "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//", "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//", "-//ietf//dtd html 2.0 strict//", "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//", "-//ietf//dtd html 3.0//", "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//", "-//ietf//dtd html 3//", "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//", "-//ietf//dtd html level 2//", "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//", "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//", "-//ietf//dtd html strict level 3//", "-//ietf//dtd html strict//",
    "-//ietf//dtd html//", "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//", "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//", "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//", "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//", "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//", "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//", "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//", "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//", "-//w3c//dtd html 3.2 final//", "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//", "-//w3c//dtd html 4.0 frameset//", "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//", "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//", "-//w3o//dtd w3 html 3.0//", "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
};
static const char *const old_without_system[] = {
    "-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//",
};

static bool begins_with_one(Span text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (starts_with(text.at, text.at + text.size, words[i]))
            return true;
    return false;
}

static const char *after_spaces(const char *at, const char *end)
{
    while (at < end && is_space(*at))
        at++;
    return at;
}

/* The quoted text at `*at`; without a quote its `at` is NULL. `*broken` when the doctype ends inside it. */
static Span quoted(const char **at, const char *end, bool *broken)
{
    const char *from = after_spaces(*at, end);
    if (from == end || (*from != '"' && *from != '\'')) {
        *at = from;
        return (Span){NULL, 0};
    }
    const char *quote = memchr(from + 1, *from, (size_t)(end - from - 1));
    *broken = *broken || quote == NULL;
    *at = quote != NULL ? quote + 1 : end;
    return (Span){from + 1, (size_t)((quote != NULL ? quote : end) - from - 1)};
}

bool means_quirks(Span text)
{
    static const char old_system[] = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";
    const char *at = after_spaces(text.at, text.at + text.size), *end = text.at + text.size, *name = at;
    while (at < end && !is_space(*at))
        at++;
    if (!equals(name, (size_t)(at - name), "html"))
        return true;
    at = after_spaces(at, end);
    Span public = {NULL, 0}, system = {NULL, 0};
    bool broken = false, has_public = starts_with(at, end, "public");
    if (at == end)
        return false;
    if (!has_public && !starts_with(at, end, "system"))
        return true;
    at += strlen("public");  /* as long as "system" */
    if (has_public) {
        public = quoted(&at, end, &broken);
        if (public.at == NULL)
            return true;
    }
    system = quoted(&at, end, &broken);
    if (broken || (system.at == NULL && (!has_public || after_spaces(at, end) < end)))
        return true;
    if (equals(public.at, public.size, "-//w3o//dtd w3 html strict 3.0//en//")
        || equals(public.at, public.size, "-/w3c/dtd html 4.0 transitional/en")
        || equals(public.at, public.size, "html") || equals(system.at, system.size, old_system))
        return true;
    return begins_with_one(public, old, sizeof old / sizeof *old)
        || (system.at == NULL
            && begins_with_one(public, old_without_system, sizeof old_without_system / sizeof *old_without_system));
}
