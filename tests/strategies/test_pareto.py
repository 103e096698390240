"""Fronts and samples of them: the published examples, and properties of any links."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.strategies.pareto import (
    SAMPLES,
    Points,
    best,
    crowding,
    dominates,
    front_of,
    least_crowded,
    nearest_and_farthest,
)

TWO = {
    "a": (0.9, 0.1), "b": (0.8, 0.4), "c": (0.5, 0.6), "d": (0.2, 0.9),
    "e": (0.7, 0.3), "f": (0.4, 0.5), "g": (0.3, 0.3), "h": (0.8, 0.4),
}  # fmt: skip
FOUR = {
    "l1": (0.9, 0.2, 0.5, 0.3), "l2": (0.6, 0.6, 0.6, 0.6), "l3": (0.5, 0.6, 0.5, 0.6), "l4": (0.9, 0.2, 0.5, 0.2),
    "l5": (0.1, 0.1, 0.9, 0.1), "l6": (0.4, 0.5, 0.4, 0.5), "l7": (0.0, 0.0, 0.0, 1.0),
}  # fmt: skip
CURVE = np.array([(1, 0), (0.95, 0.1), (0.9, 0.2), (0.62, 0.54), (0.55, 0.6), (0.3, 0.85), (0, 1)])
tied = st.lists(st.tuples(*[st.integers(0, 3)] * 4), min_size=1, max_size=40).map(
    lambda rows: np.array(rows, dtype=np.float64)
)


def names(links: dict[str, tuple[float, ...]]) -> list[set[str]]:
    fronts = front_of(np.array(list(links.values())))
    return [
        {name for name, front in zip(links, fronts, strict=True) if front == number}
        for number in range(fronts.max() + 1)
    ]


def test_links_of_two_objectives_fall_into_three_fronts() -> None:
    assert names(TWO) == [{"a", "b", "c", "d", "h"}, {"e", "f"}, {"g"}]


def test_links_of_four_objectives_fall_into_three_fronts() -> None:
    assert names(FOUR) == [{"l1", "l2", "l5", "l7"}, {"l3", "l4"}, {"l6"}]


def test_no_links_give_no_fronts() -> None:
    assert front_of(np.empty((0, 4))).tolist() == []
    assert best(np.empty((0, 4)), 5, random.Random(1), nearest_and_farthest)[0] == []


@given(tied)
def test_a_link_is_one_front_behind_the_last_of_those_that_dominate_it(points: Points) -> None:
    fronts = front_of(points)
    for row, point in enumerate(points):
        above = [fronts[other] for other in range(len(points)) if dominates(points[other], point)]
        assert fronts[row] == max(above, default=-1) + 1


def test_the_nearest_and_farthest_are_taken_in_the_published_order() -> None:
    assert nearest_and_farthest(CURVE, 5, random.Random(1)) == [0, 6, 4, 5, 2]
    assert nearest_and_farthest(CURVE, 4, random.Random(1)) == [0, 6, 4, 5]


def test_as_few_as_there_are_best_links_are_drawn_among_these() -> None:
    assert set(nearest_and_farthest(CURVE, 2, random.Random(1))) == {0, 6}
    assert {nearest_and_farthest(CURVE, 1, random.Random(seed))[0] for seed in range(20)} == {0, 6}


def test_crowding_takes_another_set() -> None:
    assert crowding(CURVE)[1:-1].tolist() == pytest.approx([0.30, 0.77, 0.75, 0.63, 0.95])
    assert least_crowded(CURVE, 5, random.Random(1)) == [0, 6, 5, 2, 3]


@given(tied, st.integers(1, 45), st.sampled_from(sorted(SAMPLES)))
def test_a_sample_has_the_size_wanted_and_no_row_twice(points: Points, q: int, selection: str) -> None:
    taken = SAMPLES[selection](points, q, random.Random(1))
    assert len(taken) == len(set(taken)) == min(q, len(points))


@given(tied, st.integers(4, 10))
def test_the_best_by_each_objective_are_always_among_the_nearest_and_farthest(points: Points, q: int) -> None:
    taken = nearest_and_farthest(points, q, random.Random(1))
    assert (points[taken].max(axis=0) == points.max(axis=0)).all()


@given(tied, st.integers(1, 45))
def test_whole_fronts_are_taken_in_order_and_only_the_last_is_sampled(points: Points, q: int) -> None:
    taken, fronts = best(points, q, random.Random(1), nearest_and_farthest)
    assert len(taken) == len(set(taken)) == min(q, len(points))
    last = fronts[taken].max()
    assert set(np.flatnonzero(fronts < last)) <= set(taken)


def test_crowding_is_the_gap_between_neighbours_as_a_share_of_the_range() -> None:
    """NSGA-II: the second has (3 − 1) / (5 − 1) by the first objective and (9 − 6) / (9 − 5) by the other."""
    points = np.array([[1.0, 9.0], [2.0, 7.0], [3.0, 6.0], [5.0, 5.0]])
    assert crowding(points).tolist() == [np.inf, 0.5 + 0.75, 0.75 + 0.5, np.inf]
