"""Links of pages enter the frontier: those that may be followed, each once.

Those of a peeked page enter when the strategy accepts it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import msgspec
import numpy as np

from topicrawl.frontier import LEFT, VISITED, WAITING, Ids
from topicrawl.frontier.observation import Observation
from topicrawl.model import NOFOLLOW, REFUSED, Accepted, Links, Page
from topicrawl.urls import site as site_of

if TYPE_CHECKING:
    from topicrawl.crawling.core import Crawl


def enter_links(crawl: Crawl, seen: Observation, page: Page) -> Observation:
    """Enter the links of a page, in document order; returns the observation with them."""
    rows = admit(crawl, seen.link, page)
    links = different(rows, seen.link)
    if crawl.asks_outside:
        crawl.keep_leads(rows, page)
    contain(crawl, seen.link, links, page, seen.visit.relevance)
    return Observation(seen.link, seen.visit, seen.outcome, links, rows, walker=seen.walker)


def enter_more(crawl: Crawl, seen: Observation, page: Page) -> None:
    """Enter the links of a page observed earlier that were not known or not admitted then."""
    before = len(crawl.frontier)
    rows = [row if row >= before else -1 for row in admit(crawl, seen.link, page)]
    links = different(rows, seen.link)
    if len(links):
        if crawl.asks_outside:
            crawl.keep_leads(rows, page)
        contain(crawl, seen.link, links, page, seen.visit.relevance)
        more = Observation(seen.link, seen.visit, seen.outcome, links, rows)
        crawl.tell_owners(more)
        crawl.strategy.enter(links, crawl.frontier, crawl.rng, more)


def different(rows: Sequence[int], link: int) -> Ids:
    """The links of a page's rows, each once and without the page itself, link `link`."""
    found = dict.fromkeys(rows)
    for not_taken in (-1, link):
        found.pop(not_taken, None)
    return np.array(list(found), dtype=np.int64)


def contain(crawl: Crawl, link: int, links: Ids, page: Page, relevance: float) -> None:
    """Record that a page, link `link` with this relevance, contains these different links."""
    crawl.frontier.contained(links, relevance)
    crawl.frontier.graph.add(link, links, out_degree=len(set(page.links.urls)))


def admit(crawl: Crawl, link: int, page: Page) -> list[int]:
    """The link number of each row of a page's links, −1 for rows that are not followed."""
    urls, nofollow = page.links.urls, 0 if crawl.scope.follow_nofollow else NOFOLLOW
    if page.nofollow and nofollow:
        return [-1] * len(urls)
    rows = crawl.frontier.numbers(urls)
    if any(page.links.flags):
        refused = nofollow | REFUSED
        rows = [-1 if flags & refused else row for row, flags in zip(rows, page.links.flags, strict=True)]
    if None not in rows:
        return cast(list[int], rows)
    depth = int(crawl.frontier.columns["depth"][link]) + 1
    unknown = dict.fromkeys(url for url, row in zip(urls, rows, strict=True) if row is None)
    fresh = crawl.scope.admitted(unknown, depth, crawl.seed_hosts)
    if crawl.verdicts:
        fresh = [url for url in fresh if not crawl.verdicts.refuses(url)]
    if crawl.traps and crawl.traps.watched:
        fresh = [url for url in fresh if crawl.traps.admits(url)]
    added = dict(zip(fresh, crawl.add_links(fresh, depth, link).tolist(), strict=True))
    return [added.get(url, -1) if row is None else row for url, row in zip(urls, rows, strict=True)]


def drop_trapped(crawl: Crawl, site: str) -> None:
    """Drop the waiting links of a site that lead into a trap just detected, except seeds."""
    assert crawl.traps is not None
    states, parents = crawl.frontier.columns["state"], crawl.frontier.columns["parent"]
    for host, name in enumerate(crawl.frontier.hosts.names):
        if site_of(name) != site:
            continue
        for link in crawl.frontier.hosts.links(host).tolist():
            waits = states[link] == WAITING and parents[link] >= 0
            if waits and not crawl.traps.admits(crawl.frontier.urls[link]):
                crawl.frontier.settle(link, LEFT)


def store_peeked(crawl: Crawl, seen: Observation, page: Page) -> Observation:
    """Store the links of a peeked page, without its text, until the strategy selects it."""
    links = Links(urls=page.links.urls, flags=page.links.flags)
    kept = msgspec.structs.replace(
        seen.outcome, page=Page(page.url, page.title, links=links, nofollow=page.nofollow)
    )
    crawl.peeked[seen.link] = replace(seen, outcome=kept)
    return seen


def accept(crawl: Crawl, peeked: int) -> None:
    """Enter the links of a peeked page, and pass it to the strategy again."""
    crawl.accepted.append(Accepted(crawl.frontier.urls[peeked]))
    crawl.frontier.settle(peeked, VISITED)
    kept = crawl.peeked.pop(peeked)
    assert kept.outcome.page is not None
    page = _with_blank_texts(kept.outcome.page)
    outcome = msgspec.structs.replace(kept.outcome, page=page)
    seen = enter_links(crawl, replace(kept, outcome=outcome), page)
    crawl.selected = crawl.strategy.observe(seen, crawl.frontier, crawl.rng)


def revise_peeked(crawl: Crawl, link: int, relevance: float) -> None:
    """Change the relevance of a page, if it is one that was peeked at."""
    if (kept := crawl.peeked.get(link)) is not None:
        crawl.peeked[link] = replace(kept, visit=msgspec.structs.replace(kept.visit, relevance=relevance))


def _with_blank_texts(page: Page) -> Page:
    """A stored page of which only the links are left, with texts and positions for each, all empty."""
    count = len(page.links.urls)
    blank, zeros = [""] * count, bytes(4 * count)
    links = Links(page.links.urls, blank, blank, zeros, zeros, page.links.flags)
    return msgspec.structs.replace(page, links=links)
