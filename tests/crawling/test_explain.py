"""How a link's value came about, told from its log."""

from __future__ import annotations

import io
import math

import pytest
from rich.console import Console

from contracts.small_web import TOPIC, SmallWeb
from contracts.test_strategies import events
from topicrawl.cli.tables import show_changes
from topicrawl.crawling.core import Crawl
from topicrawl.crawling.explain import Change, Why, why
from topicrawl.frontier.scope import Scope
from topicrawl.model import Ask
from topicrawl.strategies.registry import make_strategy


def story(name: str, settings: dict[str, str], link: int) -> Why:
    """The life of link number `link` in the first 60 visits of a crawl."""
    web = SmallWeb()

    def crawl() -> Crawl:
        return Crawl(TOPIC, make_strategy(name, settings), web.seeds(), rng_seed=7)

    first = crawl()
    log = list(events(first, web, most=60))
    return why(crawl(), log, first.frontier.urls[link])


@pytest.mark.parametrize(("name", "symbol"), [("fcsa", "E(l)"), ("ielp", "E(link_i)"), ("elp", "E(link_i)")])
def test_the_priority_of_a_waiting_link_is_the_papers_sum(name: str, symbol: str) -> None:
    told = story(name, {}, 3)
    assert told.history
    for change in told.history:
        if math.isfinite(change.priority):
            assert change.factors[symbol] == pytest.approx(change.priority)


def test_factors_are_told_each_time_they_change() -> None:
    stories = [story("ops", {"priority": "fcits"}, link) for link in range(3, 40)]
    longest = max(stories, key=lambda told: len(told.history))
    assert len(longest.history) > 1
    for before, after in zip(longest.history, longest.history[1:], strict=False):
        assert before.factors != after.factors
        assert before.visit < after.visit


def test_a_discarded_link_is_shown_as_such() -> None:
    out = io.StringIO()
    history = [
        Change(1, "http://a.test/", -math.inf, {"P(l)": 0.1}),
        Change(2, "http://b.test/", 0.3, {"P(l)": 0.3}),
    ]
    show_changes(Why("http://c.test/", history=history), Console(file=out, width=120))
    assert "discarded" in out.getvalue()
    assert "P(l)" in out.getvalue()
    assert "0.3000" in out.getvalue()


def test_a_strategy_that_keeps_account_of_fetched_links_says_what_became_of_them() -> None:
    stories = [story("fcwseo", {"bank_size": "3"}, link) for link in range(3, 30)]
    fates = [told.fate for told in stories if told.fate]
    assert fates
    assert any("nearest seed" in fate[1] and ("won" in fate[1] or "lost" in fate[1]) for fate in fates)
    assert all(told.state == "visited" for told in stories if told.fate)
    assert not any(story("ops", {}, link).fate for link in range(3, 6))


def test_factors_that_drift_without_changing_the_priority_are_no_news() -> None:
    for link in range(3, 20):
        told = story("fcsa", {}, link)
        pages = set(told.found_on)
        for before, after in zip(told.history, told.history[1:], strict=False):
            assert after.priority != before.priority or after.page in pages


def test_it_says_where_a_link_comes_from_that_is_on_no_page() -> None:
    web = SmallWeb()
    crawl = Crawl(TOPIC, make_strategy("bfs", {}), web.seeds(), rng_seed=7)
    log = list(events(crawl, web, most=20))
    again = Crawl(TOPIC, make_strategy("bfs", {}), ["http://never.test/"], rng_seed=7)
    assert why(again, [], "http://never.test/").origin == "no page: it is a seed"
    assert not why(again, [], "http://never.test/").asked
    never = why(again, [], "http://other.test/")
    assert (never.origin, never.state, never.asked) == ("no page of this run", "unknown", False)
    assert why(crawl, [], "http://other.test/").origin.endswith("as far as its newest snapshot tells")
    first = next(event for event in log if isinstance(event, Ask))
    assert why(crawl, [], first.url).state == "visited"


def test_a_link_whose_host_gave_all_its_pages_is_told_from_one_whose_host_is_busy() -> None:
    web = SmallWeb(hosts=2, fails=0.0)

    def refusals(scope: Scope, visits: int) -> set[str | None]:
        crawl = Crawl(TOPIC, make_strategy("bfs", {}), web.seeds(), scope=scope, rng_seed=7, ahead=2)
        list(events(crawl, web, most=visits))
        while crawl.ask():
            pass  # until each host has links enough that were asked
        return {why(crawl, [], url).refusal for url in crawl.frontier.urls if why(crawl, [], url).rank}

    assert refusals(Scope(), 5) == {None}
    assert refusals(Scope(max_per_host=4), 20) == {"its host has given 4 pages, as many as it may"}
