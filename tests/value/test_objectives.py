"""Four objectives of a link, as FCWSEO measures them."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.frontier import Frontier
from topicrawl.frontier.observation import Marked
from topicrawl.model import Topic
from topicrawl.strategies.fcwseo_links import FCWSEO
from topicrawl.value.objectives import objectives
from topicrawl.value.valuation import Valuation, Weights
from value.seen import observed

TOPIC = Topic("storms", ("rainstorm", "flood"), (1.0, 0.5))


def two_seeds(weights: Weights = FCWSEO) -> tuple[Valuation, Frontier]:
    """Seeds 0 and 1, link 2 on both; the anchor on page 0 is rainstorm."""
    frontier = Frontier()
    seeds = frontier.add(["http://a.test/", "http://b.test/"], depth=0, parent=-1)
    valuation = Valuation(TOPIC, weights)
    valuation.start(frontier, seeds)
    frontier.add(["http://c.test/"], depth=1, parent=0)
    valuation.observe(observed(frontier, 0, [2], [(0, 0, 1)], relevance=0.8), frontier)
    valuation.observe(observed(frontier, 1, [2, 0], relevance=0.4), frontier)
    return valuation, frontier


def test_the_four_objectives_are_target_containing_pages_anchor_and_rank() -> None:
    valuation, frontier = two_seeds()
    valuation.observe(observed(frontier, 2, [], relevance=0.9), frontier)
    target, parents, anchor, rank = objectives(valuation, frontier, np.array([2]))[0]
    assert target == pytest.approx(0.9)
    assert parents == pytest.approx(0.6)
    assert anchor == pytest.approx(1 / np.hypot(1, 0.5))
    assert rank == 1.0


def test_a_seeds_own_page_does_not_contain_it() -> None:
    valuation, frontier = two_seeds()
    points = objectives(valuation, frontier, np.array([0, 1]))
    assert points[:, 0] == pytest.approx([0.8, 0.4])
    assert points[:, 1] == pytest.approx([0.4, 0.0])
    assert points[:, 2].tolist() == [0, 0]


def test_an_objective_without_weight_is_left_out_and_the_order_is_the_callers() -> None:
    valuation, frontier = two_seeds(Weights(parents=1.0, anchor=1.0))
    assert objectives(valuation, frontier, np.array([2])).shape == (1, 2)
    assert objectives(valuation, frontier, np.array([2]), ("anchor", "parents"))[0, 1] == pytest.approx(0.6)


def test_a_seeds_own_page_is_left_out_without_the_objective_of_its_target_too() -> None:
    valuation, frontier = two_seeds(Weights(parents=1.0, anchor=1.0))
    parents = objectives(valuation, frontier, np.array([0, 1]))[:, 0]
    assert parents == pytest.approx([0.4, 0.0])


def test_a_mark_changes_what_is_left_out() -> None:
    valuation, frontier = two_seeds(Weights(parents=1.0, anchor=1.0))
    valuation.mark(Marked(0, None, True, before=0.8, relevance=1.0), frontier)
    assert objectives(valuation, frontier, np.array([0]))[0, 0] == pytest.approx(0.4)
