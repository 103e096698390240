"""The improved tabu search, step by step, without randomness; and properties of all tabu searches."""

from __future__ import annotations

import random
from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.small_web import TOPIC, SmallWeb
from strategies.its_trace import A, B, C, D, E, S, Z, at_a, chosen, revalue
from strategies.scripted import Scripted, at_page
from topicrawl.crawling.core import Crawl
from topicrawl.frontier import FAILED, VISITED
from topicrawl.strategies import Choice
from topicrawl.strategies.fcits import Fcits
from topicrawl.strategies.fcoits import Fcoits
from topicrawl.strategies.fcts import Fcts
from topicrawl.strategies.registry import make_strategy
from topicrawl.strategies.tabu import TabuList
from value.seen import observed

ALL = ["fcts", "fcits", "fcoits", "on_its", "fcits_oh"]


@pytest.mark.parametrize("seed", range(10))
def test_where_no_link_is_better_the_page_is_tabu_and_its_best_neighbour_comes_next(seed: int) -> None:
    strategy, frontier = at_a(Fcits(), {C: 0.3, D: 0.45, E: 0.25, Z: 0.9})
    assert chosen(strategy, frontier, seed) == B, "of the page where a was found, though z is better"
    assert strategy.tabu.terms == {A: 5}


@pytest.mark.parametrize("seed", range(10))
def test_a_better_link_is_accepted_in_whatever_order_they_are_drawn(seed: int) -> None:
    strategy, frontier = at_a(Fcits(), {C: 0.3, D: 0.55, E: 0.25})
    assert chosen(strategy, frontier, seed) == D
    assert strategy.tabu.terms == {}
    assert strategy.best == D


@pytest.mark.parametrize(("value", "comes"), [(0.7, D), (0.55, B)])
def test_a_tabu_link_is_accepted_only_if_it_is_better_than_the_best_so_far(value: float, comes: int) -> None:
    strategy, frontier = at_a(Fcits(), {S: 0.6, C: 0.3, D: value, E: 0.25})
    strategy.best = S
    strategy.tabu.add(D)
    assert strategy.step(frontier, A, random.Random(1)) == comes
    assert strategy.tabu.terms == ({} if comes == D else {D: 4, A: 5})


@pytest.mark.parametrize("seed", range(5))
def test_while_values_stay_the_same_no_tabu_link_is_better_than_the_best_so_far(seed: int) -> None:
    """A link becomes tabu only after it was Plink, and Hlink is the best Plink: aspiration (§4.5) cannot happen."""
    values = {S: 0.6, A: 0.5, B: 0.7, C: 0.3, D: 0.55, E: 0.25}
    strategy, frontier = at_a(Fcits(), values)
    position, rng = A, random.Random(seed)
    for _ in range(40):
        position = strategy.step(frontier, position, rng)
        strategy.update_best(frontier, position)
        assert strategy.best is not None
        assert not any(strategy.is_better(frontier, link, strategy.best) for link in strategy.tabu.terms)
    assert strategy.tabu.terms


def test_no_more_than_five_links_are_tried() -> None:
    strategy, frontier = at_a(Fcits(tries=1), {C: 0.3, D: 0.55, E: 0.25})
    drawn = {strategy.uphill(frontier, A, random.Random(seed)) for seed in range(30)}
    assert drawn == {D, None}


def test_links_at_the_threshold_are_no_candidates() -> None:
    strategy, frontier = at_a(Fcits(link_threshold=0.4), {C: 0.45, D: 0.4, E: 0.41})
    assert strategy.links_on(frontier, [A]).tolist() == [C, E]
    assert strategy.extended(frontier, A).tolist() == []


def test_the_search_moves_to_a_fetched_page_without_a_fetch() -> None:
    strategy, frontier = at_a(Fcits(), {S: 0.6, Z: 0.9}, on_a=[S])
    assert chosen(strategy, frontier) == Z, "a → S, whose neighbours are worse → the best of the queue"
    assert strategy.tabu.terms == {S: 5}


def test_after_many_moves_the_best_of_the_queue_comes() -> None:
    strategy, frontier = at_a(Fcits(moves=1), {S: 0.6, Z: 0.9}, on_a=[S])
    assert chosen(strategy, frontier) == Z
    assert strategy.tabu.terms == {}, "one move, to S, and no more"


def test_a_neighbour_not_fetched_comes_before_a_better_one_that_was() -> None:
    strategy, frontier = at_a(Fcits(), {}, on_a=[])
    strategy.observe(observed(frontier, Z, [A, D]), frontier, random.Random(1))
    revalue(strategy, frontier, {B: 0.4, D: 0.2})
    frontier.settle(B, VISITED)
    assert strategy.step(frontier, A, random.Random(1)) == D
    frontier.settle(D, VISITED)
    assert strategy.step(frontier, A, random.Random(1)) == B


def test_neighbours_are_those_of_the_latest_ten_pages_that_contain_the_link() -> None:
    strategy, frontier = at_a(Fcits(), {}, on_a=[])
    pages = frontier.add([f"http://p{number}.test/" for number in range(10)], depth=1, parent=S)
    for page in pages.tolist()[:-1]:
        strategy.observe(observed(frontier, page, [A, D]), frontier, random.Random(1))
    revalue(strategy, frontier, {A: 0.5, B: 0.4, D: 0.3})
    assert {*strategy.extended(frontier, A).tolist()} == {B, D}, "S is the first of ten"
    strategy.observe(observed(frontier, int(pages[-1]), [A, D]), frontier, random.Random(1))
    revalue(strategy, frontier, {A: 0.5, B: 0.4, D: 0.3})
    assert {*strategy.extended(frontier, A).tolist()} == {D}, "S is the first of eleven"


