"""Pages that stand in for examples."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.judge.stand_ins import COMPLETED, FEWEST, Pages, stand_ins, stand_ins_like


def pages(
    terms: list[float], chosen: tuple[int, ...] = (), marked: tuple[int, ...] = ()
) -> tuple[Pages, np.ndarray]:
    """Pages of which some were chosen and some marked; and all of them."""
    is_chosen = np.isin(np.arange(len(terms)), chosen)
    return Pages(np.array(terms), is_chosen, lambda page: page not in marked), np.ones(len(terms), np.bool_)


def test_seeds_with_terms_come_first_then_pages_with_most_terms() -> None:
    terms = [0.1, 0.0, 0.9, 0.5, 0.2]
    given, every = pages(terms, chosen=(0, 1))
    assert stand_ins(given, every, 2, has_marks=False) == [0, 2, 3]
    assert stand_ins(given, np.array([True, True, True, False, True]), 2, has_marks=False) == [0, 2, 4]
    assert stand_ins(given, every, FEWEST, has_marks=False) == [0]
    assert stand_ins(given, every, FEWEST, has_marks=True) == []
    given, every = pages(terms, chosen=(0, 1), marked=(2,))
    assert stand_ins(given, every, 2, has_marks=False) == [0, 3, 4]


def in_another(
    known: list[float], terms: list[float], shown: int = 0, chosen: tuple[int, ...] = ()
) -> list[int]:
    """The pages that stand in, of those with `terms`, where pages in a known script have others."""
    given, every = pages([*terms, *known], chosen)
    is_known = np.arange(len(every)) >= len(terms)
    return stand_ins_like(is_known, given, every & ~is_known, shown)


def test_pages_with_at_least_the_mean_terms_of_known_pages_stand_in_most_first() -> None:
    assert in_another([0.6, 0.2, 0.7, 0.0], [0.45, 0.49, 0.5, 0.69, 0.66, 0.0]) == [3, 4, 2]
    assert in_another([0.8, 0.8, 0.8], [0.8, 0.7]) == [0], "a mean of equal numbers may be rounded up"


def test_pages_with_more_terms_than_nearly_all_known_ones_come_last() -> None:
    known = [0.2] * 40 + [0.7] * 40 + [0.9]
    assert in_another(known, [0.85, 0.6, 0.84, 0.69]) == [3, 1, 2, 0]
    stuffed = COMPLETED + 3
    assert in_another(known, [0.95] * stuffed + [0.6] * stuffed) == [*range(stuffed, stuffed + COMPLETED)]


def test_seeds_stand_in_first_however_few_terms_they_have() -> None:
    assert in_another([0.6, 0.6], [0.7, 0.1, 0.0], chosen=(1, 2)) == [1, 0]


@pytest.mark.parametrize(("shown", "completed"), [(0, COMPLETED), (4, COMPLETED - 4), (COMPLETED + 2, 0)])
def test_pages_complete_examples_in_their_script(shown: int, completed: int) -> None:
    assert in_another([0.5], [0.5] * 20, shown) == [*range(completed)]


def test_without_known_pages_those_with_most_terms_stand_in_and_none_without() -> None:
    assert in_another([], [0.2, 0.0, 0.4]) == [2, 0]
    assert in_another([0.0], [0.2, 0.0]) == [0]
    assert in_another([], [0.0]) == in_another([], []) == []


def test_marked_pages_stand_in_for_none() -> None:
    given, every = pages([0.5, 0.6, 0.7], marked=(2,))
    assert stand_ins_like(~every, given, every, 0) == [1, 0]
