"""URLs from seed lists, saved result pages, sitemaps and feeds: canonical, without duplicates, in the order found."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import parse_qsl, urlsplit

from topicrawl.page.sniff import PLAIN
from topicrawl.setup.link_lists import read_link_list
from topicrawl.urls import canonical, host, site

NOWHERE = "http://saved.invalid/"
"""The base URL of a saved page when none is given; relative links resolve to this host and are dropped."""

SITEMAP_BYTES = 50 << 20
"""Most bytes of one file, unpacked: the limit of sitemaps.org."""
SITEMAP_LINKS = 50_000
"""Most links of one file: the limit of sitemaps.org."""

_COMMENT = re.compile(r"(?:^|\s)#.*")
_FROM = re.compile(r"\s#\s*(?:\d(?:\.\d+)?\s+)?from\s+(.+)")
"""The comment that names the sources of a URL, behind what the judge said of it."""
_BOOKMARKS = re.compile(rb"\s*<!DOCTYPE NETSCAPE-Bookmark-file", re.IGNORECASE)
"""How bookmarks begin that a browser has exported: HTML, of a type that no sniffer knows."""
APART = "; "
"""Between two sources of one URL."""
_BARE = re.compile(r"(?:localhost|[^\s/:?#@]+\.[^\s/:?#@]+)(?::\d+)?(?:[/?#]|$)", re.IGNORECASE)
"""A URL without a scheme: a host, an optional port and path."""


@dataclass(frozen=True, slots=True)
class SeedList:
    """The URLs of a list, and warnings about its lines."""

    urls: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Where a URL was found, by the comment behind it (`# from search: flood warning`), of those that have one."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The links in a saved file, the sitemaps in a sitemap index, and what is wrong with the file."""

    urls: tuple[str, ...]
    sitemaps: tuple[str, ...] = ()
    damage: str = ""
    """Completes a sentence that begins with the file's name; empty when nothing is wrong."""


def parse_seeds(content: bytes, source: str) -> SeedList:
    """The URLs of a text with one URL per line. `#` at the start of a line or after white space begins a comment; a
    missing scheme means https. `source` is what warnings call the text."""
    urls: dict[str, None] = {}
    remarks = []
    sources: dict[str, tuple[str, ...]] = {}
    for number, text in enumerate(_decode(content).splitlines(), 1):
        line = _COMMENT.sub("", text).strip()
        if not line:
            continue
        url, remark = _seed(line)
        if url:
            urls[url] = None
            if named := _FROM.search(text):
                sources[url] = tuple(filter(None, map(str.strip, named[1].split(APART))))
        if remark:
            remarks.append(f"{source}, line {number}: {line[:80]!r} {remark}")
    return SeedList(tuple(urls), tuple(remarks), sources)


def seed_line(url: str, sources: Iterable[str], relevance: float | None) -> str:
    """A line of a list that `parse_seeds` reads: the URL, what the judge said of it, and where it was found."""
    names = APART.join(" ".join(source.replace(";", ",").split()) for source in sources)
    said = "" if relevance is None else f"{relevance:.2f} "
    return f"{url}  # {said}from {names}" if names else url


def numbered_lines(content: bytes) -> list[tuple[int, str]]:
    """The non-empty lines of a list with their numbers, from 1; comments and surrounding white space are removed."""
    lines = (
        (number, _COMMENT.sub("", line).strip())
        for number, line in enumerate(_decode(content).splitlines(), 1)
    )
    return [(number, line) for number, line in lines if line]


def seeds_from_results(content: bytes, home: str = NOWHERE) -> list[str]:
    """The links of a saved page to other sites than its own, or the URLs of a list, sitemap or feed.

    A link that redirects through a click counter (`/url?q=https://…`) is replaced by its target.
    """
    return list(read_listing(content, home).urls)


def read_listing(content: bytes, home: str = NOWHERE) -> Listing:
    """The links in a saved page, list, sitemap, sitemap index, feed, or list of another program, gzipped or not.

    Of pages, only links to other sites are taken; sitemaps and feeds list their own site, so all their links are.
    """
    from topicrawl.page.read import read
    from topicrawl.web.http.sitemap_file import parse_sitemap, unpacked

    sitemap = parse_sitemap(content, SITEMAP_BYTES, SITEMAP_LINKS)
    if sitemap.is_xml:
        found = tuple(dict.fromkeys(url for url in sitemap.canonical(home) if host(url) != host(NOWHERE)))
        listed = Listing((), found) if sitemap.is_index else Listing(found)
        return replace(listed, damage=sitemap.damage)
    content, _ = unpacked(content, SITEMAP_BYTES)
    if (links := read_link_list(content)) is not None:
        return Listing(links.urls, damage=links.damage)
    page = read(home, content, "text/html" if _BOOKMARKS.match(content) else "")
    if page is None or page.media_type == PLAIN:
        return Listing(parse_seeds(content, "list").urls, damage=sitemap.damage)
    own_site = site(host(home))
    elsewhere = (url for url in map(redirect_target, page.links.urls) if site(host(url)) != own_site)
    return Listing(tuple(dict.fromkeys(elsewhere)))


def distinct_hosts(urls: Iterable[str], n: int) -> list[str]:
    """The first of `urls` (canonical) on each host, `n` at most."""
    first: dict[str, str] = {}
    for url in urls:
        first.setdefault(host(url), url)
    return list(first.values())[:n]


def _seed(line: str) -> tuple[str | None, str]:
    """The URL of a line, if any, and a warning about it, or an empty one."""
    if "\ufffd" in line:
        return None, "is not UTF-8; skipped"
    if re.search(r"\s", line):
        return None, "has white space inside; skipped"
    if _BARE.match(line) and (url := canonical(f"https://{line}")):
        return url, "has no scheme; taken as https"
    if url := canonical(line):
        return url, ""
    return None, "is no http or https URL; skipped"


def redirect_target(url: str) -> str:
    """The page that a click counter (`/url?q=https://…`) leads to; any other `url` itself."""
    for _, value in parse_qsl(urlsplit(url).query):
        if value.startswith(("http://", "https://")) and (target := canonical(value)):
            return target
    return url


def _decode(content: bytes) -> str:
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return content.decode("utf-16" if wide else "utf-8-sig", "replace")
