"""The omniscient crawler: what could be harvested at best, to measure strategies against.

It knows which pages are relevant and how far off they are. While a relevant page waits it fetches that one,
otherwise it walks the shortest way to the nearest. It does not plan which of two ways would pay better later.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice

from topicrawl.urls import host

Links = Callable[[str], Sequence[str]]
Relevant = Callable[[str], bool]


def greedy_oracle(
    seeds: Iterable[str],
    links: Links,
    relevant: Relevant,
    budget: int,
    horizon: int = 20_000,
    cap: int | None = None,
) -> list[int]:
    """Number of relevant pages after each fetch: the seeds first, `budget` fetches at most, `cap` of one host.

    `links` gives the out-links of a page, none where it cannot be read. A search for the nearest relevant page
    looks into `horizon` pages at most; the first that finds none is the last, then the oldest links are taken.
    """
    crawl = _Crawl(links, relevant, horizon, cap)
    curve: list[int] = []
    for url in islice(chain(filter(crawl.open, dict.fromkeys(seeds)), crawl.choices()), budget):
        curve.append((curve[-1] if curve else 0) + relevant(url))
        crawl.fetch(url)
    return curve


class _Crawl:
    """What the oracle has seen: relevant links that wait, other links that wait, and everything known."""

    def __init__(self, links: Links, relevant: Relevant, horizon: int, cap: int | None) -> None:
        self.links = links
        self.relevant = relevant
        self.horizon = horizon
        self.cap = cap
        self.fetched: Counter[str] = Counter()
        self.hits: dict[str, None] = {}
        self.others: dict[str, None] = {}
        self.known: set[str] = set()

    def open(self, url: str) -> bool:
        """Whether the cap leaves room for this page."""
        return self.cap is None or self.fetched[host(url)] < self.cap

    def fetch(self, url: str) -> None:
        self.known.add(url)
        if self.cap is not None:
            self._count(host(url), self.cap)
        self.hits.pop(url, None)
        self.others.pop(url, None)
        for link in self.links(url):
            if link not in self.known and self.open(link):
                self.known.add(link)
                (self.hits if self.relevant(link) else self.others)[link] = None

    def _count(self, name: str, cap: int) -> None:
        """Note a page of this host; links of a host that is full wait no longer."""
        self.fetched[name] += 1
        if self.fetched[name] == cap:
            for waiting in (self.hits, self.others):
                for url in [url for url in waiting if host(url) == name]:
                    del waiting[url]

    def choices(self) -> Iterator[str]:
        """The next page to fetch, for ever; each must have been fetched before the next is asked for."""
        while self.hits or self.others:
            if self.hits:
                yield next(iter(self.hits))
                continue
            for step in self._shortest_way() or [next(iter(self.others))]:
                if self.hits or not self.open(step):
                    break
                yield step

    def _shortest_way(self) -> list[str]:
        """From a waiting link to the nearest relevant page not known yet; empty when none is in sight."""
        came_from = dict.fromkeys(self.others, "")
        queue = deque(came_from)
        for url in islice(_drain(queue), self.horizon):
            for link in self.links(url):
                if link not in came_from and link not in self.known and self.open(link):
                    came_from[link] = url
                    queue.append(link)
                    if self.relevant(link):
                        return _way_to(link, came_from)
        self.horizon = 0
        return []


def _drain(queue: deque[str]) -> Iterator[str]:
    while queue:
        yield queue.popleft()


def _way_to(url: str, came_from: dict[str, str]) -> list[str]:
    way = [url]
    while came_from[way[-1]]:
        way.append(came_from[way[-1]])
    return way[::-1]
