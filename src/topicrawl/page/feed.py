"""Feeds (RSS, RDF and Atom) to `Page`: every entry is a heading that links to it, with its text below.

A feed is converted to HTML and read like any page, so that text, tag groups and links follow the same rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from html.parser import HTMLParser
from typing import Any, NamedTuple, cast
from xml.etree.ElementTree import Element, ParseError, XMLParser, XMLPullParser

from topicrawl.model import Page
from topicrawl.page.html import read_html
from topicrawl.page.xml_text import declares, with_references

MOST_ENTRIES = 500
_HEAD = 1000
_ROOT = re.compile(rb"<(?:\w+:)?(?:rss|feed|RDF)[\s>]")
_BEFORE_XML = b"\xef\xbb\xbf \t\r\n"
"""Bytes that often precede an XML declaration, though the standard forbids it."""
_TYPES = ("application/rss+xml", "application/atom+xml", "application/rdf+xml")
_ENTRIES = ("item", "entry")
_TEXT_FIELDS = ("content", "encoded", "description", "summary")
_DATE_FIELDS = ("updated", "modified", "pubDate", "date", "published", "issued")


def is_feed(content: bytes) -> bool:
    """Whether `content` looks like a feed; one that defines entities may expand without bound and is refused."""
    return bool(_ROOT.search(content[:_HEAD])) and not declares(content)


class FeedLinks(HTMLParser):
    """The feeds that the head of a page names, as written."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        kind = given.get("type", "").partition(";")[0].strip().lower()
        if tag == "link" and "alternate" in given.get("rel", "").lower().split() and kind in _TYPES:
            self.found.append(given.get("href", "").strip())


class Entry(NamedTuple):
    """An entry of a feed, its texts without tags around them; the text itself may be HTML."""

    link: str
    """As written: it may be relative to the feed; empty where there is none."""
    title: str
    text: str
    updated: str
    """When it was changed last, or else published, as written; empty where the feed does not say."""


class Feed(NamedTuple):
    """The title of a feed and its entries, `MOST_ENTRIES` at most."""

    title: str
    entries: tuple[Entry, ...]


def parse_feed(content: bytes) -> Feed | None:
    """The entries of a feed; None where it is not well-formed, but for `&` that begin no reference."""
    content = content.lstrip(_BEFORE_XML)
    root = _root(content)
    if root is None and (root := _root(with_references(content))) is None:
        return None
    found = [each for each in root.iter() if _name(each) in _ENTRIES][:MOST_ENTRIES]
    title = next((_text(each) for each in root.iter() if _name(each) == "title"), "")
    return Feed(title, tuple(map(_entry, found)))


def _root(content: bytes) -> Element | None:
    parser = XMLParser()  # noqa: S314 - entities were refused, and a worker has its limits
    try:
        parser.feed(content)
        root: Element = parser.close()
    except (ParseError, ValueError, LookupError):
        return None
    return root


def entries_before_damage(content: bytes) -> tuple[Entry, ...]:
    """The entries of a feed that is not well-formed, up to where it breaks."""
    parser: XMLPullParser[Any] = XMLPullParser(("end",))
    complete = cast("Iterator[tuple[str, Element]]", parser.read_events())
    found = list[Entry]()
    try:
        parser.feed(with_references(content.lstrip(_BEFORE_XML)))
        for _, element in complete:
            if _name(element) in _ENTRIES and len(found) < MOST_ENTRIES:
                found.append(_entry(element))
    except (ParseError, ValueError, LookupError):
        pass
    return tuple(found)


def read_feed(url: str, content: bytes) -> Page | None:
    """The feed at `url` as a page; None where it is not well-formed."""
    feed = parse_feed(content)
    if feed is None:
        return None
    body = "\n".join(map(_article, feed.entries))
    return read_html(
        url, f"<html><head><title>{escape(feed.title)}</title></head><body>{body}</body></html>", xml=False
    )


def _entry(entry: Element) -> Entry:
    parts = {_name(part): part for part in reversed(list(entry))}

    def first(names: Iterable[str]) -> str:
        return next((_text(parts[name]) for name in names if name in parts), "")

    return Entry(next(_links(entry), ""), first(("title",)), first(_TEXT_FIELDS), first(_DATE_FIELDS))


def _article(entry: Entry) -> str:
    title = escape(entry.title)
    linked = f'<a href="{escape(entry.link)}">{title or escape(entry.link)}</a>' if entry.link else title
    return f"<article><h2>{linked}</h2><div>{entry.text}</div></article>"


def _links(entry: Element) -> Iterator[str]:
    for part in entry:
        if _name(part) == "link" and part.get("rel", "alternate") == "alternate":
            link = (part.get("href") or part.text or "").strip()
            if link:
                yield link
                return


def _text(element: Element) -> str:
    """The text of an element; XHTML inside it loses its tags."""
    return "".join(element.itertext()).strip()


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
