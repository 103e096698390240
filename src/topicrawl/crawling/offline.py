"""The pages of an offline web within one process, without an event loop: fetched, read, and their terms counted.

What does not depend on the crawl (a page's term counts, its links) is kept between the cells of a comparison; what a
crawl has fetched is counted by the web itself, which hands out every page anew.
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
    """An offline web: one answer a URL, the same every time."""

    def __init__(self, web: str | Path | Web) -> None:
        self._web = open_web(str(web)) if isinstance(web, str | Path) else web
        self._counters: dict[tuple[str, ...], _Counter] = {}

    @property
    def reads(self) -> int:
        """Pages that the web read from disk so far."""
        return self._web.reads

    def outcome(self, url: str) -> Outcome:
        """What fetching `url` brings, terms not counted."""
        try:
            answer = _at_once(self._web.fetch(url))
        except FetchError as error:
            return unanswered(error, url)
        page = known_page(answer) or self._read(answer) if has_page(answer) else None
        return answered(answer, page)

    def counter(self, topic: Topic) -> _Counter:
        """Counts the terms of `topic`, each page once in the life of this process."""
        if topic.terms not in self._counters:
            self._counters = {topic.terms: _Counter(topic)}  # cells of one topic follow each other
        return self._counters[topic.terms]

    def urls(self) -> list[str]:
        """All URLs that a recorded web answers for: for oracles and makers of tasks, who may know the whole web."""
        inside = self._web
        while isinstance(inside, Wrapper):
            inside = inside.web
        return list(inside.answers) if isinstance(inside, RecordedWeb) else []

    def close(self) -> None:
        _at_once(self._web.close())

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
    """The term counts of pages for one topic, kept by URL: pages of an offline web do not change."""

    def __init__(self, topic: Topic) -> None:
        self._count = Matcher(topic.terms).count
        self._kept: dict[str, TermCounts] = {}

    def __call__(self, page: Page) -> TermCounts:
        counts = self._kept.get(page.url)
        if counts is None:
            counts = self._kept[page.url] = self._count(page)
        return counts


def followable(page: Page) -> list[str]:
    """The links of a page that a crawler follows, each once."""
    if page.nofollow:
        return []
    flagged = zip(page.links.urls, page.links.flags, strict=True)
    return list(dict.fromkeys(url for url, flags in flagged if not flags & NOFOLLOW))


def _at_once(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that never waits, as those of offline webs."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    work.close()
    raise RuntimeError("an offline web must answer at once")
