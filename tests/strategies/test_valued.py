"""All strategies with valued links: thresholds, discarded links, seeds, published weights."""

from __future__ import annotations

import numpy as np
import pytest

from contracts.small_web import TOPIC, SmallWeb
from contracts.test_strategies import events, visits
from strategies.scripted import Scripted, at_page
from topicrawl.crawling.core import Crawl
from topicrawl.frontier import ASKED, PEEKED, Frontier
from topicrawl.strategies import Choice
from topicrawl.strategies.fcts import Fcts
from topicrawl.strategies.ops import BestFirst
from topicrawl.strategies.registry import make_strategy, strategy_class, strategy_names
from value.seen import observed

TOPIC_MODELS = {"words", "ontology", "learned", "pages"}


def begun(strategy: BestFirst, links: int) -> Frontier:
    """A crawl that has fetched its seed, link 0, and knows `links` more without values."""
    frontier = Frontier()
    strategy.start(TOPIC, frontier, frontier.add(["http://s.test/"], 0, -1), _NO_CHANCE)
    choice = strategy.choose(frontier, _NO_CHANCE)
    assert choice is not None
    frontier.add([f"http://h{number}.test/" for number in range(links)], depth=1, parent=0)
    return frontier


class _NoChance:
    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"{name} of the generator was used")


_NO_CHANCE: object = _NoChance()


def test_a_link_at_or_below_the_threshold_waits_discarded_until_a_better_page_has_it() -> None:
    strategy = BestFirst(priority="ielp", discarded="never", pr_norm="none")
    frontier = begun(strategy, 2)
    strategy.observe(observed(frontier, 0, [1, 2], [(0, 0, 1)], relevance=0.2), frontier, _NO_CHANCE)
    assert frontier.columns["priority"][1] > 0.12
    assert frontier.columns["priority"][2] == -np.inf
    assert 0 < frontier.columns["value"][2] <= 0.12
    assert frontier.waiting == 2
    strategy.observe(observed(frontier, 1, [2], [(0, 0, 1)], relevance=0.9), frontier, _NO_CHANCE)
    choice = strategy.choose(frontier, _NO_CHANCE)
    assert choice is not None
    assert choice.link == 2


@pytest.mark.parametrize(("discarded", "ends"), [("never", True), ("last", False)])
def test_when_only_discarded_links_wait_the_best_comes_next_or_the_crawl_ends(
    discarded: str, *, ends: bool
) -> None:
    strategy = BestFirst(priority="ielp", discarded=discarded, pr_norm="none")
    frontier = begun(strategy, 2)
    strategy.observe(observed(frontier, 0, [1, 2], relevance=0.2), frontier, _NO_CHANCE)
    frontier.columns["value"][1:] = [0.05, 0.06]
    choice = strategy.choose(frontier, _NO_CHANCE)
    assert (choice is None) == ends
    if choice is not None:
        assert choice.link == 2
        frontier.settle(2, ASKED)
        assert strategy.choose(frontier, _NO_CHANCE) is None, "not while a page is on its way"


def test_seeds_come_first_whatever_they_are_worth() -> None:
    web = SmallWeb()
    for name in ("ops", "ielp", "elp"):
        log = visits(list(events(Crawl(TOPIC, make_strategy(name), web.seeds(1)), web, most=1)))
        assert log[0].priority == 1.0


def test_best_first_by_fcits_values_has_the_threshold_of_the_domain() -> None:
    assert BestFirst(priority="fcits").weights.threshold == 0.15
    assert BestFirst(priority="fcits", domain="tourism").weights.threshold == 0.19
    assert BestFirst(priority="ielp", domain="tourism").weights.threshold == 0.12


@pytest.mark.parametrize("priority", ["simple", "fcwseo", "fcits", "ielp"])
@pytest.mark.parametrize(
    "options", [{}, {"pr_of": "source"}, {"pr_variant": "stochastic"}, {"pr_norm": "none"}]
)
def test_every_way_to_value_links_crawls_and_replays(priority: str, options: dict[str, str]) -> None:
    web = SmallWeb()

    def crawl() -> Crawl:
        return Crawl(
            TOPIC, make_strategy("ops", {"priority": priority, "refresh_every": 50} | options), web.seeds()
        )

    log = list(events(crawl(), web, window=4, shuffle=1))
    assert len(visits(log)) > 250
    again = crawl()
    for event in log:
        again.replay(event)


def test_every_built_in_strategy_declares_its_topic_model() -> None:
    for name in strategy_names():
        assert getattr(strategy_class(name), "topic_model") in TOPIC_MODELS  # noqa: B009


def test_while_a_link_that_the_log_chose_is_on_its_way_no_discarded_link_is_taken() -> None:
    strategy = BestFirst(priority="ielp", pr_norm="none")
    frontier = begun(strategy, 2)
    strategy.observe(observed(frontier, 0, [1, 2], relevance=0.2), frontier, _NO_CHANCE)
    frontier.columns["value"][1:] = [0.05, 0.06]
    strategy.chose(Choice(1), frontier)
    frontier.settle(1, ASKED)
    assert strategy.choose(frontier, _NO_CHANCE) is None
    strategy.observe(observed(frontier, 1), frontier, _NO_CHANCE)
    assert strategy.choose(frontier, _NO_CHANCE) == Choice(2)


@pytest.mark.parametrize(("links", "comes_back"), [(2, 1), (999, 1), (1000, 2), (2000, 3)])
def test_of_discarded_links_the_best_comes_back_and_one_more_for_every_thousand(
    links: int, comes_back: int
) -> None:
    strategy = BestFirst(priority="ielp", pr_norm="none")
    frontier = begun(strategy, links)
    strategy.observe(observed(frontier, 0, [1, 2], relevance=0.2), frontier, _NO_CHANCE)
    frontier.columns["value"][1:] = np.linspace(0.01, 0.02, links)
    assert strategy.choose(frontier, _NO_CHANCE) == Choice(links)
    assert np.flatnonzero(frontier.columns["key"] > -np.inf).tolist() == [
        *range(1 + links - comes_back, 1 + links)
    ]


def test_a_discarded_link_whose_page_was_only_peeked_at_comes_back_too() -> None:
    strategy = BestFirst(priority="ielp", pr_norm="none")
    frontier = begun(strategy, 2)
    strategy.observe(observed(frontier, 0, [1, 2], relevance=0.2), frontier, _NO_CHANCE)
    frontier.columns["value"][1:] = [0.05, 0.06]
    frontier.columns["state"][1:] = PEEKED
    assert strategy.choose(frontier, _NO_CHANCE) == Choice(2)


def test_a_walker_whose_choice_is_not_made_is_idle_again() -> None:
    strategy, frontier = at_page(Fcts(), 0.9, [0.5, 0.4], [1, 2])
    assert strategy.choose(frontier, Scripted()) == Choice(1, 0)
    strategy.chose(Choice(2, 1), frontier)
    assert strategy.walkers.idle() == 0
    assert strategy.choose(frontier, Scripted()) == Choice(1, 0)
