"""Observations made by hand: a frontier, and visits without a crawl."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from topicrawl.frontier import VISITED, Frontier
from topicrawl.frontier.observation import Observation
from topicrawl.model import Links, Outcome, Page, TermCounts, Visit, pack_ints

Triple = tuple[int, int, int]


def frontier_of(links: int) -> Frontier:
    frontier = Frontier()
    frontier.add([f"http://h.test/{number}" for number in range(links)], depth=0, parent=-1)
    return frontier


def observed(
    frontier: Frontier,
    page: int,
    links: Sequence[int] = (),
    anchors: Sequence[Triple] = (),
    *,
    relevance: float = 0.0,
    terms: Sequence[int] = (),
    length: int = 100,
    text: str = "",
) -> Observation:
    """Page `page` with links to `links`; `anchors` are (place in `links`, term, count), `terms` occur in the page."""
    urls = [frontier.urls[link] for link in links]
    ids = np.array([link for link in dict.fromkeys(links) if link != page], dtype=np.int64)
    frontier.settle(page, VISITED)
    frontier.contained(ids, relevance)
    frontier.graph.add(page, ids, out_degree=len(set(links)))
    counts = TermCounts(
        terms=pack_ints(list(terms)),
        groups=pack_ints([1, 0, 0, 0, 0] * len(terms)),
        anchor_rows=pack_ints([row for row, _, _ in anchors]),
        anchor_terms=pack_ints([term for _, term, _ in anchors]),
        anchor_counts=pack_ints([count for _, _, count in anchors]),
        length=length,
    )
    blank, zeros = [""] * len(urls), bytes(4 * len(urls))
    own = frontier.urls[page]
    content = Page(own, text=text, links=Links(urls, blank, blank, zeros, zeros, bytes(len(urls))))
    visit = Visit(
        page + 1, own, own, 200, True, False, relevance, 0.0, "h.test", 0, None, "", 100, None
    )  # fmt: skip
    return Observation(
        page, visit, Outcome(own, 200, 100, page=content, counts=counts), ids, rows=list(links)
    )
