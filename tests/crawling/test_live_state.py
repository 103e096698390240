"""What is told of a crawl: counts, links in flight, links next in line with their reasons, learned words."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from contracts.small_web import TOPIC, SmallWeb
from contracts.test_strategies import events
from topicrawl.crawling.core import Crawl
from topicrawl.crawling.live_state import LiveState, live_state
from topicrawl.crawling.offline import OfflinePages
from topicrawl.frontier.hosts import TABU
from topicrawl.judge.registry import own_judge
from topicrawl.strategies.registry import make_strategy
from topicrawl.topic.read import parse_topic
from topicrawl.web.invented import invented_web


def crawled(name: str, visits: int = 60) -> Crawl:
    web = SmallWeb()
    crawl = Crawl(TOPIC, make_strategy(name, {}), web.seeds(), rng_seed=7)
    list(events(crawl, web, most=visits))
    return crawl


def crawled_by_words(visits: int = 40) -> Crawl:
    """A crawl of scout over pages with words."""
    web = invented_web("invented:7")
    pages, topic = OfflinePages(web), parse_topic(web.topic_spec("rainstorm disaster"))
    count = pages.counter(topic)
    crawl = Crawl(
        topic,
        make_strategy("scout", {}),
        web.seeds("rainstorm disaster", 3),
        judge=own_judge("examples", topic),
    )
    for _ in range(visits):
        ask = crawl.ask()
        assert ask is not None
        outcome = pages.outcome(ask.url)
        counts = count(outcome.page) if outcome.page else None
        crawl.tell(ask, msgspec.structs.replace(outcome, counts=counts))
    return crawl


@pytest.mark.parametrize("name", ["scout", "ops", "bfs"])
def test_the_links_next_in_line_are_those_that_are_asked_next(name: str) -> None:
    crawl = crawled(name)
    told = live_state(crawl)
    assert (told.visits, told.pages, told.relevant) == (60, crawl.tally.fetched, crawl.tally.relevant)
    assert not told.in_flight
    asks = [crawl.ask() for _ in range(3)]
    assert [each.url for each in told.next[:3]] == [ask.url for ask in asks if ask]
    assert [each.url for each in live_state(crawl).in_flight] == [ask.url for ask in asks if ask]
    assert all(each.reasons and each.found_on for each in told.next)


def test_links_of_a_busy_host_are_next_in_line_but_not_those_of_a_host_that_is_shut() -> None:
    crawl = crawled("scout")
    frontier, before = crawl.frontier, live_state(crawl).next
    for host in range(len(frontier.hosts)):
        frontier.hold(host)
    assert frontier.best() is None, "all hosts have enough links in flight"
    assert live_state(crawl).next == before
    first = frontier.hosts.number(before[0].host)
    assert first is not None
    frontier.hosts.columns["closed"][first] = True
    assert not any(link.host == before[0].host for link in live_state(crawl).next)
    frontier.hosts.columns["closed"][first] = False
    frontier.hold(first, TABU)
    assert not any(link.host == before[0].host for link in live_state(crawl).next)
    crawl.scope = replace(crawl.scope, max_per_host=0)
    assert live_state(crawl).next == []


def test_the_reasons_of_scout_add_up_to_the_priority_and_its_words_are_words() -> None:
    told = live_state(crawled_by_words())
    for link in told.next:
        assert sum(link.reasons.values()) == pytest.approx(link.priority, abs=1e-6)
    assert told.toward
    assert told.away
    for words in (told.toward, [msgspec.structs.replace(word, weight=-word.weight) for word in told.away]):
        weights = [word.weight for word in words]
        assert weights == sorted(weights, reverse=True)
        assert all(weight > 0 for weight in weights)
        assert not any("~" in word.word for word in words)


def test_to_be_looked_at_changes_nothing_and_what_is_told_is_plain_data() -> None:
    watched, alone = crawled("scout", 30), crawled("scout", 30)
    packed = msgspec.json.encode(live_state(watched))
    assert msgspec.json.decode(packed, type=LiveState) == live_state(watched)
    assert [watched.ask() for _ in range(20)] == [alone.ask() for _ in range(20)]
