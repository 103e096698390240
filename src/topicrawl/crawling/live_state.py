"""What a crawl does now, for those who look: counts, links in flight and next in line with reasons, learned words.

`live_state` takes from a crawl what it knows itself. What only its driver knows (time, speed, hosts that rest, limits,
failures by kind) is filled in by crawling/publishing.py, for a running crawl and for one that stands.
"""

from __future__ import annotations

import msgspec
import numpy as np

from topicrawl.crawling.core import Crawl
from topicrawl.floats import nth_largest
from topicrawl.frontier import PEEKED
from topicrawl.frontier.hosts import BUSY
from topicrawl.urls import host as host_of

NEXT = 20
"""Links next in line that are told."""
WORDS = 20
"""Learned words of each kind that are told."""


class InFlight(msgspec.Struct, frozen=True):
    """A link that was asked and not answered."""

    url: str
    host: str
    postponed: bool = False
    """It got no answer although its host answers: it is tried again later."""


class NextLink(msgspec.Struct, frozen=True):
    """A link that waits, one of those of highest priority."""

    url: str
    host: str
    priority: float
    depth: int
    found_on: str
    """The page where it was first found; empty for a seed."""
    reasons: dict[str, float]
    """The factors behind its priority, as `why` tells them."""


class Limit(msgspec.Struct, frozen=True):
    """A limit of the crawl, and how much of it is used."""

    setting: str
    """Its name in crawl.toml: pages, relevant, max_requests, max_bytes, max_time (seconds of this session)."""
    used: float
    most: float


class Word(msgspec.Struct, frozen=True):
    """A word of links, and what it adds to the predicted relevance of the page behind a link (less than 0: away)."""

    word: str
    weight: float


class LiveState(msgspec.Struct, frozen=True):
    """All that is told. Plain data: as JSON it is the content of live.json."""

    visits: int
    pages: int
    """Visits that brought a page."""
    relevant: int
    failed: int
    bytes: int
    waiting: int
    """Links that are known and not asked."""
    hosts: int
    """Hosts of all known links."""
    paused: bool
    in_flight: list[InFlight]
    next: list[NextLink]
    toward: list[Word]
    """Words that lead to relevant pages, the strongest first; none where the strategy learns no words."""
    away: list[Word]
    """Words that lead away from them, the strongest first."""
    time: float = 0.0
    """When this was so, in seconds since 1970; of a crawl that stands, when its last visit was."""
    running: bool = False
    pages_per_second: float | None = None
    """Of the last seconds; None where the crawl stands."""
    resting: dict[str, float] = {}
    """Hosts with links in flight at which no request may start yet, and for how many seconds."""
    failures: dict[str, int] = {}
    """Visits without a page, by error or HTTP status."""
    limits: list[Limit] = []
    watched: bool = False
    """Whether it is a watch: its turns have limits of their own, those of the crawl are not told."""
    sent: dict[str, int] = {}
    """Letters to each other shard; none where the crawl is no shard."""
    taken: dict[str, int] = {}
    """Letters from each."""


def live_state(crawl: Crawl) -> LiveState:
    """What a crawl knows of itself. It changes nothing that the crawl decides by."""
    tally, frontier = crawl.tally, crawl.frontier
    words = crawl.strategy.link_words()
    return LiveState(
        visits=tally.visits,
        pages=tally.fetched,
        relevant=tally.relevant,
        failed=tally.failed,
        bytes=tally.bytes,
        waiting=frontier.waiting,
        hosts=len(frontier.hosts),
        paused=crawl.paused,
        in_flight=[
            InFlight(ask.url, host_of(ask.url), ask.link in crawl.postponed) for ask in crawl.pending.values()
        ],
        next=_next_links(crawl),
        toward=[Word(word, weight) for word, weight in words[:WORDS] if weight > 0],
        away=[Word(word, weight) for word, weight in words[: -WORDS - 1 : -1] if weight < 0],
        watched=crawl.revisits is not None,
        sent=dict(crawl.post.sent) if crawl.post else {},
        taken=dict(crawl.post.taken) if crawl.post else {},
    )


def next_in_line(crawl: Crawl) -> list[int]:
    """The waiting links of highest priority, the best first; those known longest among equals.

    Also those of hosts that have enough links in flight: their turn comes within seconds. Not those of hosts that are
    closed, have given as many pages as they may, or are left aside by the strategy.
    """
    columns, hosts = crawl.frontier.columns, crawl.frontier.hosts
    most = crawl.scope.max_per_host
    is_shut = hosts.columns["closed"] | ((hosts.held & ~np.uint8(BUSY)) != 0)
    if most is not None:
        is_shut |= hosts.columns["fetched"] + hosts.columns["asked"] >= most
    waits = (columns["state"] <= PEEKED) & ~is_shut[columns["host"]]
    links = np.flatnonzero(waits & (columns["priority"] > -np.inf))
    priorities = columns["priority"][links]
    if len(links) > NEXT:
        links = links[priorities >= nth_largest(priorities, NEXT)]
    found: list[int] = links[np.argsort(-columns["priority"][links], kind="stable")][:NEXT].tolist()
    return found


def _next_links(crawl: Crawl) -> list[NextLink]:
    columns, urls = crawl.frontier.columns, crawl.frontier.urls
    return [
        NextLink(
            url=urls[link],
            host=host_of(urls[link]),
            priority=float(columns["priority"][link]),
            depth=int(columns["depth"][link]),
            found_on=urls[parent] if (parent := int(columns["parent"][link])) >= 0 else "",
            reasons=crawl.strategy.explain(crawl.frontier, link),
        )
        for link in next_in_line(crawl)
    ]
