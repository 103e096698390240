"""What the figures of a page say together."""

from __future__ import annotations

import numpy as np

from topicrawl.judge.calibration import BOUNDS, alone, by_terms, last

NONE = np.zeros(5)


def test_every_figure_raises_the_odds() -> None:
    rising = np.linspace(-0.9, 0.9, 5)
    for found in (
        alone(rising, NONE, 0.0),
        alone(NONE, rising, 0.0),
        by_terms(rising),
        last(rising, NONE, NONE, 0.0),
        last(NONE, rising, NONE, 0.0),
        last(NONE, NONE, rising, 0.0),
    ):
        assert (np.diff(found) > 0).all()


def test_a_page_of_which_nothing_speaks_is_not_called_relevant() -> None:
    own = alone(NONE, NONE, 1.0)
    assert own[0] < 0
    assert by_terms(NONE)[0] < 0
    assert last(own, NONE, NONE, 0.0)[0] < 0


def test_the_place_is_bounded() -> None:
    """Where examples and other pages hardly differ, it is a number of any size."""
    far = alone(np.array([-1e9, *BOUNDS, 1e9]), np.zeros(4), 0.0)
    assert far[0] == far[1] < far[2] == far[3]


def test_terms_weigh_more_the_fewer_pages_somebody_chose() -> None:
    """One seed says less of a topic than twenty examples; what its words say counts instead."""
    said = [float(alone(NONE, np.full(5, 0.6), share)[0]) for share in (0.0, 0.4, 0.8)]
    assert said == sorted(set(said))
    assert alone(NONE, NONE, 0.0)[0] == alone(NONE, NONE, 0.8)[0]


def test_the_clearer_two_groups_are_the_less_pages_near_a_page_count() -> None:
    own, near = np.full(5, -1.0), np.full(5, 0.4)
    said = [float(last(own, near, near, are_apart)[0]) for are_apart in (0.0, 0.5, 1.0)]
    assert said[0] > said[1] > said[2]
    assert said[2] < 0 < said[0]
