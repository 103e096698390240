"""What people change while a crawl is under way: each change is an event, and replays."""

from __future__ import annotations

import pytest

from crawling.crawled import A, B, Crawled, page
from topicrawl.crawling.core import OUT_OF_SCOPE
from topicrawl.errors import ReplayError
from topicrawl.frontier import OUTSIDE
from topicrawl.frontier.scope import Scope
from topicrawl.model import Accepted, Found, Instruction, Learned, Received, Revisit, Told, Version


@pytest.mark.parametrize("strategy", ["bfs", "ops", "scout", "vsm", "fcits"])
def test_narrowing_the_scope_withdraws_what_waits_and_what_is_in_flight(strategy: str) -> None:
    crawled = Crawled(A, strategy=strategy)
    crawled.step(A + "in/1", A + "out/1", A + "in/2", A + "out/2")
    pending = crawled.ask()
    events = crawled.instruct(Instruction(settings={"exclude": ["/out/", pending]}))
    [told] = [event for event in events if isinstance(event, Told)]
    assert (told.visit.asked, told.visit.error, told.visit.fetched) == (pending, OUT_OF_SCOPE, False)
    expected = {A + "in/1", A + "in/2"} - {pending}
    again = crawled.replayed()
    assert set(crawled.rest()) == set(again.rest()) == expected


@pytest.mark.parametrize("strategy", ["bfs", "ops", "scout", "vsm", "fcits"])
def test_widening_the_scope_admits_links_refused_before_in_the_order_of_the_log(strategy: str) -> None:
    crawled = Crawled(A, strategy=strategy, scope=Scope(exclude=("/out/",)))
    crawled.step(A + "in/1", A + "out/1")
    crawled.step(A + "out/2")
    assert crawled.crawl.waiting == 0
    crawled.instruct(Instruction(settings={"exclude": []}))
    urls = crawled.crawl.frontier.urls
    assert [urls[link] for link in range(len(crawled.crawl.frontier))][-2:] == [A + "out/1", A + "out/2"]
    again = crawled.replayed()
    assert set(crawled.rest()) == set(again.rest()) == {A + "out/1", A + "out/2"}


def test_what_was_withdrawn_waits_again_when_the_scope_admits_it() -> None:
    crawled = Crawled(A)
    crawled.step(A + "x", A + "y")
    crawled.instruct(Instruction(settings={"exclude": ["/x"]}))
    assert (crawled.crawl.frontier.columns["state"] == OUTSIDE).sum() == 1
    crawled.instruct(Instruction(settings={"exclude": []}))
    again = crawled.replayed()
    assert sorted(crawled.rest()) == sorted(again.rest()) == [A + "x", A + "y"]


@pytest.mark.parametrize("strategy", ["bfs", "ops", "scout", "fcits", "fcwseo", "semxdm"])
def test_a_link_withdrawn_in_flight_is_asked_again_when_the_scope_admits_it(strategy: str) -> None:
    crawled = Crawled(A, strategy=strategy)
    crawled.step(A + "x", A + "y")
    pending = crawled.ask()
    crawled.instruct(Instruction(settings={"exclude": [pending]}))
    crawled.instruct(Instruction(settings={"exclude": []}))
    again = crawled.replayed()
    assert set(crawled.rest()) == set(again.rest()) == {A + "x", A + "y"}


def test_a_limit_of_pages_per_host_may_rise_and_fall() -> None:
    crawled = Crawled(A, scope=Scope(max_per_host=1))
    crawled.step(A + "x", A + "y", A + "z")
    assert crawled.crawl.ask() is None
    crawled.instruct(Instruction(settings={"max_per_host": 2}))
    crawled.step()
    assert crawled.crawl.ask() is None
    crawled.instruct(Instruction(settings={"max_per_host": None}))
    again = crawled.replayed()
    assert len(crawled.rest()) == len(again.rest()) == 2


def test_another_threshold_counts_the_relevant_pages_again() -> None:
    crawled = Crawled(A)
    crawled.step(A + "x")
    crawled.step()
    relevance = [visit.relevance for visit in crawled.log.visits()]
    low, high = min(relevance) - 0.01, max(relevance) + 0.01
    for threshold, relevant in ((low, 2), (high, 0), (low, 2)):
        crawled.instruct(Instruction(settings={"threshold": threshold}))
        assert crawled.crawl.tally.relevant == crawled.replayed().crawl.tally.relevant == relevant


