"""`invented:scale` from a warm cache, 15,000 pages with `ops`: does a long crawl stay as fast as it began?

The first run fills the cache of parsed pages and is not measured. The second is: its time, whether its last pages
cost more than its first, and how long a resume takes before it fetches again.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

from bench.process import topicrawl
from topicrawl.cli.runs import config_of
from topicrawl.session import make_crawl
from topicrawl.store.run import Run
from topicrawl.web.invented import invented_web

WEB = "invented:scale"
TOPIC = "rainstorm disaster"
PAGES = 15_000
EARLY, LATE = (1_000, 2_000), (PAGES - 1_000, PAGES)


def main() -> None:
    """Run, and print where the time went."""
    web = invented_web(WEB)
    with tempfile.TemporaryDirectory() as folder:
        seeds = Path(folder) / "seeds.txt"
        seeds.write_text("\n".join(web.seeds(TOPIC, 20)))
        begin = ("crawl", "--quiet", "--web", WEB, "--topic", web.topic_spec(TOPIC), "--seeds", str(seeds))
        for name in ("cold", "warm"):
            run = Path(folder) / name
            cost = topicrawl(*begin, "--pages", str(PAGES), "--out", str(run))
            print(
                f"  {name} cache: {PAGES} pages in {cost.wall:.0f} s, {cost.cpu / PAGES * 1000:.2f} CPU-ms each, "
                f"{cost.memory / 1e6:.0f} MB",
                flush=True,
            )
        early, late = (seconds(run, *part) for part in (EARLY, LATE))
        print(f"pages {LATE} against {EARLY}: {late:.2f} s to {early:.2f} s: {late / early:.2f} x")
        print(replayed(run))
        resumed = topicrawl("crawl", "--quiet", "--pages", str(PAGES + 1), "--out", str(run))
        print(f"resume, one more page, report: {resumed.wall:.1f} s")


def seconds(run: Path, first: int, last: int) -> float:
    """Seconds between the starts of two visits."""
    started = {line["n"]: line["started"] for line in map(json.loads, (run / "timings.jsonl").open())}
    return float(started[last] - started[first])


def replayed(run: Path) -> str:
    """How long it takes to be where the run was, and how much is known then."""
    began = time.perf_counter()
    with Run.open(run, writable=False) as kept:
        crawl = make_crawl(config_of(kept))
        for event in kept.replay():
            crawl.replay(event)
    spent, frontier = time.perf_counter() - began, crawl.frontier
    return (
        f"replay of {crawl.tally.visits} visits: {spent:.1f} s; "
        f"{len(frontier)} links known on {len(frontier.hosts)} hosts"
    )


if __name__ == "__main__":
    main()
