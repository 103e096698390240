"""What joins shards: reports answered one by one, and which addresses several shards ask."""

from __future__ import annotations

from topicrawl.shards.coordinator import Coordinator, Grant, Offer
from topicrawl.shards.hub import Hub
from topicrawl.shards.messages import Report

FRESH = {"a": Offer(), "b": Offer()}
"""Two shards that are known to have done nothing yet."""
FIRST, SECOND = "93.184.216.34", "93.184.216.35"


def test_shards_learn_which_addresses_others_ask_too() -> None:
    hub = Hub(("a", "b", "c"), Coordinator({}, 4))

    def shared(**addresses: list[str] | None) -> dict[str, dict[str, int] | None]:
        for name, told in addresses.items():
            hub.reported(name, Report(Offer(steps=[(0.5, 1)]), addresses=told))
        return {name: order.shared for name, order in hub.turn(addresses, {}).items()}

    assert shared(a=[FIRST], b=[SECOND]) == {"a": {}, "b": {}}
    assert shared(a=None, c=[FIRST, SECOND]) == {"a": None, "c": {FIRST: 2, SECOND: 2}}
    assert shared(a=[FIRST, SECOND], b=None) == {"a": {FIRST: 2, SECOND: 3}, "b": None}
    hub.started("c")
    assert shared(a=[FIRST, SECOND], b=[SECOND]) == {"a": {SECOND: 2}, "b": {SECOND: 2}}


def test_better_links_that_a_busy_shard_was_not_granted_are_left_to_it() -> None:
    hub = Hub(("a", "b"), Coordinator({}, 4), FRESH)
    hub.reported("a", Report(Offer(steps=[(0.9, 4), (0.8, 3), (0.1, 9)])))
    assert hub.turn(["a"], {})["a"].grant == Grant(4, 0.9)
    hub.reported("b", Report(Offer(steps=[(0.5, 9)])))
    assert hub.turn(["b"], {}, busy=["a"])["b"].grant == Grant(1, 0.5)  # three of the four are for a
    hub.reported("b", Report(Offer(steps=[(0.5, 9)])))
    assert hub.turn(["b"], {})["b"].grant == Grant(4, 0.5)  # a has said nothing for long


def test_a_crawl_whose_shards_report_one_by_one_ends_when_each_has_said_twice_that_it_is_idle() -> None:
    hub = Hub(("a", "b"), Coordinator({}, 4))
    sent, taken = Offer(sent={"b": 3}), Offer(taken={"a": 3})
    stops = []
    for name, offer in (("a", sent), ("b", Offer()), ("b", taken), ("b", taken), ("a", sent)):
        hub.reported(name, Report(offer))
        stops.append(hub.turn([name], {}, busy=["a", "b"])[name].stop)
    assert stops == ["", "", "", "", "frontier empty"]


def test_what_a_shard_may_ask_for_until_it_hears_of_a_smaller_grant_counts_towards_the_budget() -> None:
    hub = Hub(("a", "b"), Coordinator({"pages": 12}, 10), FRESH)
    hub.reported("a", Report(Offer(steps=[(0.5, 99)])))
    assert hub.turn(["a"], {})["a"].grant.asks == 10
    hub.reported("a", Report(Offer(steps=[(0.5, 99)], asked=4, fetched=4, visits=4)))
    assert hub.turn(["a"], {})["a"].grant.asks < 10  # it may have asked for ten by now
    hub.reported("b", Report(Offer(steps=[(0.9, 99)])))
    assert 1 <= hub.turn(["b"], {})["b"].grant.asks <= 2


def test_nothing_is_granted_until_all_have_said_what_they_did_in_earlier_sessions() -> None:
    hub = Hub(("a", "b"), Coordinator({"pages": 12}, 10))
    hub.reported("a", Report(Offer(steps=[(0.5, 99)], asked=4, fetched=4, visits=4)))
    assert hub.turn(["a"], {})["a"].grant.asks == 4
    hub.started("b")
    assert hub.turn(["a"], {})["a"].grant.asks == 4
    hub.reported("b", Report(Offer(steps=[(0.4, 99)], asked=7, fetched=7, visits=7)))
    orders = hub.turn(["a", "b"], {})
    assert {name: order.grant.asks for name, order in orders.items()} == {"a": 5, "b": 7}
    hub.started("b")  # what it did is known by now
    hub.reported("a", Report(Offer(steps=[(0.5, 99)], asked=5, fetched=4, visits=5)))
    assert hub.turn(["a"], {})["a"].grant.asks == 5 + 0
