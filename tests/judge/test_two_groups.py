"""Two groups of pages by their log odds."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.judge.calibration import FEWEST, GROUPS, ONE, farthest_apart, groups, groups_of_each

LEAST, NARROWEST = GROUPS[:2]

RNG = np.random.default_rng(5)


def group(mean: float, spread: float, number: int) -> np.ndarray:
    return RNG.normal(mean, spread, number)


@pytest.mark.parametrize("relevant", [20, 100, 180])
def test_where_two_groups_are_apart_the_upper_one_is_called_relevant(relevant: int) -> None:
    lower, upper = group(-3, 0.3, 200 - relevant), group(-0.3, 0.4, relevant)
    are_apart, raised = groups(np.append(lower, upper))
    assert are_apart == 1
    assert (upper > 0).mean() < 0.4
    assert (upper + raised > 0).mean() > 0.95
    assert (lower + raised > 0).mean() == 0


@pytest.mark.parametrize(
    "odds",
    [
        group(-1, 1, 200),
        RNG.random(200) * 4 - 3,
        np.append(group(-1.5, 0.7, 150), group(0, 0.7, 50)),
        np.append(group(-1.5, 0.4, 190), group(3, 0.3, 10)),
        np.full(200, -1.0),
        np.append(group(-3, 0.3, FEWEST // 2), group(-0.3, 0.4, FEWEST // 2 - 1)),
    ],
    ids=["one group", "all alike", "groups that overlap", "few far above", "one value", "few pages"],
)
def test_other_pages_keep_their_log_odds(odds: np.ndarray) -> None:
    assert groups(odds) == ONE


def test_the_groups_are_those_farthest_apart() -> None:
    odds = np.sort(np.append(group(-2, 0.4, 30), group(0, 0.6, 50)))
    found = []
    for first in range(1, len(odds)):
        low, high, border = odds[:first], odds[first:], odds[first - 1 : first + 1].mean()
        if min(len(low), len(high)) >= LEAST * len(odds):
            spread = max(low.std(), NARROWEST) + max(high.std(), NARROWEST)
            found.append(((high.mean() - low.mean()) / spread, border))
    apart, border = max(found)
    assert farthest_apart(odds) == pytest.approx((border, apart))


def test_the_pages_of_each_part_are_looked_at_by_themselves() -> None:
    rng = np.random.default_rng(1)
    two = np.append(rng.normal(-4, 0.3, 60), rng.normal(-1, 0.3, 60))
    one = rng.normal(1, 0.3, 80)
    assert groups_of_each(np.append(two, one), np.repeat([0, 1], [120, 80])) == [groups(two), ONE]
    assert groups(two).lift > 0
    assert groups_of_each(np.zeros(0), np.zeros(0, np.int64)) == [ONE]