@pytest.mark.parametrize("strategy", ["bfs", "ops", "scout", "vsm", "fcits", "fcwseo", "ielp"])
def test_further_seeds_are_fetched(strategy: str) -> None:
    crawled = Crawled(A, strategy=strategy)
    crawled.step()
    crawled.instruct(Instruction(seeds=[B, A]))
    again = crawled.replayed()
    assert crawled.rest() == again.rest() == [B]


@pytest.mark.parametrize("strategy", ["ops", "vsm"])
def test_a_further_seed_that_waits_already_is_asked_first(strategy: str) -> None:
    crawled = Crawled(A, strategy=strategy)
    crawled.step(A + "x", A + "y", A + "z")
    crawled.instruct(Instruction(seeds=[A + "z"]))
    again = crawled.replayed()
    assert crawled.rest()[0] == again.rest()[0] == A + "z"


def test_links_of_further_examples_are_followed() -> None:
    crawled = Crawled(A, strategy="scout")
    crawled.step()
    example = page("http://example.test/", "http://example.test/more").page
    assert example is not None
    crawled.instruct(Instruction(examples=[example]))
    again = crawled.replayed()
    assert crawled.rest() == again.rest() == ["http://example.test/more"]


def test_a_pause_is_part_of_the_log() -> None:
    crawled = Crawled(A)
    crawled.instruct(Instruction(pause=True))
    assert crawled.replayed().crawl.paused
    crawled.instruct(Instruction(pause=False))
    assert not crawled.replayed().crawl.paused


@pytest.mark.parametrize("strategy", ["bfs", "ops", "scout", "fcits"])
def test_links_from_another_shard_are_entered_where_the_log_has_them(strategy: str) -> None:
    crawled = Crawled(A, strategy=strategy, scope=Scope(exclude=("/out/",)))
    crawled.step()
    received = Received("shard-2", [Found(B, 2, "rain", A, 0.5), Found(B + "out/", 1), Found(A, 1)])
    crawled.crawl.receive(received)
    crawled.log.events.append(received)
    again = crawled.replayed()
    assert crawled.rest() == again.rest() == [B]


def test_a_page_fetched_anew_is_a_visit_of_its_own_and_brings_its_new_links() -> None:
    crawled = Crawled(A)
    crawled.step(A + "x")
    crawled.step()
    revisit = Revisit(A, 1_800_000_000.0)
    ask = crawled.crawl.revisit(revisit)
    assert ask is not None
    crawled.log.events.append(revisit)
    crawled.tell(A, page(A, A + "x", A + "new"))
    assert [visit.url for visit in crawled.log.visits()] == [A, A + "x", A]
    assert [visit.n for visit in crawled.log.visits()] == [1, 2, 3]
    again = crawled.replayed()
    assert crawled.rest() == again.rest() == [A + "new"]
    with pytest.raises(ReplayError, match="unknown"):
        crawled.crawl.replay(Revisit("http://never.test/", 0.0))


def test_a_model_fitted_elsewhere_replays() -> None:
    crawled = Crawled(A)
    crawled.log.events.append(Learned("strategy", b"weights"))
    crawled.step()
    crawled.replayed()


def test_accepted_pages_are_logged_and_the_log_decides_which() -> None:
    crawled = Crawled(A, strategy="fcwseo", target_relevance="peek")
    began = Version("1", "fcwseo", 1)
    crawled.crawl.replay(began)
    crawled.log.events.append(began)
    links = [A + str(n) for n in range(4)]
    crawled.step(*links)
    while crawled.crawl.tally.visits < 8 and crawled.crawl.waiting:
        crawled.step(A + "more", A + "most")
    accepted = [event for event in crawled.log.events if isinstance(event, Accepted)]
    peeked = [event.visit.url for event in crawled.log.events if isinstance(event, Told) and event.visit.peek]
    assert accepted
    assert {event.url for event in accepted} <= set(peeked)
    crawled.replayed()
    other = crawled.fresh()
    for event in crawled.log.events:
        if event != accepted[0]:
            other.replay(event)
    assert "would be accepted" in other.agreement.first
    assert other.tally == crawled.crawl.tally, "the visits of the log are repeated all the same"
