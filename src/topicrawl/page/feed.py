"""Feeds (RSS, RDF and Atom) to `Page`: every entry is a heading that links to it, with its text below.

A feed is converted to HTML and read like any page, so that text, tag groups and links follow the same rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from xml.etree.ElementTree import Element, ParseError, XMLParser

from topicrawl.model import Page
from topicrawl.page.html import read_html

MOST_ENTRIES = 500
_HEAD = 1000
_ROOT = re.compile(rb"<(?:\w+:)?(?:rss|feed|RDF)[\s>]")
_BEFORE_XML = b"\xef\xbb\xbf \t\r\n"
"""Bytes that often precede an XML declaration, though the standard forbids it."""
_TRAP = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_TEXT_FIELDS = ("content", "encoded", "description", "summary")


def is_feed(content: bytes) -> bool:
    """Whether `content` looks like a feed; one that defines entities may expand without bound and is refused."""
    return bool(_ROOT.search(content[:_HEAD])) and not _TRAP.search(content)


def read_feed(url: str, content: bytes) -> Page | None:
    """The feed at `url` as a page; None where it is not well-formed."""
    parser = XMLParser()  # noqa: S314 - entities were refused, and a worker has its limits
    try:
        parser.feed(content.lstrip(_BEFORE_XML))
        root: Element = parser.close()
    except (ParseError, ValueError, LookupError):
        return None
    entries = [each for each in root.iter() if _name(each) in ("item", "entry")][:MOST_ENTRIES]
    title = next((_text(each) for each in root.iter() if _name(each) == "title"), "")
    body = "\n".join(_entry(each) for each in entries)
    return read_html(
        url, f"<html><head><title>{escape(title)}</title></head><body>{body}</body></html>", xml=False
    )


def _entry(entry: Element) -> str:
    parts = {_name(part): part for part in reversed(list(entry))}
    title = escape(_text(parts["title"])) if "title" in parts else ""
    text = next((_text(parts[name]) for name in _TEXT_FIELDS if name in parts), "")
    links = "".join(
        f'<h2><a href="{escape(link)}">{title or escape(link)}</a></h2>' for link in _links(entry)
    )
    return f"<article>{links or f'<h2>{title}</h2>'}<div>{text}</div></article>"


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
