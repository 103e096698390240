"""The oracle: a greedy crawler that knows the whole web and its labels, as an upper reference for strategies.

While a link to a relevant page is in the frontier it fetches that one, otherwise it follows the shortest path to the
nearest relevant page. It does not plan ahead, so it is no strict upper bound.
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

    `links` returns the out-links of a page, none where it cannot be read. A search for the nearest relevant page
    visits `horizon` pages at most. After one search without result none is made again: the oldest links are fetched.
    """
    crawl = _Crawl(links, relevant, horizon, cap)
    curve: list[int] = []
    for url in islice(chain(filter(crawl.open, dict.fromkeys(seeds)), crawl.choices()), budget):
        curve.append((curve[-1] if curve else 0) + relevant(url))
        crawl.fetch(url)
    return curve


class _Crawl:
    """The state of the oracle: its frontier, relevant links (`hits`) and others apart, and all URLs known."""

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
        """Whether the per-host cap allows this page."""
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
        """Count a page of this host; at the cap its links leave the frontier."""
        self.fetched[name] += 1
        if self.fetched[name] == cap:
            for waiting in (self.hits, self.others):
                for url in [url for url in waiting if host(url) == name]:
                    del waiting[url]

    def choices(self) -> Iterator[str]:
        """The pages to fetch, in order; `fetch` must be called for each before the next is taken."""
        while self.hits or self.others:
            if self.hits:
                yield next(iter(self.hits))
                continue
            for step in self._shortest_path() or [next(iter(self.others))]:
                if self.hits or not self.open(step):
                    break
                yield step

    def _shortest_path(self) -> list[str]:
        """The path from a link of the frontier to the nearest unknown relevant page; empty when none is found."""
        came_from = dict.fromkeys(self.others, "")
        queue = deque(came_from)
        for url in islice(_drain(queue), self.horizon):
            for link in self.links(url):
                if link not in came_from and link not in self.known and self.open(link):
                    came_from[link] = url
                    queue.append(link)
                    if self.relevant(link):
                        return _path_to(link, came_from)
        self.horizon = 0
        return []


def _drain(queue: deque[str]) -> Iterator[str]:
    while queue:
        yield queue.popleft()


def _path_to(url: str, came_from: dict[str, str]) -> list[str]:
    path = [url]
    while came_from[path[-1]]:
        path.append(came_from[path[-1]])
    return path[::-1]
