"""Whether scout's cost stays the same in a long crawl: `python -m bench.scout_long [PAGES] [STEP]`.

Crawls `invented:scale` without event loop and log, links in mapped files as in a run. Prints, every STEP pages, the
processor time a page of strategy and judge in between, and the memory of the process; at the end the slope of memory
in bytes a page over the last four fifths.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import msgspec
import numpy as np

from bench.scout_cost import WHOLE, Clock, install, task
from topicrawl.crawling.core import Crawl
from topicrawl.crawling.offline import OfflinePages
from topicrawl.frontier import Frontier
from topicrawl.judge.registry import own_judge
from topicrawl.store.allocator import MappedFiles
from topicrawl.strategies.registry import make_strategy
from topicrawl.topic.matcher import Matcher

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from faults.machine import resident

WARM_UP = 0.2


def main(pages: int = 20_000, step: int = 2_000) -> None:
    """Crawl and print."""
    clock = Clock()
    install(clock, WHOLE)
    web, topic, seeds = task("scale")
    offline, count = OfflinePages(web), Matcher(topic.terms).count
    samples: list[tuple[int, int, int]] = []
    with tempfile.TemporaryDirectory() as folder:
        allocator, strategy = MappedFiles(Path(folder)), make_strategy("scout", {})
        judge = own_judge(strategy.judged_by, topic, allocator)
        crawl = Crawl(topic, strategy, seeds, frontier=Frontier(allocator), judge=judge)
        while crawl.tally.fetched < pages and (ask := crawl.ask()):
            outcome = offline.outcome(ask.url)
            if outcome.page is not None:
                outcome = msgspec.structs.replace(outcome, counts=count(outcome.page))
            crawl.tell(ask, outcome)
            fetched = crawl.tally.fetched
            if outcome.page is not None and fetched % (step // 10) == 0:
                allocator.release_memory()
                memory = resident(os.getpid())
                samples.append((fetched, memory["VmRSS"], memory["RssAnon"]))
            if outcome.page is not None and fetched % step == 0:
                spent = sum(clock.spent.values()) / step * 1e3
                clock.spent = {}
                rss, anonymous = (each / 1e6 for each in samples[-1][1:])
                print(
                    f"{fetched} pages: {spent:.3f} ms a page, {rss:.0f} MB, {anonymous:.0f} anonymous",
                    flush=True,
                )
    late = np.array([sample for sample in samples if sample[0] > WARM_UP * pages], dtype=np.float64)
    for name, column in (("resident", 1), ("anonymous", 2)):
        print(f"{name} memory: {np.polyfit(late[:, 0], late[:, column], 1)[0]:.0f} bytes a page")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
