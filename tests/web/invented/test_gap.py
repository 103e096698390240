"""Strategies differ on the invented web: breadth-first is worse than best-first, and that than an oracle."""

from __future__ import annotations

from functools import cache

import pytest

from topicrawl.crawling.core import Crawl
from topicrawl.errors import FetchError
from topicrawl.model import Outcome
from topicrawl.page.read import read
from topicrawl.strategies.registry import make_strategy
from topicrawl.topic.matcher import Matcher
from topicrawl.topic.read import read_topic
from topicrawl.web.invented import InventedWeb
from topicrawl_lab.oracle import greedy_oracle

SEEDS = 8


class Reader:
    """Fetches and reads pages of a web for one topic, each once."""

    def __init__(self, web: InventedWeb, topic: str) -> None:
        self.web = web
        self.name = topic
        self.topic = read_topic(web.topic_spec(topic))
        self._matcher = Matcher(self.topic.terms)
        self.outcome = cache(self._outcome)

    def _outcome(self, url: str) -> Outcome:
        try:
            answer = run(self.web.fetch(url))
        except FetchError as error:
            return Outcome(url, error=error.kind)
        if answer.status != 200:
            return Outcome(answer.url, answer.status, answer.size, error="http")
        page = read(answer.url, answer.content, answer.header("content-type"))
        assert page is not None
        return Outcome(answer.url, 200, answer.size, page=page, counts=self._matcher.count(page))

    def harvest(self, strategy: str, pages: int) -> float:
        """Share of pages truly about the topic among the first `pages` that a strategy brings in."""
        crawl = Crawl(self.topic, make_strategy(strategy), self.web.seeds(self.name, SEEDS))
        brought: list[str] = []
        while len(brought) < pages:
            ask = crawl.ask()
            assert ask is not None
            visit = crawl.tell(ask, self.outcome(ask.url))
            brought += [visit.url] if visit.fetched else []
        return sum(self.web.relevant(url, self.name) for url in brought) / pages


def run(fetching):  # type: ignore[no-untyped-def]
    """The result of a coroutine that never waits."""
    try:
        fetching.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("the invented web waited")


@pytest.mark.parametrize(
    ("topic", "pages"), [("rainstorm disaster", 500), ("tourism", 500), ("旅游", 500), ("暴雨灾害", 500)]
)
def test_breadth_first_loses_to_best_first_and_that_to_the_omniscient_crawler(
    web: InventedWeb, topic: str, pages: int
) -> None:
    reader = Reader(web, topic)
    seeds = web.seeds(topic, SEEDS)
    best = greedy_oracle(seeds, cache(web.links), cache(lambda url: web.relevant(url, topic)), pages)
    bfs, ops, oracle = reader.harvest("bfs", pages), reader.harvest("ops", pages), best[-1] / pages
    assert bfs + 0.15 < ops
    assert ops + 0.15 < oracle
    assert oracle > 0.9
