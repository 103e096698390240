"""Pages whose main text people have marked, and how well a text agrees with the marks.

Three sources: the public collection of articles (article-extraction); pages written for this purpose
(main_pages/*.html, where the attribute `data-main` marks the elements with main text); and pages of recorded webs
(main_pages/marks.json), of which only the address, a digest and marks are kept: the words with which each part of the
main text begins and ends.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from topicrawl.page.main.document import read_tree
from topicrawl.page.main.text import plain_text
from topicrawl.page.read import html_of
from topicrawl.web.warc_record import read_record

FOLDER = Path(__file__).parent / "main_pages"
WRITTEN = ("forum", "product")
KINDS = (*WRITTEN, "list", "documentation", "encyclopedia", "homepage")
TOKENS = 4
"""Tokens of a shingle."""
_TOKEN = re.compile(r"\w+")
_PAGE = re.compile(r"<!-- page: (.*?) -->\n")

Shingles = Counter[tuple[str, ...]]


class Marked(NamedTuple):
    """A page and the shingles of its main text."""

    name: str
    html: str
    main: Shingles


class Agreement(NamedTuple):
    """Of the shingles found the share that is main text, and of those of the main text the share found."""

    precision: float
    recall: float


def shingles(text: str) -> Shingles:
    return _shingles(_TOKEN.findall(text))


def _shingles(tokens: list[str]) -> Shingles:
    if not tokens:
        return Counter()
    return Counter(tuple(tokens[at : at + TOKENS]) for at in range(max(len(tokens) - TOKENS, 0) + 1))


def agreement(text: str, main: Shingles) -> Agreement:
    found = shingles(text)
    shared = sum((found & main).values())
    return Agreement(shared / max(1, sum(found.values())), shared / max(1, sum(main.values())))


def mean(agreements: list[Agreement]) -> tuple[float, float, float]:
    """The mean precision and recall of several pages, and the F1 of the two."""
    precision = sum(each.precision for each in agreements) / len(agreements)
    recall = sum(each.recall for each in agreements) / len(agreements)
    return precision, recall, 2 * precision * recall / (precision + recall or 1)


def articles(testsuites: Path) -> list[Marked]:
    """The articles, in the order of their names, which says nothing about them."""
    with gzip.open(testsuites / "article-extraction" / "pages.jsonl.gz", "rt", encoding="utf-8") as lines:
        pages = sorted(map(json.loads, lines), key=lambda page: page["id"])
    return [Marked(page["url"], page["html"], shingles(page["article"])) for page in pages]


def written(kind: str) -> Iterator[Marked]:
    """The pages of a kind that were written for this purpose."""
    _, *parts = _PAGE.split((FOLDER / f"{kind}.html").read_text("utf-8"))
    for name, html in zip(parts[::2], parts[1::2], strict=True):
        marked = LexborHTMLParser(html).css("[data-main]")
        yield Marked(name, html, sum((shingles(node.text(separator=" ")) for node in marked), Counter()))


def recorded(kind: str, webs: Path) -> Iterator[Marked]:
    """The marked pages of a kind in recorded webs."""
    for mark in json.loads((FOLDER / "marks.json").read_text("utf-8")):
        if mark["kind"] == kind:
            with (webs / f"{mark['web']}.warc.gz").open("rb") as file:
                file.seek(mark["offset"])
                record = read_record(file.read(mark["length"]))
            assert hashlib.sha256(record.content).hexdigest() == mark["sha256"], (
                f"{mark['url']} is another page"
            )
            html = html_of(record.content, dict(record.headers).get("Content-Type", "text/html"))
            assert html is not None
            yield Marked(mark["url"], html, main_shingles(html, mark["main"]))


def main_shingles(html: str, parts: list[list[str]]) -> Shingles:
    """The shingles between the words with which each part of the main text begins, and those with which it ends."""
    tokens = _TOKEN.findall(plain_text(read_tree(html).root))
    found: Shingles = Counter()
    at = 0
    for begin, end in parts:
        first = _place(tokens, begin, at)
        last = _place(tokens, end, first)
        at = last + len(_TOKEN.findall(end))
        found += _shingles(tokens[first:at])
    return found


def _place(tokens: list[str], words: str, start: int) -> int:
    """Where these words are."""
    wanted = _TOKEN.findall(words)
    for at in range(start, len(tokens) - len(wanted) + 1):
        if tokens[at : at + len(wanted)] == wanted:
            return at
    raise ValueError(f"the page does not say {words!r}")


def marked_pages(kind: str, webs: Path) -> list[Marked]:
    return list(written(kind) if kind in WRITTEN else recorded(kind, webs))
