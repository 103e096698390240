"""What a crawl costs when it is divided: `python -m bench.shards_speed [--shards 1,2,4] [--pages N] …`.

The web is invented inside each shard, so no server shares the processors; a page has about four links to other hosts.
Prints for each number of shards the pages a second and the processor time a page of all processes, both relative to
one process without shards. `--web invented:scale` has 26 such links a page.
Numbers of shards run in turn, as many rounds as asked; the medians are told. Times mean something on a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.process import run
from topicrawl.web.invented import invented_web

TOPIC, SEEDS = "rainstorm disaster", 20
SITE = "invented.test"
"""All invented hosts are of this site."""


def main() -> None:
    """Crawl in rounds and print a line for each number of shards."""
    parser = argparse.ArgumentParser(prog="python -m bench.shards_speed", description=__doc__)
    parser.add_argument(
        "--web", default="invented:sites", help="invented:scale has 26 such links instead of 4"
    )
    parser.add_argument("--strategy", default="scout")
    parser.add_argument("--shards", default="1,2,4")
    parser.add_argument("--pages", type=int, default=3_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    numbers = [int(number) for number in options.shards.split(",")]
    measured: dict[int, list[tuple[float, float]]] = {number: [] for number in numbers}
    for _ in range(options.rounds):
        for number in numbers:
            measured[number].append(crawled(options.web, options.strategy, number, options.pages))
    first = medians(measured[numbers[0]])
    for number, rounds in measured.items():
        speed, cost = medians(rounds)
        print(
            f"{options.strategy}, {number} shards: {speed:,.0f} pages/s ({speed / first[0]:.2f} x), "
            f"{cost:.2f} ms of processor a page ({cost / first[1]:.2f} x)",
            flush=True,
        )


def crawled(web_name: str, strategy: str, shards: int, pages: int) -> tuple[float, float]:
    """Pages a second, and milliseconds of processor time a page, start and report included."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        web = invented_web(web_name)
        seeds = [part for seed in web.seeds(TOPIC, SEEDS) for part in ("--seeds", seed)]
        command = [sys.executable, "-m", "topicrawl.cli", "crawl", "--quiet", "--out", str(out), *seeds]
        command += ["--web", web_name, "--topic", web.topic_spec(TOPIC), "--strategy", strategy]
        command += ["--pages", str(pages), "--no-avoid-traps"]
        divided = ["--local", str(shards), "--split", SITE] if shards > 1 else []
        cost = run([*command, *divided])
        fetched = json.loads((out / "summary.json").read_text())["fetches"]
    return fetched / cost.wall, cost.cpu / fetched * 1e3


def medians(rounds: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Of speed and of cost."""
    return statistics.median(speed for speed, _ in rounds), statistics.median(cost for _, cost in rounds)


if __name__ == "__main__":
    main()
