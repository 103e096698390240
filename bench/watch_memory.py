"""Memory of a watch over many simulated hours: `python -m bench.watch_memory [HOURS] [EVERY]`; 10,000 and 24 hours.

A crawl of an invented web with time is watched in one process; after each turn the resident memory that is not of
mapped files is read. It prints a line for each tenth of the turns: means over that tenth, and the largest.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from topicrawl.cli import run
from topicrawl.model import Turned
from topicrawl.watching.watch import Watch
from topicrawl.web.invented import InventedWeb


def resident() -> float:
    """Anonymous resident memory of this process, in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon")) / 1000


def main(hours: float, every: float) -> None:
    """Crawl, watch, print."""
    turns = round(hours / every)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        words = [
            "crawl",
            "--web",
            "invented:7@day=0",
            "--topic",
            "tourism",
            "--pages",
            "100",
            "--no-warc",
            "-q",
        ]
        assert run([*words, "--seeds", InventedWeb(7).seeds("tourism", 1)[0], "--out", str(path)]) == 0

        memory, began = list[float](), time.process_time()

        def ended(turned: Turned, summary: dict[str, Any]) -> None:
            nonlocal began
            memory.append(resident())
            if watch.turns % max(turns // 10, 1) == 0:
                mean, most, now = sum(memory) / len(memory), max(memory), time.process_time()
                pages, fetches = summary["watch"]["pages"], summary["requests"]
                print(
                    f"turn {watch.turns:5}  {mean:6.1f} MB (at most {most:.1f})  "
                    f"{(now - began) / len(memory):.2f} s of processor a turn  {pages:,} pages  {fetches:,} fetches",
                    flush=True,
                )
                memory.clear()
                began = now

        async def go() -> None:
            nonlocal watch
            watch = Watch(path, 3600 * every, 20, ended=ended, sitemaps=False)
            await watch.go(turns)

        watch: Watch
        asyncio.run(go())


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10_000, float(sys.argv[2]) if len(sys.argv) > 2 else 24)
