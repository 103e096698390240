"""Snapshots of 15,000 pages of `invented:scale`, with `ops` and `scout`: what they cost a crawl, and what they save.

`python -m bench.snapshots`; each crawl is a process of its own, `python -m bench.snapshots STRATEGY with|without RUN`
(RUN is the folder of its run), from a warm cache of parsed pages. The cost is CPU time with snapshots compared with
that of the same crawl without, and the share of wall time in which the thread that drives the crawl copied its state.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from bench.process import run, topicrawl
from bench.scale import PAGES, plan
from topicrawl.crawling.event_loop import run_loop
from topicrawl.crawling.make import crawl_of, present_of
from topicrawl.crawling.session import Session
from topicrawl.crawling.snapshots import Snapshots
from topicrawl.setup.run_config import config_of
from topicrawl.store.run import Run
from topicrawl.store.snapshots import paths

STRATEGIES = ("ops", "scout")


def main() -> None:
    """Crawl with and without, then replay and resume."""
    with tempfile.TemporaryDirectory() as folder:
        for strategy in STRATEGIES:
            for name in ("cold", "without", "with", "without again", "with again"):
                run_folder = Path(folder) / f"{strategy} {name}"
                how = "with" if "with" in name.split() else "without"
                command = [sys.executable, "-m", "bench.snapshots", strategy, how, str(run_folder)]
                run(command, silent=name == "cold")
            for line in resumed(Path(folder) / f"{strategy} with"):
                print(f"{strategy}: {line}", flush=True)


def crawled(strategy: str, how: str, path: Path) -> str:
    """Crawl with or without snapshots; returns the cost."""
    taken: list[float] = []
    take = Snapshots.take

    def timed(self: Snapshots) -> object:
        began = time.perf_counter()
        done = take(self) if how == "with" else None
        taken.append(time.perf_counter() - began)
        return done

    Snapshots.take = timed  # type: ignore[method-assign, assignment]
    config = replace(plan(strategy), warc=False)
    began = time.perf_counter()
    with Run.create(path, config.to_toml(), warc=False) as opened:
        session = Session(config, opened)
        session.finish(run_loop(session.drive))
    seconds = time.perf_counter() - began
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    processor = sum(each.ru_utime + each.ru_stime for each in used)
    copied = f"; {len(taken)} snapshots, {sum(taken) / seconds:.2%} of the time" if how == "with" else ""
    return f"{strategy} {how}: {seconds:.1f} s, {processor:.1f} s of CPU{copied}"


def resumed(path: Path) -> list[str]:
    """Sizes and times of a run's snapshot, of a replay, and of resuming."""
    size = paths(path)[0].stat().st_size
    with Run.open(path, writable=False) as opened:
        began = time.perf_counter()
        restored = present_of(opened)
        loading = time.perf_counter() - began
        began = time.perf_counter()
        crawl = crawl_of(opened)
        for event in opened.replay():
            crawl.replay(event)
        replaying = time.perf_counter() - began
        links = len(crawl.frontier)
        assert config_of(opened).pages
    assert restored.crawl.tally == crawl.tally
    found = [
        f"snapshot of {crawl.tally.visits:,} visits and {links:,} links: {size / 1e6:.0f} MB",
        f"loaded in {loading:.2f} s; a replay takes {replaying:.1f} s, "
        f"{1000 * replaying / crawl.tally.visits:.2f} ms a visit",
    ]
    why = topicrawl("why", str(path), "http://nobody.invented.test/")
    more = topicrawl("crawl", "--quiet", "--pages", str(PAGES + 1), "--out", str(path))
    return [
        *found,
        f"`why` of an unknown link: {why.wall:.2f} s; resume, one more page, report: {more.wall:.2f} s",
    ]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(crawled(sys.argv[1], sys.argv[2], Path(sys.argv[3])), flush=True)
    else:
        main()
