"""What a watch is worth: an invented web that changes, the same number of fetches, three ways to spend them.

    python -m bench.watch --webs 11 12 13 --days 60 --fetches 60 --out docs/evidence/watch.md

watch       crawling/revisits.py
in turn     every known page in turn, the one fetched longest ago first; every fifth fetch is a new link of the strategy
oracle      knows every change: fetches relevant pages that changed or are new, without looking for links

All three begin with the same crawl on day 0. Relevance is that of the invented web, not that of the judge.
Measured after each turn, in the middle of the time to the next:

fresh       relevant pages in hand whose copy is as the page is, in per cent of those in hand
new         relevant pages in hand that were added after day 0
news        relevant pages in hand, as they are now, that were added or have changed since day 0
seen        changes of relevant pages that were seen
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import numpy as np

from topicrawl.crawling.core import Crawl
from topicrawl.crawling.make import make_crawl
from topicrawl.crawling.offline import OfflinePages
from topicrawl.model import Ask, Outcome, Revisit, Topic, Turn, Turned, Visit
from topicrawl.setup.config import Config
from topicrawl.setup.resolve import resolve
from topicrawl.topic.matcher import Matcher
from topicrawl.web.invented import InventedWeb
from topicrawl.web.invented.atlas import Spot
from topicrawl.web.invented.days import EPOCH, HOURS

DAY = 86400.0
NEW_EVERY = 5
"""In turn: one fetch in so many is a new link."""
MEASURES = ("fresh", "new", "news", "seen")
Choose = Callable[[Crawl], Ask | None]


@dataclass
class Collection:
    """The pages in hand, as a reader would check them against the web."""

    web: InventedWeb
    relevant: dict[str, int]
    """The relevant pages that there are on any day, and the hour at which each was added."""
    hours: dict[str, int] = field(default_factory=dict)
    """By URL: when the copy was fetched."""
    seen: int = 0
    measured: list[tuple[float, ...]] = field(default_factory=list)

    @property
    def hour(self) -> int:
        return round(HOURS * (self.web.day or 0.0))

    def take(self, url: str) -> None:
        """A page was fetched."""
        if url in self.relevant and url in self.hours and not self.is_fresh(url):
            self.seen += 1
        self.hours[url] = self.hour

    def is_fresh(self, url: str) -> bool:
        """Whether a copy is as the page is now."""
        since = self.web.last_change(url)
        return since is not None and since <= self.hours[url]

    def measure(self) -> None:
        """Measure now."""
        mine = [url for url in self.hours if url in self.relevant]
        fresh = sum(map(self.is_fresh, mine))
        new = sum(self.relevant[url] > 0 for url in mine)
        news = sum((self.web.last_change(url) or 0) > 0 and self.is_fresh(url) for url in mine)
        self.measured.append((100 * fresh / max(len(mine), 1), new, news, self.seen))

    def results(self) -> dict[str, float]:
        """Means over all turns of what is a state, last values of what is counted."""
        columns = list(zip(*self.measured, strict=True))
        return {
            "fresh": statistics.mean(columns[0]),
            "new": columns[1][-1],
            "news": statistics.mean(columns[2]),
            "seen": columns[3][-1],
        }


@dataclass
class Setup:
    """One web, one topic, one number of fetches."""

    seed: int
    topic: str
    days: int
    fetches: int
    first: int
    """Fetches of the crawl on day 0."""

    def web(self) -> InventedWeb:
        return InventedWeb(self.seed, day=0)

    def relevant(self) -> dict[str, int]:
        """The relevant pages up to the last day."""
        web, found = InventedWeb(self.seed, day=self.days + 1), dict[str, int]()
        days = web.atlas.days
        assert days is not None
        for host in web.atlas.hosts:
            for section in range(len(host.sections)):
                for page in range(web.atlas.size(host.number, section)):
                    spot = Spot(host.number, section, page)
                    if web.share_of(spot, self.topic) >= 0.5:
                        found[web.atlas.url(spot)] = days.birth(spot)
        return found


@dataclass
class Past:
    """The visits before the first turn."""

    kept: list[tuple[Visit, Outcome]] = field(default_factory=list)

    def visits(self) -> Iterator[Visit]:
        return (visit for visit, _ in self.kept)

    def outcomes(self) -> Iterator[tuple[Visit, Outcome]]:
        return iter(self.kept)


def watched(setup: Setup, name: str, relevant: dict[str, int]) -> tuple[dict[str, float], dict[str, int]]:
    """Crawl on day 0, then make a turn a day; returns what was measured, and the pages in hand on day 0."""
    web = setup.web()
    config = resolve(
        Config(
            web=f"invented:{setup.seed}",
            topic=web.topic_spec(setup.topic),
            seeds=tuple(web.seeds(setup.topic, 5)),
        ),
        lambda remark: None,
    )
    assert isinstance(config.topic, Topic)
    crawl, pages = make_crawl(config), OfflinePages(web)
    matcher, collection = Matcher(config.topic.terms), Collection(web, relevant)
    gone: set[str] = set()
    crawl.past = past = Past()

    def spend(fetches: int, choose: Choose) -> None:
        for _ in range(fetches):
            ask = choose(crawl)
            if ask is None:
                return
            outcome = pages.outcome(ask.url)
            if outcome.page is not None:
                outcome = msgspec.structs.replace(outcome, counts=matcher.count(outcome.page))
            visit = crawl.tell(ask, outcome)
            if crawl.revisits is None:
                past.kept.append((visit, outcome))
            if visit.fetched:
                collection.take(visit.url)
            elif visit.status in (404, 410):
                gone.add(visit.asked)
                collection.hours.pop(visit.asked, None)

    spend(setup.first, lambda crawl: crawl.ask())
    first = dict(collection.hours)
    choose = {"watch": by_watch, "in turn": InTurn(gone)}[name]
    for day in range(1, setup.days + 1):
        web.go_to(day)
        crawl.turn(Turn(EPOCH + DAY * day, DAY, setup.fetches, before=EPOCH))
        spend(setup.fetches, choose)
        crawl.turn(Turned(0.0))
        web.go_to(day + 0.5)
        collection.measure()
    return collection.results(), first


def by_watch(crawl: Crawl) -> Ask | None:
    """The next fetch of a watch."""
    chosen = crawl.ask_next()
    return None if chosen is None else chosen[0]


class InTurn:
    """Every known page in turn, and one new link in `NEW_EVERY`."""

    def __init__(self, gone: set[str]) -> None:
        self._gone, self._number = gone, 0

    def __call__(self, crawl: Crawl) -> Ask | None:
        assert crawl.revisits is not None
        self._number += 1
        if self._number % NEW_EVERY == 0 and (ask := crawl.ask()) is not None:
            return ask
        columns = crawl.revisits.pages.columns
        for row in np.argsort(columns["last"], kind="stable").tolist():
            url = crawl.frontier.urls[int(columns["link"][row])]
            if url not in self._gone:
                return crawl.revisit(Revisit(url, crawl.revisits.turn.time))
        return None


def oracle(setup: Setup, relevant: dict[str, int], first: dict[str, int]) -> dict[str, float]:
    """The same by one who knows every change: `first` are the pages in hand on day 0."""
    web = setup.web()
    collection = Collection(web, relevant, dict(first))
    for day in range(1, setup.days + 1):
        web.go_to(day)
        for url in [url for url in collection.hours if web.last_change(url) is None]:
            del collection.hours[url]
        new = [
            url for url, added in relevant.items() if 0 < added <= HOURS * day and url not in collection.hours
        ]
        new = [url for url in new if web.last_change(url) is not None]
        old = [url for url in collection.hours if url in relevant and not collection.is_fresh(url)]
        for url in (*new, *old)[: setup.fetches]:
            collection.take(url)
        web.go_to(day + 0.5)
        collection.measure()
    return collection.results()


def main() -> None:
    """Measure, and print or write a table."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.watch",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--webs", type=int, nargs="+", default=[11, 12, 13])
    parser.add_argument("--topics", nargs="+", default=["cooking", "tourism"])
    parser.add_argument("--days", type=int, default=60)
    parser.add_argument("--fetches", type=int, nargs="+", default=[30, 60])
    parser.add_argument("--first", type=int, default=600, help="fetches of the crawl on day 0")
    parser.add_argument("--out", type=Path, help="append the table to this file")
    given = parser.parse_args()
    lines = []
    for fetches in given.fetches:
        found: dict[str, list[dict[str, float]]] = {"watch": [], "in turn": [], "oracle": []}
        for seed in given.webs:
            for topic in given.topics:
                setup = Setup(seed, topic, given.days, fetches, given.first)
                relevant = setup.relevant()
                found["watch"].append(watched(setup, "watch", relevant)[0])
                in_turn, first = watched(setup, "in turn", relevant)
                found["in turn"].append(in_turn)
                found["oracle"].append(oracle(setup, relevant, first))
                print(
                    fetches,
                    seed,
                    topic,
                    *(f"{way}: {_row(rows[-1])}" for way, rows in found.items()),
                    flush=True,
                )
        lines += table(fetches, found)
    print("\n".join(lines))
    if given.out:
        with given.out.open("a", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


def _row(measured: dict[str, float]) -> str:
    return " ".join(f"{name} {measured[name]:.1f}" for name in MEASURES)


def table(fetches: int, found: dict[str, list[dict[str, float]]]) -> list[str]:
    """Means over all webs and topics, and ratios of the sums."""
    means = {
        way: {name: statistics.mean(row[name] for row in rows) for name in MEASURES}
        for way, rows in found.items()
    }
    lines = [f"| {fetches} fetches a day | {' | '.join(MEASURES)} |", "|---" * (len(MEASURES) + 1) + "|"]
    for way, row in means.items():
        lines.append(f"| {way} | {' | '.join(f'{row[name]:.1f}' for name in MEASURES)} |")
    for other in ("in turn", "oracle"):
        ratios = (means["watch"][name] / max(means[other][name], 1e-9) for name in MEASURES)
        lines.append(f"| watch ÷ {other} | {' | '.join(f'{ratio:.2f}' for ratio in ratios)} |")
    return [*lines, ""]


if __name__ == "__main__":
    main()
