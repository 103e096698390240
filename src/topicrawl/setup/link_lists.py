"""Lists of links that other programs export: OPML, BibTeX, RIS, Markdown, and bookmarks as JSON; as HTML: seeds.py.

Each kind is told by how it begins or looks, so that a file needs no particular name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from urllib.parse import quote
from xml.parsers import expat

from topicrawl.page.decode import decode
from topicrawl.page.xml_text import DECLARATION, declares, with_references
from topicrawl.topic.bibtex import entries
from topicrawl.topic.records import ris_records
from topicrawl.urls import canonical

HEAD = 2000
"""Characters in which a list shows what kind it is."""
RESOLVER = "https://doi.org/"
"""What a DOI is appended to."""

_OPML = re.compile(r"<opml[\s>]", re.IGNORECASE)
_BIBTEX = re.compile(r"^[ \t]*@[ \t]*[A-Za-z]+[ \t]*\{[^,{}\n]*,", re.MULTILINE)
_RIS = re.compile(r"^TY {1,2}- ?\S", re.MULTILINE)
_MARKED_LINK = re.compile(r"\]\([ \t]*<?https?://|^[ \t]*\[[^\]\n]{1,200}\]:[ \t]*<?https?://", re.MULTILINE)
_LIST_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,4}[.)])[ \t]+<?https?://", re.MULTILINE)
_LINK = re.compile(r"https?://[^\s<>\"`|\\^{}]+", re.IGNORECASE)
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>]+")
_BOOKMARKS = re.compile(r"\s*\{[^{]*\"(?:guid|checksum|roots)\"\s*:")
"""How the bookmarks of Firefox and of Chromium begin."""
_AFTER = ".,;:!?*_'"
"""Characters that end a sentence or emphasis rather than a link."""


class LinkList(NamedTuple):
    """The links of a list as canonical URLs, each once, and what is wrong with the list."""

    urls: tuple[str, ...]
    damage: str = ""
    """Completes a sentence that begins with the name of the list; empty when nothing is wrong."""


def read_link_list(content: bytes) -> LinkList | None:
    """The links of `content`; None where it is none of these kinds."""
    text = decode(content)[0].lstrip("\ufeff")
    head = text[:HEAD]
    if _OPML.search(head):
        return _opml(text)
    if head.lstrip().startswith("<"):
        return None
    if _BOOKMARKS.match(head):
        return _bookmarks(text)
    if _RIS.search(head):
        return _publications(ris_records(text), "UR, L1, L2, LK or DO")
    if _BIBTEX.search(text):
        return _publications(entries(text), "url or doi")
    if _MARKED_LINK.search(text) or _LIST_ITEM.search(head):
        return _kept(_in_text(text))
    return None


def _kept(links: Iterable[str], damage: str = "") -> LinkList:
    found = (canonical(link) for link in links)
    return LinkList(tuple(dict.fromkeys(url for url in found if url)), damage)


def _opml(text: str) -> LinkList:
    """The sites of an OPML file, where it names them, else their feeds. Of a damaged file what is before the damage."""
    content = text.lstrip().encode("utf-8", "replace")
    found, damage = _outlines(content)
    if damage:
        found, damage = max(
            (found, damage), _outlines(with_references(content)), key=lambda read: len(read[0])
        )
    return _kept(found, damage)


def _outlines(content: bytes) -> tuple[list[str], str]:
    """The links of the outlines of an OPML file, and what is wrong with it."""
    found: list[str] = []
    damage = ""

    def start(name: str, attributes: Mapping[str, str]) -> None:
        if name == "outline":
            given = {key.lower(): value.strip() for key, value in attributes.items()}
            found.append(next((given[key] for key in ("htmlurl", "xmlurl", "url") if given.get(key)), ""))

    if declares(content):
        return [], DECLARATION
    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler = start
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        damage = f"is malformed XML at line {error.lineno:,}: {expat.ErrorString(error.code)}"
    return found, damage


def _bookmarks(text: str) -> LinkList | None:
    """The web pages of bookmarks in JSON, whose folders have `children`; None where it is no JSON."""
    try:
        waiting = [json.loads(text)]
    except (ValueError, RecursionError):
        return None
    found: list[str] = []
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            found += [link for link in (each.get("uri"), each.get("url")) if isinstance(link, str)]
            waiting += [value for value in each.values() if isinstance(value, dict | list)][::-1]
        elif isinstance(each, list):
            waiting += each[::-1]
    return _kept(found)


def _publications(records: Iterable[Mapping[str, str | list[str]]], needed: str) -> LinkList:
    """The address of each publication, or else its DOI as an address, or else that of its text, mostly a PDF."""
    addresses = [_address(record) for record in records]
    without = addresses.count("")
    damage = f"has {without:,} of {len(addresses):,} records without {needed}" if without else ""
    return _kept(addresses, damage)


def _address(record: Mapping[str, str | list[str]]) -> str:
    fields = {name.lower(): " ".join(_values(value)) for name, value in record.items()}
    return (
        _first_link(fields, "url", "ur", "lk", "howpublished", "note")
        or next(
            (doi for name in ("doi", "do", "m3", "n1", "eprint") if (doi := _doi(fields.get(name, "")))), ""
        )
        or _first_link(fields, "l2", "l1")
    )


def _first_link(fields: Mapping[str, str], *names: str) -> str:
    return next((link for name in names for link in _in_text(fields.get(name, ""))), "")


def _doi(text: str) -> str:
    """The DOI in a text as an address; empty where there is none."""
    found = _DOI.search(text)
    return RESOLVER + quote(found[0].rstrip(_AFTER), safe="/:;()._-") if found else ""


def _values(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def _in_text(text: str) -> Iterator[str]:
    """The http links in Markdown or plain text, without the brackets and stops that end them."""
    for found in _LINK.finditer(text):
        link = found[0].split("](", 1)[0].rstrip(_AFTER)
        for opening, closing in (("(", ")"), ("[", "]")):
            while closing in link and link.count(closing) > link.count(opening):
                link = link[: link.rindex(closing)].rstrip(_AFTER)
        yield link
