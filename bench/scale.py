"""`invented:scale` from a warm cache, 15,000 pages with `ops`: whether a long crawl slows down.

The first run fills the cache of parsed pages, the second is measured: its time, the processor time of its last
thousand pages against its second thousand, and how long a resume takes. Both are `--ordered`, so that they fetch the
same pages; both archive, so every body is generated again, which is most of the work.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from bench.process import topicrawl
from topicrawl.crawling.event_loop import run_loop
from topicrawl.crawling.make import crawl_of
from topicrawl.crawling.session import Session
from topicrawl.model import Page, Visit
from topicrawl.setup.config import Config
from topicrawl.setup.resolve import resolve
from topicrawl.store.run import Run
from topicrawl.web.invented import invented_web

WEB = "invented:scale"
TOPIC = "rainstorm disaster"
PAGES = 15_000
EARLY, LATE = (1_000, 2_000), (PAGES - 1_000, PAGES)


def main() -> None:
    """Fill the cache, crawl, resume."""
    config = plan("ops")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("cold", "warm"):
            run = Path(folder) / name
            began = time.perf_counter()
            clock = crawled(config, run)
            print(f"{name} cache: {PAGES} pages in {time.perf_counter() - began:.0f} s", flush=True)
        early, late = spent(clock, EARLY), spent(clock, LATE)
        print(
            f"CPU of pages {LATE} to {EARLY}: {late:.2f} s to {early:.2f} s: {late / early:.2f} x", flush=True
        )
        print(replayed(run), flush=True)
        resumed = topicrawl("crawl", "--quiet", "--pages", str(PAGES + 1), "--out", str(run))
        print(f"resume, one more page, report: {resumed.wall:.1f} s, {resumed.memory / 1e6:.0f} MB")


def plan(strategy: str) -> Config:
    """The resolved configuration. Trap detection is off, as invented hosts with few different words look like traps."""
    web = invented_web(WEB)
    seeds = tuple(web.seeds(TOPIC, 20))
    topic = web.topic_spec(TOPIC)
    return resolve(
        Config(
            web=WEB, topic=topic, seeds=seeds, pages=PAGES, strategy=strategy, ordered=True, avoid_traps=False
        )
    )


def crawled(config: Config, path: Path) -> dict[int, float]:
    """Crawl as the command line does; returns the CPU time of this process after each page."""
    clock: dict[int, float] = {}

    def note(visit: Visit, page: Page | None) -> None:
        clock[session.crawl.tally.fetched] = time.process_time()

    with Run.create(path, config.to_toml()) as run:
        session = Session(config, run, on_visit=note)
        reason = run_loop(session.drive)
        session.finish(reason)
    assert max(clock) >= PAGES, f"the crawl ended after {max(clock)} pages: {reason}"
    return clock


def spent(clock: dict[int, float], pages: tuple[int, int]) -> float:
    """CPU time between two numbers of pages."""
    first, last = (clock[min(fetched for fetched in clock if fetched >= number)] for number in pages)
    return last - first


def replayed(path: Path) -> str:
    """The time to replay the log, and the size of the frontier then."""
    began = time.perf_counter()
    with Run.open(path, writable=False) as run:
        crawl = crawl_of(run)
        for event in run.replay():
            crawl.replay(event)
    spent, frontier = time.perf_counter() - began, crawl.frontier
    return (
        f"replay of {crawl.tally.visits} visits: {spent:.1f} s; "
        f"{len(frontier)} links known on {len(frontier.hosts)} hosts, {frontier.bytes_per_link:.0f} bytes each"
    )


if __name__ == "__main__":
    main()
