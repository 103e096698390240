"""Peeks: order, accounting, and replay of a log with peeks."""

from __future__ import annotations

import math

import pytest

from contracts.small_web import TOPIC, SmallWeb
from contracts.test_strategies import events, visits
from strategies.traced import Traced
from topicrawl.crawling.core import Crawl
from topicrawl.frontier import PEEKED, VISITED
from topicrawl.model import Ask, Event, Visit
from topicrawl.strategies.fcsa import SimulatedAnnealing
from topicrawl.strategies.registry import make_strategy

PEEKING = [
    ("ops", {"priority": "fcwseo", "target_relevance": "peek"}),
    ("fcsa", {"target_relevance": "peek"}),
]
IN_ROUNDS = [
    ("fcwseo", {"target_relevance": "peek"}),
    ("moaco", {"target_relevance": "peek"}),
]
"""These fetch all seeds first."""
peeking = pytest.mark.parametrize(("name", "settings"), PEEKING)
all_peeking = pytest.mark.parametrize(("name", "settings"), PEEKING + IN_ROUNDS)


def machine(name: str, settings: dict[str, str], web: SmallWeb) -> Crawl:
    return Crawl(TOPIC, make_strategy(name, settings), web.seeds(2), rng_seed=3, ahead=2)


@peeking
def test_all_new_links_of_a_page_are_peeked_at_in_document_order(name: str, settings: dict[str, str]) -> None:
    web = SmallWeb(fails=0)
    crawl = machine(name, settings, web)
    log = visits(list(events(crawl, web, most=9)))
    first = web.answer(Ask(0, log[0].url, 1.0, 0)).page
    assert first is not None
    new = [url for url in dict.fromkeys(first.links.urls) if url not in (log[0].url, *web.seeds(2))]
    assert [visit.asked for visit in log[1 : 1 + len(new)]] == new
    assert [visit.peek for visit in log[: 1 + len(new)]] == [False] + [True] * len(new)


@all_peeking
def test_every_peek_counts_and_no_page_is_fetched_twice(name: str, settings: dict[str, str]) -> None:
    web = SmallWeb()
    crawl = machine(name, settings, web)
    log = visits(list(events(crawl, web)))
    assert len({visit.url for visit in log}) == len(log) > 250
    assert crawl.tally.fetched == sum(visit.fetched for visit in log)
    assert sum(visit.peek for visit in log) > 240
    assert all(math.isfinite(visit.priority) for visit in log)


@all_peeking
def test_a_peeked_page_is_added_with_the_relevance_of_its_peek(name: str, settings: dict[str, str]) -> None:
    web = SmallWeb()
    crawl = machine(name, settings, web)
    log = visits(list(events(crawl, web, most=100)))
    found = {visit.url: visit for visit in log if visit.fetched}
    taken = [url for url in found if crawl.frontier.graph.out_degree(_number(crawl, url))]
    assert len(taken) > 5
    targets = crawl.frontier.columns["target"]
    for url, visit in found.items():
        assert targets[_number(crawl, url)] == pytest.approx(visit.relevance, abs=1e-6)


@all_peeking
@pytest.mark.parametrize(("window", "shuffle"), [(1, None), (8, None), (8, 4)])
@pytest.mark.parametrize("cut", [0, 1, 7, 100, 333])
def test_a_log_with_peeks_cut_anywhere_replays(
    name: str, settings: dict[str, str], window: int, shuffle: int | None, cut: int
) -> None:
    web = SmallWeb()
    whole: list[Event] = list(events(machine(name, settings, web), web, window=window, shuffle=shuffle))
    again = machine(name, settings, web)
    for event in whole[:cut]:
        again.replay(event)
    if shuffle is None:
        rest: list[Visit] = visits(list(events(again, web, window=window)))
        assert rest == visits(whole[cut:])
    else:
        for event in whole[cut:]:
            again.replay(event)
        assert list(again.pending) == []


def _number(crawl: Crawl, url: str) -> int:
    number = crawl.frontier.number(url)
    assert number is not None
    return number


def test_a_page_that_was_peeked_at_is_taken_only_above_the_threshold() -> None:
    """FCWSEO Algorithm 1, step 6, with τ = .4; E = .3 F1 + .15 F2 + .35 F3 + .2, as PageRank is 1 everywhere.

    a: .3 + .075 + .035 + .2 = .61; d: .03 + .075 + 0 + .2 = .305; x, on a: 0 + .15 + 0 + .2 = .35.
    """
    pages = {"s": (0.5, {"a": 0.1, "d": 0.0}), "a": (1.0, {"x": 0.0}), "d": (0.1, {"y": 0.7}), "x": (0.0, {})}
    strategy = SimulatedAnnealing(link_threshold=0.4, damping=0.0, target_relevance="peek", discarded="never")
    traced = Traced(strategy, pages, "s")
    assert traced.fetch(3) == "s a d"
    assert [each.url for each in traced.crawl.accepted] == [traced.web.url("a")]
    assert traced.fetch(1) == "x"
    assert traced.column("value", "a d x") == pytest.approx([0.61, 0.305, 0.35])
    assert traced.crawl.ask() is None
    assert traced.column("state", "s a d x") == [VISITED, VISITED, PEEKED, PEEKED]


def test_links_that_become_known_later_are_peeked_at_too() -> None:
    pages = {"s": (0.5, {"a": 0.1}), "a": (1.0, {}), "z": (0.5, {})}
    strategy = SimulatedAnnealing(damping=0.0, target_relevance="peek")
    traced = Traced(strategy, pages, "s")
    traced.fetch(1)
    frontier = traced.crawl.frontier
    strategy.enter(frontier.add([traced.web.url("z")], depth=1, parent=0), frontier, traced.rng)
    asks = [traced.ask(), traced.ask()]
    assert [(ask.url, ask.peek) for ask in asks] == [(traced.web.url(name), True) for name in "az"]
