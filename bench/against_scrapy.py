"""The same site crawled whole, by topicrawl and by Scrapy in turn: pages per second of processor time.

Ours: the command line as a user runs it, with robots.txt, WARC, durable log, 70 terms counted and scored, report; on a
generated site without trap detection, which would skip parts of it. `bench.real_pages` is the same race on real pages.
Theirs: see spider.py. The start of the interpreter is included, the server, a process of its own, is not. Both must
have fetched the same pages.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
from dataclasses import dataclass
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
    """The race on a site of the invented web."""
    seed = invented_web(WEB).seeds("rainstorm disaster", 1)[0]
    with served(WEB) as port:
        race(Site(seed, port, "*.invented.test", topic(), ("--no-avoid-traps",)))


@dataclass(frozen=True)
class Site:
    """What is crawled: from `seed`, of `hosts` (a pattern) that are served at `port`; with further `flags` of ours."""

    seed: str
    port: int
    hosts: str
    topic: str
    flags: tuple[str, ...] = ()


def race(site: Site, rounds: int = ROUNDS) -> None:
    """Run all in turn and print medians: ours with each of `STRATEGIES`, and Scrapy."""
    with tempfile.TemporaryDirectory() as folder:
        crawlers = _Crawlers(site, Path(folder))
        costs: dict[str, list[float]] = {name: [] for name in (*STRATEGIES, SCRAPY)}
        begin = (crawlers.ours("scout", 1)[0].cpu, crawlers.theirs(1)[0].cpu)
        for turn in range(rounds + 1):  # the first warms the server's caches
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

    def __init__(self, site: Site, folder: Path) -> None:
        self._site = site
        self._folder = folder
        self._numbers = count()

    def ours(self, strategy: str, pages: int = 0) -> tuple[Cost, set[str]]:
        site, out = self._site, self._folder / f"run-{next(self._numbers)}"
        cost = topicrawl(
            *("crawl", "--quiet", "--topic", site.topic, "--seeds", site.seed, "--out", str(out)),
            *("--pages", str(pages or 1_000_000), "--delay", "0", "--per-host", str(IN_FLIGHT)),
            *("--strategy", strategy, "--allow-net", "127.0.0.0/8"),
            *("--resolve", f"{site.hosts}=127.0.0.1:{site.port}", *site.flags),
        )
        visits = [json.loads(line) for line in (out / "visits.jsonl").open()]
        return cost, {visit["url"] for visit in visits if visit["fetched"]}

    def theirs(self, pages: int = 0) -> tuple[Cost, set[str]]:
        listed = self._folder / f"list-{next(self._numbers)}"
        arguments = [self._site.seed, str(self._site.port), str(IN_FLIGHT), str(pages), str(listed)]
        python = os.environ.get("SCRAPY_PYTHON", sys.executable)  # of an environment that has Scrapy
        cost = run([python, "-m", "bench.spider", *arguments])
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
