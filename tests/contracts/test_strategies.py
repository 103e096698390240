"""The tests that every strategy must pass, ours and those of others: the contract in strategies/__init__.py."""

from __future__ import annotations

import math
import random
import tracemalloc
from collections.abc import Iterator
from functools import cache

import pytest

from contracts.small_web import TOPIC, SmallWeb
from depth import depth
from topicrawl.crawling.core import Crawl
from topicrawl.frontier.scope import Scope
from topicrawl.model import Event, Told, Visit
from topicrawl.strategies.registry import make_strategy, strategy_names

FIXED_BYTES = 1 << 21
"""What a strategy may hold however few links there are: scout has columns for 16,384 parts of names."""
STEPS = depth(1_000, 10_000)


def start(name: str, web: SmallWeb, *, rng_seed: int = 1, seeds: int = 3, **crawl: object) -> Crawl:
    return Crawl(TOPIC, make_strategy(name), web.seeds(seeds), rng_seed=rng_seed, **crawl)  # type: ignore[arg-type]


def events(
    crawl: Crawl, web: SmallWeb, *, window: int = 1, most: int = 10_000, shuffle: int | None = None
) -> Iterator[Event]:
    """Drive a crawl to its end; with `shuffle` the answers come back in a random order."""
    order = random.Random(shuffle)
    while crawl.tally.visits < most:
        while len(crawl.pending) < window and (ask := crawl.ask()):
            yield ask
        if not crawl.pending:
            return
        pending = list(crawl.pending.values())
        ask = order.choice(pending) if shuffle is not None else pending[0]
        outcome = web.answer(ask)
        yield Told(ask, outcome, crawl.tell(ask, outcome))


def visits(log: list[Event]) -> list[Visit]:
    return [event.visit for event in log if isinstance(event, Told)]


@cache
def log_of(name: str, window: int = 1, shuffle: int | None = None) -> list[Event]:
    """The log of a whole crawl of the small web, made once for all tests that read it."""
    web = SmallWeb()
    return list(events(start(name, web), web, window=window, shuffle=shuffle))


pytestmark = pytest.mark.parametrize("name", strategy_names())


def test_it_visits_everything_it_can_reach_and_nothing_twice(name: str) -> None:
    seen = visits(log_of(name))
    assert len({visit.url for visit in seen}) == len(seen)
    assert len(seen) > 250


def test_the_same_seed_gives_the_same_crawl(name: str) -> None:
    web = SmallWeb()
    assert list(events(start(name, web), web)) == log_of(name)


def test_every_priority_is_a_finite_number(name: str) -> None:
    assert all(math.isfinite(visit.priority) for visit in visits(log_of(name)))


def test_one_link_is_enough(name: str) -> None:
    web = SmallWeb(pages=1, out=1, fails=0)
    assert len(visits(list(events(start(name, web, seeds=1), web)))) == 1


def test_a_web_where_all_links_tie_is_crawled_whole(name: str) -> None:
    web = SmallWeb(dull=True, fails=0)
    seen = visits(list(events(start(name, web), web)))
    assert len(seen) > 250
    assert all(visit.relevance == 0 for visit in seen)


def test_a_web_of_failures_only_ends(name: str) -> None:
    web = SmallWeb(fails=1)
    seen = visits(list(events(start(name, web), web)))
    assert [visit.fetched for visit in seen] == [False] * 3


@pytest.mark.parametrize("window", [2, 16, 64])
def test_many_in_flight_and_out_of_order_reach_the_same_pages(name: str, window: int) -> None:
    web = SmallWeb()
    one = {visit.url for visit in visits(log_of(name))}
    many = visits(list(events(start(name, web, ahead=2), web, window=window, shuffle=5)))
    assert len(many) == len(one)
    assert {visit.url for visit in many} == one


def test_no_host_has_more_in_flight_than_allowed(name: str) -> None:
    web = SmallWeb()
    crawl = start(name, web, ahead=2)
    for _ in events(crawl, web, window=16, shuffle=3):
        hosts = [ask.url.split("/")[2] for ask in crawl.pending.values()]
        assert all(hosts.count(host) <= 2 for host in hosts)


def test_no_host_gives_more_pages_than_its_cap(name: str) -> None:
    web = SmallWeb()
    crawl = start(name, web, scope=Scope(max_per_host=5))
    seen = visits(list(events(crawl, web, window=8, shuffle=2)))
    hosts = [visit.host for visit in seen if visit.fetched]
    assert max(hosts.count(host) for host in hosts) == 5
    assert len(hosts) > 40


@pytest.mark.parametrize(("window", "shuffle"), [(1, None), (8, None), (8, 4)])
@pytest.mark.parametrize("cut", depth([100], [0, 1, 7, 100, 333]))
def test_a_log_cut_anywhere_replays_to_the_same_crawl(
    name: str, window: int, shuffle: int | None, cut: int
) -> None:
    web, whole = SmallWeb(), log_of(name, window, shuffle)
    again = start(name, web)
    for event in whole[:cut]:
        again.replay(event)
    if shuffle is None:
        assert visits(list(events(again, web, window=window))) == visits(whole[cut:])
    else:
        for event in whole[cut:]:
            again.replay(event)
        assert list(again.pending) == []


def test_thousands_of_steps_end_in_bounded_time(name: str) -> None:
    web = SmallWeb(pages=40_000, hosts=500, out=4)
    crawl = start(name, web)
    for _ in events(crawl, web, most=STEPS):
        pass
    assert crawl.tally.visits == STEPS


def test_memory_grows_with_links_and_not_faster(name: str) -> None:
    web = SmallWeb(pages=40_000, hosts=500)
    list(events(start(name, web), web, most=20))  # loads modules and tables, which are no part of a crawl
    crawl = start(name, web)
    tracemalloc.start()
    for _ in events(crawl, web, most=STEPS // 4):
        pass
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < FIXED_BYTES + 1_500 * len(crawl.frontier)


def test_every_waiting_link_can_be_explained(name: str) -> None:
    web = SmallWeb()
    crawl = start(name, web)
    list(events(crawl, web, most=20))
    for link in range(len(crawl.frontier)):
        factors = crawl.strategy.explain(crawl.frontier, link)
        assert factors
        assert all(math.isfinite(value) for value in factors.values())
