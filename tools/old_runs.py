"""Make the small runs of earlier versions that the tests open, resume and export: tests/store/runs/*.tar.xz.

    git worktree add ../old f55a816
    python tools/old_runs.py ../old 0.1 tests/store/runs

Each archive has the folder `run` and `exported`: what that version exported of it. The crawls are killed with fetches in
flight, but for the one that ends at its --pages and has a summary, an index and a report.
The folder's code runs without its native module, which has equal results. Runs are not equal byte for byte when they
are made again: they hold times.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

SEEDS = """\
http://slow-train-55.invented.test/storms/urban-waterlogging-water-level-1.html
http://cloudburst-log-4.invented.test/storms/levee-emergency-plan-1.html
http://cloudburst-log-21.invented.test/storms/flood-control-torrential-rain-1.html
"""
TOPIC = "storms: rainstorm 1, flood 0.95, rainfall, disaster 0.5"
EXAMPLE = "Rainstorms and floods\n\nHeavy rainfall raises rivers until they flood fields and roads.\n"
COMMON = ["--topic", TOPIC, "--seeds", "seeds.txt", "--web", "invented:7"]
KILLED, ENDS = ["--pages", "400"], ["--pages", "40"]
STRATEGIES = {
    "ops": KILLED,
    "scout": [*KILLED, "--query", "example.txt"],
    "fcwseo": ENDS,
    "semxdm": [*KILLED, "--query", "example.txt"],
}
"""Strategy: more arguments of the crawl."""
VISITS = 30
"""A crawl is killed once it has stored this many visits."""
EXPORTS = ("jsonl", "csv")
STALL = {"TOPICRAWL_FAULT": "written:stall"}
"""Every commit takes two seconds, so that the crawl is killed soon after one."""
LOCK = "lock"
"""Names the process and the machine."""


def main(source: Path, version: str, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for strategy, more in STRATEGIES.items():
        with tempfile.TemporaryDirectory() as folder:
            here = Path(folder)
            (here / "seeds.txt").write_text(SEEDS)
            (here / "example.txt").write_text(EXAMPLE)
            begin_and_end(source, here, [*more, "--strategy", strategy])
            export(source, here)
            with tarfile.open(target / f"{version}-{strategy}.tar.xz", "w:xz") as packed:
                for name in ("run", "exported"):
                    packed.add(here / name, name, filter=without_owner)


def begin_and_end(source: Path, here: Path, more: list[str]) -> None:
    """Crawl in `here`; the crawl is killed once it has enough visits, unless it ends before."""
    words = ["crawl", *COMMON, "--concurrency", "4", *more, "--out", "run", "--quiet"]
    crawl = subprocess.Popen(command(words), cwd=here, env={**environment(source, here), **STALL})
    lines = here / "run" / "visits.jsonl"
    while crawl.poll() is None:
        time.sleep(0.01)
        if more[: len(KILLED)] == KILLED and lines.exists() and lines.read_bytes().count(b"\n") >= VISITS:
            crawl.kill()
    if crawl.returncode not in (0, -signal.SIGKILL):
        raise SystemExit(f"the crawl failed with exit code {crawl.returncode}")
    for name in (LOCK, "crawl.db-shm"):
        (here / "run" / name).unlink(missing_ok=True)


def export(source: Path, here: Path) -> None:
    """Export a copy of the run, which reading must not change."""
    (here / "exported").mkdir()
    shutil.copytree(here / "run", here / "copy")
    for form in EXPORTS:
        words = ["export", "copy", "--format", form, "--out", f"exported/pages.{form}"]
        subprocess.run(command(words), cwd=here, env=environment(source, here), check=True)


def command(words: list[str]) -> list[str]:
    return [sys.executable, "-m", "topicrawl.cli", *words]


def environment(source: Path, here: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(source.resolve() / "src"), "TOPICRAWL_CACHE": str(here / "cache")}


def without_owner(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """No name of a user or a machine."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
