"""The same crawls by this version and by another commit in turn: the ratio of processor times.

`python -m bench.against COMMIT [--pages N] [--rounds N] [--strategies NAME …]`. The commit gets a worktree and an
environment of its own, in a temporary folder or in `--keep FOLDER`, where a later call finds them again. Each version
has its own cache of parsed pages, filled by a first round that is not counted. Processor time includes that of parse
workers; on a busy machine only the ratio of crawls made in turn says something.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.process import run
from topicrawl.web.invented import invented_web

ROOT = Path(__file__).resolve().parents[1]
WEB, TOPIC, SEEDS = "invented:scale", "rainstorm", 5
HERE = "here"


def main() -> None:
    """Crawl in turn, and print the ratios."""
    parser = argparse.ArgumentParser(prog="python -m bench.against", description=__doc__)
    parser.add_argument("commit")
    parser.add_argument("--pages", type=int, default=3_000)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--strategies", nargs="+", default=["ops", "scout"], metavar="NAME")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (given.keep or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        other = folder / given.commit
        try:
            pythons = {given.commit: installed(given.commit, other), HERE: sys.executable}
            for strategy in given.strategies:
                compare(pythons, strategy, given.pages, given.rounds, folder)
        finally:
            if given.keep is None:
                subprocess.run(["git", "worktree", "remove", "--force", other], cwd=ROOT, check=False)


def installed(commit: str, place: Path) -> str:
    """The interpreter of an environment with this commit, in a worktree at `place`."""
    if not place.exists():
        run(["git", "-C", str(ROOT), "worktree", "add", "--detach", str(place), commit])
    run(["make", "-C", str(place), f"PYTHON={sys.executable}", ".venv/.crawl"])
    return str(place / ".venv/bin/python")


def compare(pythons: dict[str, str], strategy: str, pages: int, rounds: int, folder: Path) -> None:
    """Crawl with both in turn; prints each round, and the ratio of medians."""
    spent: dict[str, list[float]] = {name: [] for name in pythons}
    for turn in range(rounds + 1):
        for name, python in pythons.items():
            seconds = crawled(python, strategy, pages, folder / f"cache-{name}")
            if turn:
                spent[name].append(seconds)
        if turn:
            row = ", ".join(f"{name} {values[-1]:.2f} s" for name, values in spent.items())
            print(f"{strategy}, {pages:,} pages, round {turn}: {row}", flush=True)
    before, after = (statistics.median(values) for values in spent.values())
    print(f"{strategy}: {after / before:.3f} x", flush=True)


def crawled(python: str, strategy: str, pages: int, cache: Path) -> float:
    """Crawl once; returns the processor time."""
    os.environ["TOPICRAWL_CACHE"] = str(cache)
    seeds = [f"--seeds={url}" for url in invented_web(WEB).seeds("rainstorm disaster", SEEDS)]
    with tempfile.TemporaryDirectory() as out:
        flags = ["--web", WEB, "--topic", TOPIC, "--pages", str(pages), "--strategy", strategy, "--quiet"]
        command = [python, "-m", "topicrawl.cli", "crawl", *flags, *seeds, "--out", str(Path(out) / "run")]
        return run(command).cpu


if __name__ == "__main__":
    main()