@pytest.mark.parametrize(("fails", "comes"), [(True, D), (False, E)])
def test_after_a_failure_the_walk_stays_at_its_position(*, fails: bool, comes: int) -> None:
    strategy, frontier = at_a(Fcits(), {C: 0.6, D: 0.45, E: 0.25})
    assert chosen(strategy, frontier) == C
    seen = observed(frontier, C, [E])
    revalue(strategy, frontier, {D: 0.55, E: 0.7})
    if fails:
        revalue(strategy, frontier, {E: 0.3})
        frontier.settle(C, FAILED)
        seen = replace(seen, visit=msgspec.structs.replace(seen.visit, fetched=False))
    strategy.arrive(seen, frontier)
    assert chosen(strategy, frontier) == comes


def test_each_walker_has_its_own_position_and_the_tabu_list_is_shared() -> None:
    strategy, frontier = at_a(Fcits(), {C: 0.3, D: 0.45, E: 0.25, Z: 0.9})
    first = strategy.choose(frontier, random.Random(1))
    assert first is not None
    frontier.settle(first.link, 2)
    second = strategy.choose(frontier, random.Random(1))
    assert second is not None
    assert (first.walker, second.walker) == (0, 1)
    assert second.link != first.link
    assert strategy.walkers[0].link == first.link
    assert strategy.explain(frontier, A)["tabu for turns"] == 5


def test_the_traditional_search_takes_the_best_link_even_if_it_is_worse() -> None:
    strategy, frontier = at_a(Fcts(), {C: 0.3, D: 0.45, E: 0.25, Z: 0.9})
    assert chosen(strategy, frontier) == D
    assert strategy.tabu.terms[D] == 5


@pytest.mark.parametrize(("value", "comes"), [(0.7, D), (0.55, C)])
def test_the_traditional_search_skips_a_tabu_link_unless_it_is_the_best_so_far(
    value: float, comes: int
) -> None:
    strategy, frontier = at_a(Fcts(), {S: 0.6, C: 0.3, D: value, E: 0.25})
    strategy.best = S
    strategy.tabu.add(D)
    assert strategy.step(frontier, A, random.Random(1)) == comes
    assert strategy.tabu.terms[comes] == 5


def test_the_traditional_search_takes_the_best_of_the_queue_when_a_page_has_no_candidate() -> None:
    strategy, frontier = at_a(Fcts(), {Z: 0.3}, on_a=[])
    assert chosen(strategy, frontier) == B
    assert B in strategy.tabu


@given(st.lists(st.integers(0, 9)), st.integers(1, 7))
def test_terms_lie_between_one_and_the_length(links: list[int], length: int) -> None:
    tabu = TabuList(length)
    for link in links:
        tabu.add(link)
        assert link in tabu
        assert all(1 <= term <= length for term in tabu.terms.values())
        assert len(tabu.terms) <= length
    assert tabu.terms.keys() == set(links[-length:])


@pytest.mark.parametrize("name", ALL)
def test_terms_stay_within_their_length_during_a_crawl(name: str) -> None:
    web, strategy = SmallWeb(), make_strategy(name)
    crawl = Crawl(TOPIC, strategy, web.seeds(), rng_seed=3)
    longest = 0
    while (ask := crawl.ask()) and crawl.tally.visits < 200:
        crawl.tell(ask, web.answer(ask))
        terms = strategy.tabu.terms.values()  # type: ignore[attr-defined]
        assert all(1 <= term <= 5 for term in terms)
        longest = max(longest, len(terms))
    assert longest > 1


def test_a_domain_sets_both_thresholds_unless_they_are_given() -> None:
    def thresholds(**settings: str) -> tuple[float, float]:
        strategy = make_strategy("fcoits", settings)
        assert isinstance(strategy, Fcoits)
        return strategy.page_threshold, strategy.weights.threshold

    assert thresholds() == (0.62, 0.15)
    assert thresholds(domain="tourism") == (0.70, 0.19)
    assert thresholds(domain="rainstorm") == (0.62, 0.15)
    assert thresholds(domain="tourism", link_threshold="0.3") == (0.70, 0.3)
    assert thresholds(domain="tourism", link_threshold="0.15") == (0.70, 0.15), "though that is the default"


def test_each_strategy_has_its_topic_model() -> None:
    models = {name: type(make_strategy(name)).topic_model for name in ALL}  # type: ignore[attr-defined]
    assert models == {
        "fcts": "words",
        "fcits": "words",
        "fcoits": "ontology",
        "on_its": "ontology",
        "fcits_oh": "ontology",
    }


def test_a_walker_goes_where_the_log_says_and_its_own_choice_is_not_tabu() -> None:
    strategy, frontier = at_page(Fcts(), 0.9, [0.5, 0.4], [1, 2])
    own = strategy.choose(frontier, Scripted())
    assert own == Choice(1)
    strategy.chose(Choice(2), frontier)
    assert (strategy.walkers[0].before, strategy.walkers[0].link) == (0, 2)
    assert (1 in strategy.tabu, 2 in strategy.tabu) == (False, True)
    assert strategy.walkers.idle() == 1


def test_the_candidates_of_a_link_that_redirected_are_those_of_the_page_it_led_to() -> None:
    strategy, frontier = at_a(Fcits(), {})
    seen = observed(frontier, Z, [C])
    strategy.arrive(
        replace(seen, visit=msgspec.structs.replace(seen.visit, asked=frontier.urls[B])), frontier
    )
    assert (strategy.page_behind(B), strategy.page_behind(Z), strategy.page_behind(A)) == (Z, Z, A)


def test_of_equally_good_links_the_first_on_the_page_is_taken() -> None:
    strategy, frontier = at_a(Fcts(), {C: 0.3, D: 0.45, E: 0.45, Z: 0.9})
    assert chosen(strategy, frontier) == D
