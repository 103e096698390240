"""Energy landscape paving, original and improved, without randomness."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies.scripted import Scripted, at_page
from topicrawl.frontier import VISITED
from topicrawl.strategies.elp import BOLTZMANN, EnergyLandscapePaving
from topicrawl.strategies.ielp import ImprovedEnergyLandscapePaving as Improved
from value.seen import observed


def test_the_thermal_energy_of_the_paper() -> None:
    assert Improved().temperature * BOLTZMANN == pytest.approx(0.027613, abs=1e-6)


@pytest.mark.parametrize(
    ("change", "penalty", "tried", "probability"),
    [
        (-0.01, 0.0, 0, 0.696179),
        (-0.05, 0.0, 0, 0.163533),
        (-0.10, 0.0, 0, 0.026743),
        (-0.05, 0.01, 0, 0.234900),
        (-0.05, 0.01, 3, 0.079259),
    ],
)
def test_the_probability_of_a_step_down(
    change: float, penalty: float, tried: int, probability: float
) -> None:
    strategy, frontier = at_page(Improved(penalty=penalty), 0.5, [0.5 + change], links=[1])
    assert frontier.columns["histogram"].tolist() == [1, 0]
    frontier.columns["histogram"][1] = tried
    assert strategy.probability(0, 1, frontier) == pytest.approx(probability, abs=1e-6)


def test_a_better_link_is_accepted_without_a_random_draw() -> None:
    strategy, frontier = at_page(Improved(), 0.5, [0.6, 0.9], links=[1])
    choice = strategy.choose(frontier, Scripted())
    assert choice is not None
    assert choice.link == 1, "the link of the page, not the better one of the queue"


@pytest.mark.parametrize(("number", "chosen"), [(0.2, 1), (0.3, 2)])
def test_a_worse_link_is_accepted_by_chance_or_the_head_of_the_queue_comes_next(
    number: float, chosen: int
) -> None:
    strategy, frontier = at_page(Improved(), 0.5, [0.45, 0.9], links=[1])
    choice = strategy.choose(frontier, Scripted(number))
    assert choice is not None
    assert choice.link == chosen


@given(st.floats(0.13, 1), st.floats(0, 1), st.integers(0, 5))
def test_every_step_up_is_accepted(head: float, rise: float, tried: int) -> None:
    link = head + rise + 1e-9
    strategy, frontier = at_page(Improved(), head, [link], links=[1])
    frontier.columns["histogram"][1] = tried
    assert strategy.accepts(0, 1, frontier, Scripted())


def test_the_original_draws_even_for_a_better_link_and_counts_every_trial() -> None:
    strategy, frontier = at_page(EnergyLandscapePaving(), 0.5, [0.45, 0.9], links=[1])
    assert not strategy.accepts(0, 1, frontier, Scripted(0.3))
    assert frontier.columns["histogram"].tolist() == [1, 1, 0]
    frontier.columns["histogram"][1] = 20
    frontier.columns["value"][1] = 0.55
    assert strategy.probability(0, 1, frontier) < 0.01, "paved over, though it is better"


def test_an_accepted_trial_of_the_original_counts_once() -> None:
    """IELP §3.1–3.2: H is the number of times a state was sampled, one for each Monte-Carlo step."""
    strategy, frontier = at_page(EnergyLandscapePaving(), 0.5, [0.45, 0.9], links=[1])
    choice = strategy.choose(frontier, Scripted(0.2))
    assert choice is not None
    assert choice.link == 1
    strategy.observe(observed(frontier, 1, [2]), frontier, Scripted())
    assert frontier.columns["histogram"].tolist() == [1, 1, 0]
    frontier.columns["value"][1:] = (0.5, 0.45)
    expected = math.exp((-0.05 + 0.01) / 0.02761298)  # Ẽ = E − 0.01 H, H = 1 and 0, k_B T of 2·10²¹ K
    assert strategy.probability(1, 2, frontier) == pytest.approx(expected)


def test_the_improved_one_counts_only_what_was_fetched() -> None:
    strategy, frontier = at_page(Improved(), 0.5, [0.45, 0.9], links=[1])
    assert not strategy.accepts(0, 1, frontier, Scripted(0.9))
    assert frontier.columns["histogram"].tolist() == [1, 0, 0]


def test_with_allow_revisit_the_walk_returns_to_a_fetched_page_without_a_fetch() -> None:
    strategy, frontier = at_page(Improved(allow_revisit=True), 0.5, [0.6, 0.7, 0.3], links=[1])
    frontier.settle(1, VISITED)
    frontier.graph.add(1, np.array([2]), 1)
    choice = strategy.choose(frontier, Scripted())
    assert choice is not None
    assert choice.link == 2, "0 → 1, fetched already → 2"
    assert frontier.columns["histogram"].tolist() == [1, 1, 0, 0]


def test_without_allow_revisit_the_walk_does_not_return_to_a_fetched_page() -> None:
    strategy, frontier = at_page(Improved(), 0.5, [0.6, 0.7, 0.9], links=[1])
    frontier.settle(1, VISITED)
    frontier.graph.add(1, np.array([2]), 1)
    choice = strategy.choose(frontier, Scripted())
    assert choice is not None
    assert choice.link == 3, "the best of the queue"


def test_a_walk_in_a_cycle_of_fetched_pages_ends() -> None:
    strategy, frontier = at_page(Improved(allow_revisit=True, penalty=0.0), 0.5, [0.5, 0.3], links=[1])
    frontier.settle(1, VISITED)
    frontier.graph.add(1, np.array([0]), 1)
    frontier.columns["state"][0] = VISITED
    choice = strategy.choose(frontier, Scripted(*[0.0] * 100))
    assert choice is not None
    assert choice.link == 2
    assert frontier.columns["histogram"][:2].sum() == 1 + 50, "the first fetch, then fifty moves"


def test_links_at_the_threshold_are_discarded_by_the_improved_one_only() -> None:
    assert EnergyLandscapePaving().weights.threshold < 0
    strategy, _ = at_page(Improved(link_threshold=0.3), 0.5, [0.4], links=[1])
    assert strategy.weights.threshold == 0.3


def test_after_a_failure_the_walk_stays_at_its_position() -> None:
    from topicrawl.model import Outcome, Visit
    from topicrawl.strategies import Observation

    strategy, frontier = at_page(Improved(), 0.5, [0.6, 0.7, 0.9], links=[1, 2])
    choice = strategy.choose(frontier, random.Random(1))
    assert choice is not None
    first = choice.link
    frontier.settle(first, 4)
    url = frontier.urls[first]
    failed = Visit(2, url, url, 404, False, False, 0.0, 0.6, "h1.test", 1, None, "", 0, "http")
    seen = Observation(
        first, failed, Outcome(url, 404, error="http"), frontier.graph.targets(99).astype("i8")
    )
    strategy.observe(seen, frontier, Scripted())
    choice = strategy.choose(frontier, random.Random(1))
    assert choice is not None
    assert {first, choice.link} == {1, 2}


def test_why_shows_how_often_a_link_was_tried() -> None:
    strategy, frontier = at_page(EnergyLandscapePaving(), 0.5, [0.45], links=[1])
    strategy.accepts(0, 1, frontier, Scripted(0.99))
    strategy.accepts(0, 1, frontier, Scripted(0.99))
    assert strategy.explain(frontier, 1)["tried H"] == 2.0
    assert strategy.explain(frontier, 1).keys() > strategy.valuation.explain(frontier, 1).keys() > set()
