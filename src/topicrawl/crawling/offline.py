"""Fetches and parses pages of an offline web and counts their terms, in one process without an event loop.

Term counts and links of a page do not depend on the crawl and are cached between the cells of a comparison. Fetches
are counted by the web itself, which returns every page anew.
"""

from __future__ import annotations

from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from topicrawl.crawling.outcome import answered, has_page, known_page, unanswered
from topicrawl.errors import FetchError
from topicrawl.model import NOFOLLOW, Outcome, Page, Response, TermCounts, Topic
from topicrawl.page.read import read
from topicrawl.topic.matcher import Matcher
from topicrawl.web import Web, Wrapper
from topicrawl.web.open import open_web
from topicrawl.web.recorded import RecordedWeb

T = TypeVar("T")
_encode = msgspec.msgpack.Encoder().encode


class OfflinePages:
    """An offline web: the same answer for a URL every time."""

    def __init__(self, web: str | Path | Web) -> None:
        self._web = open_web(str(web)) if isinstance(web, str | Path) else web
        self._counters: dict[tuple[str, ...], _Counter] = {}

    @property
    def reads(self) -> int:
        """Pages that the web has read from disk."""
        return self._web.reads

    def outcome(self, url: str) -> Outcome:
        """The outcome of fetching `url`, without term counts."""
        try:
            answer = _run_sync(self._web.fetch(url))
        except FetchError as error:
            return unanswered(error, url)
        page = known_page(answer) or self._read(answer) if has_page(answer) else None
        return answered(answer, page)

    def counter(self, topic: Topic) -> _Counter:
        """Counts the terms of `topic`; cached by page until the topic changes."""
        if topic.terms not in self._counters:
            self._counters = {topic.terms: _Counter(topic)}  # one is enough: cells are grouped by topic
        return self._counters[topic.terms]

    def urls(self) -> list[str]:
        """All URLs of a recorded web, for oracles and the generation of tasks."""
        inside = self._web
        while isinstance(inside, Wrapper):
            inside = inside.web
        return list(inside.answers) if isinstance(inside, RecordedWeb) else []

    def close(self) -> None:
        _run_sync(self._web.close())

    def _read(self, answer: Response) -> Page | None:
        page = read(
            answer.url,
            answer.content,
            answer.header("content-type"),
            answer.header("x-robots-tag"),
            answer.truncated,
        )
        if page is not None:
            self._web.remember(answer.url, _encode(page))
        return page


class _Counter:
    """A cache of term counts for one topic, by URL: pages of an offline web do not change."""

    def __init__(self, topic: Topic) -> None:
        self._count = Matcher(topic.terms).count
        self._cache: dict[str, TermCounts] = {}

    def __call__(self, page: Page) -> TermCounts:
        counts = self._cache.get(page.url)
        if counts is None:
            counts = self._cache[page.url] = self._count(page)
        return counts


def followable(page: Page) -> list[str]:
    """The links of a page that a crawler follows, each once."""
    if page.nofollow:
        return []
    flagged = zip(page.links.urls, page.links.flags, strict=True)
    return list(dict.fromkeys(url for url, flags in flagged if not flags & NOFOLLOW))


def _run_sync(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that never suspends, as those of offline webs."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    work.close()
    raise RuntimeError("an offline web must answer at once")
