"""Where to begin: URLs out of seed lists, saved result pages, sitemaps and feeds, each once, in canonical form, in the
order found."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlsplit

from topicrawl.page.sniff import PLAIN
from topicrawl.urls import canonical, host, site

NOWHERE = "http://saved.invalid/"
"""The address of a saved page whose own address nobody said: its relative links lead here and are dropped."""

SITEMAP_BYTES = 50 << 20
"""Of one file, unpacked: as much as sitemaps.org allows a sitemap."""
SITEMAP_LINKS = 50_000
"""Of one file: as many as sitemaps.org allows a sitemap."""

_COMMENT = re.compile(r"(?:^|\s)#.*")
_BARE = re.compile(r"(?:localhost|[^\s/:?#@]+\.[^\s/:?#@]+)(?::\d+)?(?:[/?#]|$)", re.IGNORECASE)
"""A host, a port perhaps, and what may follow: a URL whose scheme was left out."""


@dataclass(frozen=True, slots=True)
class SeedList:
    """The URLs of a list, and what is to be said about its lines."""

    urls: tuple[str, ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """The links of a saved file, the sitemaps it names where it is an index of some, and what is wrong with it."""

    urls: tuple[str, ...]
    sitemaps: tuple[str, ...] = ()
    damage: str = ""
    """To follow the name of the file; empty when nothing is wrong."""


def parse_seeds(content: bytes, source: str) -> SeedList:
    """The URLs that stand in a text, one a line; empty lines and what follows a `#` at the start or after white
    space is nothing, a missing scheme means https. `source` is what remarks call the text."""
    urls: dict[str, None] = {}
    remarks = []
    for number, spelled in numbered_lines(content):
        url, remark = _seed(spelled)
        if url:
            urls[url] = None
        if remark:
            remarks.append(f"{source}, line {number}: {spelled[:80]!r} {remark}")
    return SeedList(tuple(urls), tuple(remarks))


def numbered_lines(content: bytes) -> list[tuple[int, str]]:
    """The lines of a list with their numbers, from 1, without comments and white space around; empty ones left out."""
    lines = (
        (number, _COMMENT.sub("", line).strip())
        for number, line in enumerate(_decode(content).splitlines(), 1)
    )
    return [(number, line) for number, line in lines if line]


def seeds_from_results(content: bytes, home: str = NOWHERE) -> list[str]:
    """The links of a saved page that lead away from the site it was saved from, or the URLs of a list, sitemap or feed.

    Links that count clicks on their way (`/url?q=https://…`) are followed to where they lead.
    """
    return list(read_listing(content, home).urls)


def read_listing(content: bytes, home: str = NOWHERE) -> Listing:
    """What a saved page, a list, a sitemap, an index of sitemaps or a feed lists, gzipped or not.

    The links of pages are taken as `seeds_from_results` says. Sitemaps and feeds speak of the site they were saved
    from, so their links there are kept.
    """
    from topicrawl.page.read import read
    from topicrawl.web.http.sitemap_file import parse_sitemap, unpacked

    sitemap = parse_sitemap(content, SITEMAP_BYTES, SITEMAP_LINKS)
    if sitemap.is_xml:
        found = tuple(dict.fromkeys(url for url in sitemap.canonical(home) if host(url) != host(NOWHERE)))
        listed = Listing((), found) if sitemap.is_index else Listing(found)
        return replace(listed, damage=sitemap.damage)
    content, _ = unpacked(content, SITEMAP_BYTES)
    page = read(home, content)
    if page is None or page.media_type == PLAIN:
        return Listing(parse_seeds(content, "list").urls, damage=sitemap.damage)
    left = site(host(home))
    led = dict.fromkeys(url for url in map(_led_to, page.links.urls) if site(host(url)) != left)
    return Listing(tuple(led))


def distinct_hosts(urls: Iterable[str], n: int) -> list[str]:
    """The first of `urls` (canonical) on each host, `n` at most."""
    first: dict[str, str] = {}
    for url in urls:
        first.setdefault(host(url), url)
    return list(first.values())[:n]


def _seed(spelled: str) -> tuple[str | None, str]:
    """The URL that a line means, if any, and what is to be said about it."""
    if "\ufffd" in spelled:
        return None, "is not UTF-8; skipped"
    if re.search(r"\s", spelled):
        return None, "has white space inside; skipped"
    if _BARE.match(spelled) and (url := canonical(f"https://{spelled}")):
        return url, "has no scheme; taken as https"
    if url := canonical(spelled):
        return url, ""
    return None, "is no http or https URL; skipped"


def _led_to(url: str) -> str:
    for _, value in parse_qsl(urlsplit(url).query):
        if value.startswith(("http://", "https://")) and (target := canonical(value)):
            return target
    return url


def _decode(content: bytes) -> str:
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return content.decode("utf-16" if wide else "utf-8-sig", "replace")
