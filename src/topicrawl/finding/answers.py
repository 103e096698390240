"""What a search engine answered: JSON, a feed or a page, as results with title and snippet. Pure; never raises."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from topicrawl.model import Page, ints
from topicrawl.page.feed import entries_before_damage, is_feed, parse_feed
from topicrawl.page.read import read
from topicrawl.page.sniff import PLAIN
from topicrawl.setup.example_list import is_url
from topicrawl.setup.seeds import redirect_target
from topicrawl.urls import canonical, host, join, site

LONGEST = 600
"""Characters of a title or snippet that are kept."""
MOST = 500
"""Results of one answer that are kept."""
DEEPEST = 40
"""Levels of JSON in which results are looked for."""
URL_NAMES = ("url", "link", "href")
TITLE_NAMES = ("title", "name")
SNIPPET_NAMES = ("content", "snippet", "description", "summary", "abstract", "extract")

_TAG = re.compile(r"<[^<>]{0,300}>")


class Result(NamedTuple):
    """A page that somebody found; `url` is canonical."""

    url: str
    title: str = ""
    snippet: str = ""


class Answers(NamedTuple):
    """The results of an answer, each URL once, and what is wrong with it."""

    results: tuple[Result, ...]
    damage: str = ""
    """Completes a sentence that begins with the server; empty when nothing is wrong."""


def read_json(content: bytes) -> Answers:
    """The results in JSON: those of `results` where there is such a list, as SearXNG has it, else all objects with a
    link in them.
    """
    try:
        data = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        begins = content[:40].decode("utf-8", "replace")
        return Answers((), f"answers with what is no JSON ({error}; it begins with {begins!r})")
    listed = data.get("results") if isinstance(data, dict) else None
    found = _kept(_objects(listed if isinstance(listed, list) else data, 0))
    return Answers(found, "" if found else _silent(data))


def read_answer(content: bytes, home: str, content_type: str = "") -> Answers:
    """The results in an answer of any kind; `home` is its URL. Links of a page to its own site are no results."""
    if content.lstrip()[:1] in (b"{", b"["):
        return read_json(content)
    if is_feed(content):
        feed = parse_feed(content)
        entries = feed.entries if feed else entries_before_damage(content)
        linked = ((join(home, entry.link), entry.title, entry.text) for entry in entries if entry.link)
        found = _kept((url, title, text) for url, title, text in linked if url)
        before = "; what is before the damage is taken" if found else ""
        return Answers(found, "" if feed else f"answers with a feed that is malformed XML{before}")
    page = read(home, content, content_type)
    if page is None or page.media_type == PLAIN:
        return Answers((), "answers with neither HTML nor a feed nor JSON")
    return Answers(_kept(_linked(page)))


def _silent(data: Any) -> str:
    """Why there is no result, where the answer says so: SearXNG names the engines that did not answer."""
    failed = data.get("unresponsive_engines") if isinstance(data, dict) else None
    if not isinstance(failed, list) or not failed:
        return ""
    names = [": ".join(map(str, each)) if isinstance(each, list) else str(each) for each in failed[:3]]
    return f"has no result, and these engines of it did not answer: {', '.join(names)[:200]}"


def _objects(data: Any, depth: int) -> Iterator[tuple[str, str, str]]:
    """(url, title, snippet) of each object that has a link, in order."""
    if depth > DEEPEST:
        return
    if isinstance(data, list):
        for each in data:
            yield from _objects(each, depth + 1)
    elif isinstance(data, dict):
        link = _first(data, URL_NAMES)
        url = canonical(link) if is_url(link) else None
        if url:
            yield url, _first(data, TITLE_NAMES), _first(data, SNIPPET_NAMES)
        else:
            for each in data.values():
                yield from _objects(each, depth + 1)


def _first(data: dict[str, Any], names: tuple[str, ...]) -> str:
    return next((value for name in names if isinstance(value := data.get(name), str) and value.strip()), "")


def _linked(page: Page) -> Iterator[tuple[str, str, str]]:
    """The links to other sites. The text up to the next of them is the snippet."""
    own_site = site(host(page.url))
    targets = [redirect_target(url) for url in page.links.urls]
    outside = [number for number, url in enumerate(targets) if site(host(url)) != own_site]
    ends, starts = ints(page.links.ends), ints(page.links.starts)
    for number, following in zip(outside, (*outside[1:], None), strict=False):
        until = len(page.text) if following is None else int(starts[following])
        snippet = page.text[int(ends[number]) : min(until, int(ends[number]) + LONGEST)]
        yield targets[number], page.links.anchors[number], snippet


def _kept(found: Iterator[tuple[str, str, str]]) -> tuple[Result, ...]:
    """The first result of each URL, its texts without markup; of a later one with longer texts, those."""
    results: dict[str, Result] = {}
    for url, title, snippet in found:
        result = Result(url, _plain(title), _plain(snippet))
        known = results.get(url)
        if known is None and len(results) >= MOST:
            break
        if known is None or len(known.title + known.snippet) < len(result.title + result.snippet):
            results[url] = result
    return tuple(results.values())


def _plain(text: str) -> str:
    """`text` without tags and entities, in one line."""
    cut = text[: 4 * LONGEST]
    return " ".join(html.unescape(_TAG.sub(" ", cut)).split())[:LONGEST]
