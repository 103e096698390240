"""A crawl of 15,000 pages of `invented:scale` with `ops` that is killed (SIGKILL) at three moments and resumed.

After each kill: the visits of the log after the newest snapshot, which a resume has to replay. `python -m bench.killed
[STRATEGY]`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.scale import PAGES, TOPIC, WEB
from topicrawl.model import Told
from topicrawl.store.run import Run
from topicrawl.store.snapshots import snapshots
from topicrawl.web.invented import invented_web

MOMENTS = (5_000, 10_000, 14_500)
"""Visits after which the crawl is killed."""


def main() -> None:
    """Crawl, kill, count, resume."""
    strategy = sys.argv[1] if len(sys.argv) > 1 else "ops"
    seeds = [f"--seeds={url}" for url in invented_web(WEB).seeds(TOPIC, 5)]
    flags = ["--web", WEB, "--topic", "rainstorm", "--pages", str(PAGES), "--strategy", strategy, *seeds]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        begin = [sys.executable, "-m", "topicrawl.cli", "crawl", "--quiet", "--out", str(path)]
        for number, moment in enumerate(MOMENTS):
            kill_at(moment, path, begin if number else [*begin, "--no-warc", *flags])
            print(f"{strategy}: {told(path)}", flush=True)


def kill_at(visits: int, path: Path, command: list[str]) -> None:
    """Run the crawl until its log has so many visits, and kill it."""
    crawl = subprocess.Popen(command)
    while crawl.poll() is None and lines(path / "visits.jsonl") < visits:
        time.sleep(0.2)
    assert crawl.poll() is None, f"the crawl ended before {visits:,} visits"
    crawl.kill()
    crawl.wait()


def lines(path: Path) -> int:
    """Lines of a file, 0 if it does not exist."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


def told(path: Path) -> str:
    """The visits of a run, and those after its newest snapshot."""
    with Run.open(path, writable=False) as run:
        newest = next((each.header.position.seq for each in snapshots(path)), 0)
        tail = sum(isinstance(event, Told) for event in run.replay(newest))
        return f"killed after {run.last_n:,} visits, {tail:,} ({tail / run.last_n:.1%}) after the newest snapshot"


if __name__ == "__main__":
    main()
