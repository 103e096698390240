"""What scout costs: processor time a page of its parts, and of `ops` beside it; pages are parsed before.

`python -m bench.scout_cost [--pages N] [--webs wikispeedia scale] [--rounds 2] [--parts]`. Every strategy crawls from
the words of a topic; links that lead out of a recorded web are not followed. A first crawl parses its pages and is not
measured; of the measured ones the cheapest counts. A part's time is without that of parts inside it. Scout's own share
is what choosing, observing and judging takes beyond that of `ops`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable
from functools import wraps
from importlib import import_module
from typing import Any

import msgspec

from bench.real_pages import SEED, WEB
from bench.scale import TOPIC
from topicrawl.crawling.core import Crawl
from topicrawl.crawling.offline import OfflinePages
from topicrawl.judge.registry import own_judge
from topicrawl.model import NOFOLLOW, Outcome, Page, Topic
from topicrawl.setup.config import Config
from topicrawl.setup.resolve import resolve
from topicrawl.strategies.registry import make_strategy
from topicrawl.web.invented import invented_web

WORDS = "rainstorm disaster: rainstorm, flood, storm, hurricane, rainfall, weather, climate"
WHOLE = (
    "scout.strategy:Scout.choose",
    "scout.strategy:Scout.observe",
    "strategies.ops:BestFirst.choose",
    "strategies.ops:BestFirst.observe",
    "judge.terms:ByTerms.judge",
    "judge.examples:ByExamples.judge",
    "judge.examples:ByExamples.learn",
)
"""All that a strategy and its judge do."""
PARTS = (
    "scout.strategy:Scout._prioritise",
    "judge.examples:document",
    "judge.rocchio:Rocchio.note",
    "judge.rocchio:Rocchio.fit",
    "text.tokens:Tokens.words",
    "scout.features:Features.add_page",
    "scout.features:Features._add_new_links",
    "scout.link_reader:LinkReader.read",
    "scout.link_reader:LinkReader._describe",
    "scout.link_documents:LinkDocuments.add_texts",
    "scout.features:Features._measure",
    "scout.features:Features.rescore_all",
    "scout.features:Features._fit",
    "scout.link_words:ridge",
    "scout.link_documents:LinkDocuments.add",
)
"""Functions inside, each as it is found in the module that calls it. They are timed in a crawl of their own: to read
the clock of a thread takes some microseconds."""


class Clock:
    """Processor time of functions, without that of timed functions inside them."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._inside = [0.0]

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """`function`, and its time counts as that of `name`."""

        @wraps(function)
        def call(*args: Any, **named: Any) -> Any:
            self._inside.append(0.0)
            began = time.thread_time()
            try:
                return function(*args, **named)
            finally:
                took = time.thread_time() - began
                self.spent[name] = self.spent.get(name, 0.0) + took - self._inside.pop()
                self._inside[-1] += took

        return call


def install(clock: Clock, names: Iterable[str]) -> None:
    """Time the functions that exist; a generator's time is that of the function that reads it."""
    for part in names:
        module, _, path = part.partition(":")
        place: Any = import_module(f"topicrawl.{module}")
        *outer, name = path.split(".")
        for each in outer:
            place = getattr(place, each)
        if hasattr(place, name):
            setattr(place, name, clock.timed(path, getattr(place, name)))


class Pages:
    """Outcomes by URL, made once."""

    def __init__(self, web: str, topic: Topic) -> None:
        self._offline = OfflinePages(web)
        self._count = self._offline.counter(topic)
        self._recorded = set(self._offline.urls())
        self._known: dict[str, Outcome] = {}

    def __call__(self, url: str) -> Outcome:
        if url not in self._known:
            outcome = self._offline.outcome(url)
            if outcome.page is not None:
                page = self._without_dead_links(outcome.page)
                outcome = msgspec.structs.replace(outcome, page=page, counts=self._count(page))
            self._known[url] = outcome
        return self._known[url]

    def _without_dead_links(self, page: Page) -> Page:
        if not self._recorded:
            return page
        flagged = zip(page.links.urls, page.links.flags, strict=True)
        flags = bytes(flag if url in self._recorded else flag | NOFOLLOW for url, flag in flagged)
        return msgspec.structs.replace(page, links=msgspec.structs.replace(page.links, flags=flags))


def crawled(strategy: str, topic: Topic, seeds: list[str], outcomes: Pages, pages: int) -> list[float]:
    """Processor time of asking and telling after each page."""
    made = make_strategy(strategy, {})
    crawl = Crawl(topic, made, seeds, judge=own_judge(made.judged_by, topic))
    spent, clock = 0.0, []
    while crawl.tally.fetched < pages:
        began = time.thread_time()
        ask = crawl.ask()
        if ask is None:
            break
        spent += time.thread_time() - began
        outcome = outcomes(ask.url)
        began = time.thread_time()
        crawl.tell(ask, outcome)
        spent += time.thread_time() - began
        if outcome.page is not None:
            clock.append(spent)
    return clock


def task(web: str) -> tuple[str, Topic, list[str]]:
    """The web, topic and seeds of a name in `--webs`."""
    if web == "wikispeedia":
        given = resolve(Config(web=str(WEB), topic=WORDS, seeds=(SEED,)))
    else:
        invented = invented_web(f"invented:{web}")
        seeds = tuple(invented.seeds(TOPIC, 20))
        given = resolve(Config(web=f"invented:{web}", topic=invented.topic_spec(TOPIC), seeds=seeds))
    assert isinstance(given.topic, Topic)
    return str(given.web), given.topic, list(given.seeds)


def main() -> None:
    """Crawl and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.scout_cost", description=__doc__)
    parser.add_argument("--pages", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--webs", nargs="+", default=["wikispeedia", "scale"])
    parser.add_argument("--strategies", nargs="+", default=["ops", "scout"])
    parser.add_argument("--parts", action="store_true", help="how much each part of scout takes")
    chosen = parser.parse_args()
    clock = Clock()
    install(clock, WHOLE)
    tasks = {name: task(name) for name in chosen.webs}
    outcomes = {name: Pages(web, topic) for name, (web, topic, _) in tasks.items()}
    own: dict[str, dict[str, float]] = {name: {} for name in tasks}

    def measured(name: str, strategy: str) -> tuple[float, list[float], dict[str, float]]:
        clock.spent = {}
        times = crawled(strategy, *tasks[name][1:], outcomes[name], chosen.pages)
        return sum(clock.spent.values()) / len(times) * 1e3, times, clock.spent

    for name in tasks:
        for strategy in chosen.strategies:
            measured(name, strategy)  # parses the pages
            spent, times, _ = min(measured(name, strategy) for _ in range(chosen.rounds))
            own[name][strategy] = spent
            print(
                f"{name}, {strategy}: {len(times)} pages, ask and tell {times[-1] / len(times) * 1e3:.3f} ms a page, "
                f"of it in strategy and judge {spent:.3f}",
                flush=True,
            )
        if {"ops", "scout"} <= own[name].keys():
            print(
                f"{name}: scout's own share {own[name]['scout'] - own[name]['ops']:.3f} ms a page", flush=True
            )
    if chosen.parts:
        install(clock, PARTS)
        for name in tasks:
            _, times, parts = measured(name, "scout")
            print(f"{name}, scout by parts, with the time to read the clock:")
            for part, spent in sorted(parts.items(), key=lambda each: -each[1]):
                print(f"    {part:32} {spent / len(times) * 1e3:7.3f}")


if __name__ == "__main__":
    main()
