"""Every strategy on 15,000 pages of `invented:scale`: time, slowdown, memory. `python -m bench.strategies [NAME…]`.

A process of its own for each strategy, or for those named one after the other in this process, crawls as the command
line does, with archive and log. Parsed pages are cached, so the first strategy pays for parsing. Slowdown is the
crawler's CPU time for the last thousand pages divided by that for the second thousand; memory is the peak resident
memory of the crawler, and of its largest parse worker.
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
"""In kilobytes, the unit of ru_maxrss."""


def main() -> None:
    """Run all strategies."""
    for name in strategy_names():
        run([sys.executable, "-m", "bench.strategies", name], silent=False)


def measured(name: str) -> str:
    """Crawl with the strategy called `name`; returns its cost."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        clock = crawled(plan(name), Path(folder) / "run")
        seconds = time.perf_counter() - began
    early, late = spent(clock, EARLY), spent(clock, LATE)
    own, workers = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = sum(used.ru_utime + used.ru_stime for used in (own, workers))
    return (
        f"{name}: {PAGES} pages in {seconds:.0f} s ({processor:.0f} s of processor), last thousand to second thousand "
        f"{late:.2f} s to {early:.2f} s = {late / early:.2f} x, "
        f"{own.ru_maxrss / MEGABYTE:.0f} MB and {workers.ru_maxrss / MEGABYTE:.0f} MB"
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        for named in sys.argv[1:]:
            print(measured(named), flush=True)
    else:
        main()
