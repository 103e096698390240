/* Canonical URLs of links (urls.py), without a URL parser where the link is simple: only characters that canonical
form does not change, no segment that begins with "." except "./" and "../" at its beginning, a host in lower case without a
port. */

#include "ascii.h"
#include "reader.h"

enum { PATH = 1, QUERY = 2, HOST = 4 };

/* The parts of a URL in which canonical form keeps a character as it is. */
static int allowed_in(char c)
{
    if ((c >= 'a' && c <= 'z') || is_digit(c) || c == '-')
        return PATH | QUERY | HOST;
    if ((c >= 'A' && c <= 'Z') || (c != '\0' && strchr("_~!$&()*+,;=@:", c) != NULL))
        return PATH | QUERY;
    if (c == '.')
        return PATH | QUERY | HOST;
    return c == '/' ? PATH | QUERY : c == '?' ? QUERY : 0;
}

/* Whether a path (from its first slash or segment on) with its query is canonical already.
`*size` becomes its size without the fragment. */
static bool is_canonical_path(const char *at, size_t *size, bool colons)
{
    size_t i = 0;
    bool segment_begins = true;
    for (; i < *size && at[i] != '?' && at[i] != '#'; i++) {
        if (!(allowed_in(at[i]) & PATH) || (at[i] == '.' && segment_begins) || (at[i] == ':' && !colons))
            return false;
        segment_begins = at[i] == '/';
    }
    for (; i < *size && at[i] != '#'; i++)
        if (!(allowed_in(at[i]) & QUERY))
            return false;
    size_t kept = i;
    for (; i < *size; i++)
        if (at[i] <= ' ' || at[i] > '~')
            return false;
    *size = kept;
    return true;
}

/* Size of "http://" or "https://" at the beginning of `url`, 0 when there is none. */
static size_t scheme_size(Span url)
{
    const char *end = url.at + url.size;
    if (url.size > 7 && memcmp(url.at, "http://", 7) == 0)
        return 7;
    return url.size > 8 && starts_with(url.at, end, "https://") && memcmp(url.at, "https://", 8) == 0 ? 8 : 0;
}

/* Size of a simple host name at the beginning of `rest`, 0 when there is none. */
static size_t host_size(Span rest)
{
    size_t size = 0, label = 0;
    while (size < rest.size && allowed_in(rest.at[size]) & HOST) {
        if (rest.at[size] == '.') {
            if (size == label)
                return 0;
            label = size + 1;
        } else if (size == label && !is_letter(rest.at[size])) {
            return 0;  /* might be an IP address, or a name with another canonical form */
        }
        size++;
    }
    bool punycode = false;
    for (size_t i = 0; i + 4 <= size; i++)
        punycode = punycode || memcmp(rest.at + i, "xn--", 4) == 0;
    return punycode || size == label || size > 200 ? 0 : size;
}

/* The canonical form of a simple absolute URL, as prefix and path; false when it is not simple. */
static bool plain_absolute(Span href, Span *prefix, Span *path)
{
    size_t scheme = scheme_size(href);
    if (scheme == 0)
        return false;
    size_t host = host_size((Span){href.at + scheme, href.size - scheme});
    *prefix = (Span){href.at, scheme + host};
    *path = (Span){href.at + prefix->size, href.size - prefix->size};
    if (host == 0)
        return false;
    if (path->size == 0)
        *path = (Span){"/", 1};
    return path->at[0] == '/' && is_canonical_path(path->at, &path->size, true);
}

/* The same for a link relative to `base`, a canonical URL. */
static bool plain_relative(Span base, Span href, Span *prefix, Span *path)
{
    size_t scheme = scheme_size(base);
    const char *root = scheme ? memchr(base.at + scheme, '/', base.size - scheme) : NULL;
    *path = href;
    if (root == NULL)
        return false;
    if (href.at[0] == '/') {
        *prefix = (Span){base.at, (size_t)(root - base.at)};
        return !(href.size > 1 && href.at[1] == '/') && is_canonical_path(href.at, &path->size, true);
    }
    const char *slash = root;
    for (const char *at = root; at < base.at + base.size && *at != '?'; at++)
        if (*at == '/')
            slash = at;
    const char *at = href.at, *end = href.at + href.size;
    while (starts_with(at, end, "./") || starts_with(at, end, "../")) {
        bool up = at[1] == '.';
        at += up ? 3 : 2;
        while (up && slash > root && *--slash != '/')
            ;
    }
    *prefix = (Span){base.at, (size_t)(slash + 1 - base.at)};
    *path = (Span){at, (size_t)(end - at)};
    if (at == end)
        return at > href.at;
    return *at != '?' && *at != '#' && is_canonical_path(at, &path->size, false);
}

static PyObject *joined_spans(Span prefix, Span path)
{
    char url[MAX_URL];
    memcpy(url, prefix.at, prefix.size);  /* both fit: the caller has checked */
    memcpy(url + prefix.size, path.at, path.size);
    return PyUnicode_FromStringAndSize(url, (Py_ssize_t)(prefix.size + path.size));
}

Status join_url(const Document *doc, PyObject *base, Span href, PyObject **joined)
{
    Span prefix, path, origin = {NULL, 0};
    *joined = NULL;
    if (PyUnicode_IS_ASCII(base))
        origin = (Span){PyUnicode_DATA(base), (size_t)PyUnicode_GET_LENGTH(base)};
    bool plain = plain_absolute(href, &prefix, &path)
              || (origin.at != NULL && plain_relative(origin, href, &prefix, &path));
    if (plain && prefix.size < MAX_URL && path.size <= MAX_URL - prefix.size) {
        *joined = joined_spans(prefix, path);
        return *joined == NULL ? FAILED : OK;
    }
    PyObject *text = PyUnicode_DecodeUTF8(href.at, (Py_ssize_t)href.size, NULL);
    NEED(text != NULL);
    PyObject *found = PyObject_CallFunctionObjArgs(doc->tools.join, base, text, NULL);
    Py_DECREF(text);
    NEED(found != NULL);
    if (found != Py_None)
        *joined = Py_NewRef(found);
    Py_DECREF(found);
    return OK;
}
