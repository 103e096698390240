"""The canonical form of a URL: WHATWG form without fragment, user and password, %-escapes in upper case.

Two links lead to the same page exactly when their canonical forms are equal, so everything downstream
compares strings. `host`, `origin` and `site` expect the canonical form and slice it without parsing.

Differs from the WHATWG standard in one place: a host whose `xn--` label is no valid punycode is refused.
No such name can be registered.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pkgutil import get_data
from typing import TYPE_CHECKING

import can_ada

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

MAX_LENGTH = 2083
"""Longest canonical URL in bytes; longer ones are no links."""
MAX_DEPTH = 20
"""Most path segments of a URL that is not taken for a trap."""
MAX_REPEATS = 2
"""How often a path segment may occur in a URL that is not taken for a trap."""
FEW_SLASHES = 3 + MAX_REPEATS
"""A URL with fewer slashes is not taken for one."""

_LOWER_ESCAPE = re.compile(r"%(?:[a-f][0-9A-Fa-f]|[0-9A-F][a-f])")


def canonical(url: str) -> str | None:
    """The canonical form of an absolute http or https URL; None for anything else, or when it is too long."""
    try:
        return _canonical(can_ada.parse(url))
    except ValueError:
        return None
    except TypeError:  # lone surrogates have no UTF-8 form
        return canonical(_without_surrogates(url))


def join(base: str, href: str) -> str | None:
    """The canonical form of `href` on the page at `base`; None when it is no http or https URL or too long.

    Links from the root of a host ("/…", most navigation) are cached for all pages of the host.
    """
    if href.startswith("/") and (end := base.find("/", 8)) > 0:
        return _from_root(base[: end + 1], href)
    return _join(base, href)


def host(url: str) -> str:
    """Host of a canonical URL, with the port where it is not the scheme's own."""
    return url.split("/", 3)[2]


def origin(url: str) -> str:
    """Scheme, host and port of a canonical URL."""
    return url[: url.index("/", 8)]


def path_parts(url: str) -> int:
    """Parts of the path of a canonical URL, between its slashes; empty ones are not counted."""
    if url.count("//") > 1:
        return sum(map(bool, url.split("/")[3:]))
    return max(url.count("/") - 2 - url.endswith("/"), 0)


def hostname(url: str) -> str:
    """Host of a canonical URL without the port."""
    return _without_port(host(url))


@lru_cache(maxsize=1 << 16)
def site(host: str) -> str:
    """The registrable domain that `host` (port allowed) belongs to.

    IP addresses, single labels and public suffixes themselves are their own site.
    """
    name = _without_port(host)
    if name.startswith("[") or name.rpartition(".")[2].isdigit():
        return name
    return registrable(name.rstrip(".")) or name


def registrable(name: str) -> str | None:
    """The registrable domain of a host name by the Public Suffix List; None when the name is a public suffix.

    A rule is a line of the list: a suffix, `*.` before one, or `!` before an exception. Of those that match, an
    exception holds, else the longest; where none does, the last label is the suffix. What follows `*.` is a suffix too.
    """
    if "xn--" in name:
        return _converted_suffixes().privatesuffix(name)
    rules, labels = _suffix_rules(), name.split(".")
    if "" in labels:
        return None
    for start in range(len(labels)):
        suffix = ".".join(labels[start:])
        if f"!{suffix}" in rules:
            return suffix
        wild = f"*.{suffix}" in rules or f"*.{suffix.partition('.')[2]}" in rules
        if suffix in rules or wild or start == len(labels) - 1:
            return ".".join(labels[start - 1 :]) if start else None
    return None


def looks_endless(url: str) -> bool:
    """Whether a canonical URL has the shape of a trap: a path too deep, or one that repeats itself."""
    if url.count("/") < FEW_SLASHES:
        return False
    segments = url.partition("?")[0].split("/")[3:]
    if len(segments) > MAX_DEPTH:
        return True
    named = [segment for segment in segments if segment]
    return len(named) - len(set(named)) >= MAX_REPEATS and any(
        named.count(segment) > MAX_REPEATS for segment in set(named)
    )


def _join(base: str, href: str) -> str | None:
    try:
        return _canonical(_parsed(base) + href)
    except ValueError:
        return None
    except TypeError:
        return join(_without_surrogates(base), _without_surrogates(href))


_from_root = lru_cache(maxsize=1 << 14)(_join)


def _canonical(url: can_ada.URL) -> str | None:
    if url.protocol not in ("http:", "https:"):
        return None
    if url.has_credentials():
        url.username = url.password = ""
    text: str = url.href
    if "#" in text:
        text = text[: text.index("#")]
    if "%" in text:
        text = _LOWER_ESCAPE.sub(lambda escape: escape[0].upper(), text)
    return text if len(text) <= MAX_LENGTH else None


def _without_surrogates(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _without_port(host: str) -> str:
    head, colon, tail = host.rpartition(":")
    return head if colon and tail.isdigit() else host


@lru_cache(maxsize=64)
def _parsed(base: str) -> can_ada.URL:
    return can_ada.parse(base)


@lru_cache(maxsize=1)
def _suffix_rules() -> frozenset[str]:
    """The lines of the list as written: one set of them is made in 2 ms, the object below in 50."""
    return frozenset((get_data("publicsuffixlist", "public_suffix_list.dat") or b"").decode().split("\n"))


@lru_cache(maxsize=1)
def _converted_suffixes() -> PublicSuffixList:
    """The list with its names of other scripts in the form `xn--`, as URLs have them."""
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()
