"""Every strategy on 15,000 pages of `invented:scale` from a warm cache: seconds, flatness, memory.

A process of its own for each, `python -m bench.strategies NAME`: it crawls twice, as the command line does, with
archive and log, `--ordered` so that both crawls fetch the same pages. The first fills the cache of parsed pages, the
second is measured. Flat is the processor time of the last thousand pages against the second thousand; memory is the
largest resident size of the crawler, and of its largest parse worker.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from bench.process import run
from bench.scale import EARLY, LATE, PAGES, crawled, plan, spent
from topicrawl.strategies.registry import strategy_names

MEGABYTE = 1024
"""Kilobytes, in which the system counts resident size."""


def main() -> None:
    """All of them, one after the other."""
    for name in strategy_names():
        run([sys.executable, "-m", "bench.strategies", name], silent=False)


def measured(name: str) -> str:
    """Crawl twice with the strategy called `name`; what the second crawl cost."""
    config = plan(name)
    with tempfile.TemporaryDirectory() as folder:
        crawled(config, Path(folder) / "cold")
        began = time.perf_counter()
        clock = crawled(config, Path(folder) / "warm")
        seconds = time.perf_counter() - began
    early, late = spent(clock, EARLY), spent(clock, LATE)
    own, worker = (
        resource.getrusage(who).ru_maxrss / MEGABYTE
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return (
        f"{name}: {PAGES} pages in {seconds:.0f} s, last thousand to second thousand "
        f"{late:.2f} s to {early:.2f} s = {late / early:.2f} x, {own:.0f} MB and {worker:.0f} MB"
    )


if __name__ == "__main__":
    for named in sys.argv[1:]:
        print(measured(named), flush=True)
