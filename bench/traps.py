"""The cost of crawler traps: an invented web with and without traps, crawled with and without trap detection.

`python -m bench.traps [PAGES [STRATEGY …]]` prints, for each strategy, how many truly relevant pages a crawl of PAGES
(1,500) finds; without STRATEGY for ops, bfs, ielp and fcits_oh. Half of the links of the web with traps lead into
traps, whose pages have the topic's words.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from topicrawl.crawling.core import Crawl
from topicrawl.frontier.traps import Traps
from topicrawl.judge import Judge
from topicrawl.judge.terms import ByTerms
from topicrawl.model import Ask, Outcome, Topic, Visit
from topicrawl.page.read import read
from topicrawl.setup.inputs import open_topic
from topicrawl.strategies.registry import make_strategy
from topicrawl.topic.matcher import Matcher
from topicrawl.web.invented import InventedWeb, invented_web

TOPIC, SEEDS = "rainstorm disaster", 5
WEBS = ("7", "11")
STRATEGIES = ("ops", "bfs", "ielp", "fcits_oh")


@dataclass(frozen=True)
class Harvest:
    """The pages of a crawl; `trapped` counts fetches of trap pages."""

    relevant: int
    fetched: int
    trapped: int


def harvest(spec: str, strategy: str, pages: int, *, detection: bool) -> Harvest:
    """Crawl `pages` pages of the web called `spec`, offline, one at a time."""
    web = invented_web(spec)
    topic, seeds = open_topic(web.topic_spec(TOPIC)), web.seeds(TOPIC, SEEDS)
    found = [visit.url for visit in fetched(web, topic, seeds, strategy, pages, detection=detection)]
    return Harvest(
        sum(web.relevant(url, TOPIC) for url in found),
        len(found),
        sum(web.atlas.spot(url) is None for url in found),
    )


def fetched(
    web: InventedWeb,
    topic: Topic,
    seeds: Sequence[str],
    strategy: str,
    pages: int,
    *,
    detection: bool = True,
    judge: Judge | None = None,
) -> Iterator[Visit]:
    """The visits of the pages that a crawl of the web fetches; `judge` is else by terms."""
    matcher = Matcher(topic.terms)
    traps = Traps(topic.terms) if detection else None
    made = make_strategy(strategy)
    crawl = Crawl(topic, made, seeds, rng_seed=1, traps=traps, judge=judge or ByTerms())
    while crawl.tally.fetched < pages and (ask := crawl.ask()):
        visit = crawl.tell(ask, _outcome(ask, web, matcher))
        if visit.fetched:
            yield visit


def _outcome(ask: Ask, web: InventedWeb, matcher: Matcher) -> Outcome:
    answer = web.exchange(ask.url)
    while answer.status in (301, 302):
        answer = web.exchange(answer.header("Location"))
    if answer.status != 200 or web.behaviour(answer.url) == "cut":
        return Outcome(answer.url, answer.status, error="http")
    page = read(answer.url, answer.content, answer.header("Content-Type"))
    outcome = Outcome(answer.url, 200, len(answer.content), page=page)
    return msgspec.structs.replace(outcome, counts=matcher.count(page)) if page else outcome


def main(pages: str = "1500", *strategies: str) -> None:
    """Print the table."""
    print(
        "| strategy | no traps | traps, detection | lost | traps, no detection | lost |\n|---|---|---|---|---|---|"
    )
    for strategy in strategies or STRATEGIES:
        clean, detection, bare = (
            [harvest(f"invented:{kind}{seed}", strategy, int(pages), detection=on).relevant for seed in WEBS]
            for kind, on in (("", True), ("traps:", True), ("traps:", False))
        )
        lost = [1 - sum(found) / sum(clean) for found in (detection, bare)]
        print(
            f"| {strategy} | {sum(clean)} | {sum(detection)} | {lost[0]:.1%} | {sum(bare)} | {lost[1]:.1%} |",
            flush=True,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
