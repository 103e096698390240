"""The same site crawled whole, by topicrawl and by Scrapy in turn: pages per second of processor time.

Ours: the command line as a user runs it, with robots.txt, WARC, durable log, 70 terms counted and scored, report; but
without trap detection, which would skip parts of a generated site.
Theirs: see spider.py. The start of the interpreter is included, the server, a process of its own, is not. Both must
have fetched the same pages.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from itertools import count
from pathlib import Path

from bench.process import Cost, run, topicrawl
from topicrawl.cli.demo import served
from topicrawl.web.invented import invented_web
from topicrawl.web.invented.lexicon import lexicon

WEB = "invented:site"
TERMS = 70
IN_FLIGHT = 8
ROUNDS = 3
STRATEGIES, SCRAPY = ("ops", "scout"), "Scrapy"


def main() -> None:
    """Run all in turn and print medians: ours with each of `STRATEGIES`, and Scrapy."""
    seed = invented_web(WEB).seeds("rainstorm disaster", 1)[0]
    with tempfile.TemporaryDirectory() as folder, served(WEB) as port:
        crawlers = _Crawlers(seed, port, Path(folder))
        costs: dict[str, list[float]] = {name: [] for name in (*STRATEGIES, SCRAPY)}
        begin = (crawlers.ours("scout", 1)[0].cpu, crawlers.theirs(1)[0].cpu)
        for turn in range(ROUNDS + 1):  # the first warms the server's caches
            crawled = {name: crawlers.ours(name) for name in STRATEGIES} | {SCRAPY: crawlers.theirs()}
            sizes = {name: len(pages) for name, (_, pages) in crawled.items()}
            assert len({frozenset(pages) for _, pages in crawled.values()}) == 1, (
                f"not the same pages: {sizes}"
            )
            spent = {name: cost.cpu for name, (cost, _) in crawled.items()}
            _say(f"  {'warm-up' if not turn else f'round {turn}'}", sizes[SCRAPY], spent)
            if turn:
                for name, cpu in spent.items():
                    costs[name].append(cpu)
    _say("median", sizes[SCRAPY], {name: statistics.median(values) for name, values in costs.items()})
    print(f"of which start-up and the first page: topicrawl {begin[0]:.2f} s, Scrapy {begin[1]:.2f} s")


class _Crawlers:
    """Both crawlers, each into a folder or file of its own; `pages` 0 means the whole site."""

    def __init__(self, seed: str, port: int, folder: Path) -> None:
        self._seed = seed
        self._port = port
        self._folder = folder
        self._numbers = count()

    def ours(self, strategy: str, pages: int = 0) -> tuple[Cost, set[str]]:
        out = self._folder / f"run-{next(self._numbers)}"
        cost = topicrawl(
            *("crawl", "--quiet", "--topic", topic(), "--seeds", self._seed, "--out", str(out)),
            *("--pages", str(pages or 1_000_000), "--delay", "0", "--per-host", str(IN_FLIGHT)),
            *(
                "--strategy",
                strategy,
                "--no-avoid-traps",
                "--allow-net",
                "127.0.0.0/8",
                "--resolve",
                f"*.invented.test=127.0.0.1:{self._port}",
            ),
        )
        visits = [json.loads(line) for line in (out / "visits.jsonl").open()]
        return cost, {visit["url"] for visit in visits if visit["fetched"]}

    def theirs(self, pages: int = 0) -> tuple[Cost, set[str]]:
        listed = self._folder / f"list-{next(self._numbers)}"
        arguments = [self._seed, str(self._port), str(IN_FLIGHT), str(pages), str(listed)]
        cost = run([sys.executable, "-m", "bench.spider", *arguments])
        return cost, set(listed.read_text().split())


def topic() -> str:
    """A topic of words of the invented web, so that terms are found."""
    nouns = dict.fromkeys(
        noun for subject in lexicon().topic if subject.language == "en" for noun in subject.nouns
    )
    return "bench: " + ", ".join(list(nouns)[:TERMS])


def _say(what: str, pages: int, spent: dict[str, float]) -> None:
    told = (
        f"{name} {cpu / pages * 1000:.2f} ms a page ({spent[SCRAPY] / cpu:.1f} x)"
        for name, cpu in spent.items()
    )
    print(f"{what}: {pages} pages, {', '.join(told)}", flush=True)


if __name__ == "__main__":
    main()
