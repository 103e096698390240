"""A frontier of a million links: memory per link without its URL, time to add a link and to choose one.

Links are added as in a crawl: 40 for each page, on 1,000 hosts, a tenth of them known already.
Memory is that allocated (tracemalloc), measured in a run of its own, as tracing is slow.
"""

from __future__ import annotations

import gc
import random
import time
import tracemalloc
from collections.abc import Iterator

import numpy as np

from topicrawl.frontier import ASKED, Frontier

LINKS = 1_000_000
HOSTS = 1_000
LINKS_PER_PAGE = 40
CHOICES = 1_000


def main() -> None:
    """Fill a frontier twice: once for time, once for memory."""
    pages = list(_pages())
    began = time.perf_counter()
    frontier = _filled(pages)
    spent = time.perf_counter() - began
    print(
        f"add: {spent / len(frontier) * 1e6:.1f} us per link ({len(frontier)} links, {len(pages)} pages)",
        flush=True,
    )
    began = time.perf_counter()
    for _ in range(CHOICES):
        link = frontier.best()
        assert link is not None
        frontier.settle(link, ASKED)
    print(f"choose: {(time.perf_counter() - began) / CHOICES * 1e6:.0f} us", flush=True)
    reported = frontier.bytes_per_link
    del frontier
    print(
        f"memory per link without its URL: {_traced(pages):.0f} bytes traced, {reported:.0f} reported by the frontier"
    )


def _pages() -> Iterator[list[str]]:
    """The links of each page, generated before the measurement."""
    rng = random.Random(0)
    known: list[str] = []
    while len(known) < LINKS:
        fresh = [
            f"http://host{rng.randrange(HOSTS)}.example/section/page-{len(known) + n}.html" for n in range(36)
        ]
        yield fresh + [rng.choice(known) for _ in range(LINKS_PER_PAGE - len(fresh)) if known]
        known += fresh


def _filled(pages: list[list[str]]) -> Frontier:
    """A frontier filled as a crawl does it, page by page."""
    frontier = Frontier()
    rng = random.Random(1)
    for number, urls in enumerate(pages):
        numbers = frontier.numbers(urls)
        frontier.add([url for url, known in zip(urls, numbers, strict=True) if known is None], 1, number)
        links = np.unique(np.array(frontier.numbers(urls)))
        relevance = rng.random()
        frontier.contained(links, relevance)
        frontier.graph.add(number, links, len(urls))
        frontier.prioritise(links, frontier.parents_mean(links))
    return frontier


def _traced(pages: list[list[str]]) -> float:
    gc.collect()
    tracemalloc.start()
    frontier = _filled(pages)
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (used - sum(map(len, frontier.urls))) / len(frontier)


if __name__ == "__main__":
    main()
