"""How asks are divided between shards, and when the crawl ends."""

from __future__ import annotations

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from shards.crawled import TOPIC, crawled, crawls, invented
from topicrawl.crawling.core import Crawl
from topicrawl.frontier.route import Route
from topicrawl.shards.coordinator import Coordinator, Grant, Offer, in_turn
from topicrawl.strategies.registry import make_strategy
from topicrawl.web.invented import invented_web

FETCH = invented("invented:7")
SEEDS = invented_web("invented:7").seeds("rainstorm disaster", 4)
SPLIT = ("invented.test",)


def test_the_best_links_of_all_shards_are_granted() -> None:
    offers = {
        "a": Offer([(0.9, 1), (0.5, 2), (0.1, 9)], asked=10),
        "b": Offer([(0.8, 2), (0.4, 1)], asked=3),
        "c": Offer([(0.2, 5)], asked=1),
    }
    grants = Coordinator({}, 5).turn(offers)
    assert grants == {"a": Grant(13, 0.5), "b": Grant(5, 0.5), "c": Grant(1, math.inf)}


def test_links_of_equal_priority_are_granted_in_turn() -> None:
    coordinator, had = Coordinator({}, 2), {"a": 0, "b": 0, "c": 0}
    for _ in range(6):
        grants = coordinator.turn({name: Offer([(0.5, 100)], asked=asked) for name, asked in had.items()})
        had = {name: grant.asks for name, grant in grants.items()}
    assert had == {"a": 4, "b": 4, "c": 4}


def test_pending_links_count_towards_the_budget() -> None:
    offers = {"a": Offer([(0.9, 50)], asked=12, pending=4, fetched=5, visits=8), "b": Offer([(0.8, 50)])}
    grants = Coordinator({"pages": 10}, 40).turn(offers)
    assert [grant.asks for grant in grants.values()] == [13, 0]
    coordinator = Coordinator({"requests": 8}, 40)
    assert coordinator.turn(offers) == {}
    assert coordinator.reason == "requests"


def test_a_crawl_ends_when_all_are_idle_and_all_letters_taken_in_two_turns() -> None:
    coordinator = Coordinator({}, 4)
    on_its_way = {"a": Offer(sent={"b": 3}), "b": Offer(taken={"a": 2})}
    there = {"a": Offer(sent={"b": 3}), "b": Offer(taken={"a": 3})}
    for offers in (on_its_way, on_its_way, there, on_its_way, there):
        coordinator.turn(offers)
        assert coordinator.reason is None
    coordinator.turn({**there, "b": Offer(taken={"a": 3}, pending=1)})
    assert coordinator.reason is None
    coordinator.turn(there)
    assert coordinator.reason is None
    coordinator.turn(there)
    assert coordinator.reason == "frontier empty"


@settings(max_examples=30)
@given(st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 9)), st.integers(0, 30), st.integers(0, 9))
def test_all_room_is_given_to_those_who_want_it(wanted: dict[str, int], room: int, first: int) -> None:
    given_out = in_turn(wanted, room, first)
    assert sum(given_out.values()) == min(room, sum(wanted.values()))
    assert all(many <= wanted[name] for name, many in given_out.items())


def test_one_shard_crawls_as_a_crawl_without_shards() -> None:
    for strategy in ("ops", "scout"):
        plain, urls = Crawl(TOPIC, make_strategy(strategy), SEEDS), []
        while plain.tally.fetched < 20 and (ask := plain.ask()):
            urls.append(plain.tell(ask, FETCH(ask.url)).url)
        assert crawled(crawls(Route(1), SEEDS, strategy), FETCH, 20, at_once=7).urls == urls


def test_shards_fetch_no_page_twice_and_reach_what_one_crawl_reaches() -> None:
    one = crawled(crawls(Route(1), SEEDS), FETCH, 40)
    four = crawled(crawls(Route(4, split=SPLIT), SEEDS), FETCH, 40)
    assert len(four.visits) == len(set(four.urls))
    assert len({name for name, _ in four.visits}) == 4
    assert len(set(one.urls) & set(four.urls)) > 25
    asked = [sum(shard == name for shard, _ in four.visits) for name in ("000", "001", "002", "003")]
    assert sum(asked) == len(four.visits)
