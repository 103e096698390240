"""A frontier of a million links: memory per link without its URL, time to add a link and to choose one.

Links are added as in a crawl: 40 for each page, on 1,000 hosts, a tenth of them known already.
Memory is that allocated (tracemalloc), measured in a run of its own, as tracing is slow.

`python -m bench.frontier 10000000` fills one of that many links in mapped files, as a shard of a long crawl has it, and
prints the memory of the process and the processor time of a choice; hosts are of equal size, then of Zipf's sizes.
"""

from __future__ import annotations

import gc
import random
import resource
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from topicrawl.crawling.host_slots import HostSlots
from topicrawl.frontier import ASKED, Frontier
from topicrawl.store.allocator import MappedFiles

LINKS = 1_000_000
HOSTS = 1_000
LINKS_PER_PAGE = 40
CHOICES = 1_000
MANY_HOSTS = 20_000
PENDING, AHEAD = 64, 8
"""Links in flight, in all and of one host."""


def main() -> None:
    """Fill a frontier twice: once for time, once for memory; with a number of links, one in mapped files."""
    if len(sys.argv) > 1:
        rng = random.Random(0)
        _mapped(int(sys.argv[1]), "equal", lambda: rng.randrange(MANY_HOSTS))
        _mapped(int(sys.argv[1]), "Zipf", lambda: int(rng.paretovariate(1.0)) % MANY_HOSTS)
        return
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


def _mapped(links: int, sizes: str, draw_host: Callable[[], int]) -> None:
    """Fill a frontier in mapped files and choose from it as a crawl does, with hosts held and released."""
    with TemporaryDirectory() as folder:
        files = MappedFiles(Path(folder))
        frontier, rng, page = Frontier(files), random.Random(1), 0
        while len(frontier) < links:
            urls = [
                f"http://host{draw_host()}.example/section/page-{len(frontier) + n}.html"
                for n in range(LINKS_PER_PAGE)
            ]
            added, relevance = frontier.add(urls, 1, page), rng.random()
            frontier.contained(added, relevance)
            frontier.graph.add(page, added, len(urls))
            frontier.prioritise(added, frontier.parents_mean(added))
            files.release_memory(busy=True)
            page += 1
        spent = _chosen(frontier, files)
    largest = max(len(frontier.hosts.links(host)) for host in range(len(frontier.hosts)))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{sizes} hosts: {len(frontier):,} links, {largest:,} of the largest host; choice {spent.mean():.3f} ms, "
        f"median {np.median(spent):.3f}, worst {spent.max():.1f}; at most {peak:,.0f} MB of memory so far",
        flush=True,
    )


def _chosen(frontier: Frontier, files: MappedFiles) -> np.ndarray:
    """Processor milliseconds of each choice, with PENDING links in flight."""
    slots, pending, spent = HostSlots(frontier, AHEAD, None), list[int](), list[float]()
    for _ in range(CHOICES):
        began = time.process_time()
        link = frontier.best()
        assert link is not None
        frontier.settle(link, ASKED)
        slots.add(link)
        pending.append(link)
        if len(pending) > PENDING:
            slots.remove(pending.pop(0))
        spent.append((time.process_time() - began) * 1e3)
        files.release_memory(busy=True)
    return np.array(spent)


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
