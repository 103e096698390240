"""The fit of the classifier's direction: groups of pages without common words do not disturb each other."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.frontier import Floats, Ids
from topicrawl.judge.compact_rows import CompactRows
from topicrawl.judge.direction import KNOWN, Borders, Direction, Fitted, Grouped
from topicrawl.judge.rocchio import STEEPNESS, logistic
from topicrawl.judge.stand_ins import FEWEST
from topicrawl.text.sparse_rows import SparseRows

COLUMNS = 12
"""Of each group: pages that are relevant have more of the first half."""


def rows(rng: np.random.Generator, relevant: list[bool], group: int) -> Floats:
    """Dense rows of length 1 in the columns of a group."""
    found = np.zeros((len(relevant), 2 * COLUMNS))
    mine = rng.random((len(relevant), COLUMNS))
    half = np.arange(COLUMNS) < COLUMNS // 2
    mine *= np.where(half == np.array(relevant)[:, None], 1.0, 0.15)
    found[:, group * COLUMNS : (group + 1) * COLUMNS] = mine / np.linalg.norm(mine, axis=1, keepdims=True)
    return found


def sparse(dense: Floats) -> SparseRows:
    row, column = np.nonzero(dense)
    ends = np.append(0, np.cumsum(np.bincount(row, minlength=len(dense))))
    return SparseRows(dense[row, column], column.astype(np.int32), ends, dense.shape[1])


def fit(examples: list[Floats], pages: list[Floats]) -> tuple[Fitted, Ids]:
    """Fit to the rows of each group; also returns the group of each page."""
    of_examples, of_pages = (np.repeat(np.arange(len(each)), [*map(len, each)]) for each in (examples, pages))
    shown = Grouped(sparse(np.concatenate(examples)), of_examples)
    seen = Grouped(sparse(np.concatenate(pages)), of_pages)
    fitting = Direction(shown, seen, len(examples), CompactRows())

    def strengths(similar: Floats, borders: Borders) -> Floats:
        return logistic(STEEPNESS * (borders.places(similar, of_pages) - 0.5))

    return fitting.fit(fitting.centre.copy(), 1.0, strengths), of_pages


def both(sizes: tuple[int, int], examples: int = FEWEST) -> tuple[list[Floats], list[Floats], list[bool]]:
    rng, truth = np.random.default_rng(3), [[n % 3 != 2 for n in range(size)] for size in sizes]
    shown = [rows(rng, [True] * FEWEST, 0), rows(rng, [True] * examples, 1)]
    return shown, [rows(rng, each, group) for group, each in enumerate(truth)], [*truth[0], *truth[1]]


def test_one_group_is_fitted_the_same_whatever_another_has() -> None:
    examples, pages, _ = both((30, 24))
    (alone, _), (together, _) = fit(examples[:1], pages[:1]), fit(examples, pages)
    for one, other in zip(alone.borders, together.borders, strict=True):
        assert other[0] == pytest.approx(one[0])
    assert together.similar[:30] == pytest.approx(alone.similar)
    assert together.direction[:COLUMNS] == pytest.approx(alone.direction[:COLUMNS])
    assert not alone.direction[COLUMNS:].any()


@pytest.mark.parametrize("sizes", [(30, 24), (200, 9), (9, 200)])
def test_every_group_has_borders_between_its_relevant_pages_and_others(sizes: tuple[int, int]) -> None:
    examples, pages, relevant = both(sizes)
    fitted, groups = fit(examples, pages)
    places = fitted.borders.places(fitted.similar, groups)
    assert ((places > 0.5) == np.array(relevant)).all()
    single = [
        fitted.borders.place(*each) for each in zip(fitted.similar.tolist(), groups.tolist(), strict=True)
    ]
    assert single == places.tolist()


def test_a_group_of_few_pages_has_no_negatives_yet() -> None:
    examples, pages, _ = both((30, KNOWN - 1))
    fitted, _ = fit(examples, pages)
    low, high = fitted.borders
    assert low[1] == high[1] / 2
    assert (fitted.direction[COLUMNS:] >= 0).all()
    assert (fitted.direction[:COLUMNS] < 0).any()


def test_a_small_group_after_the_first_counts_in_proportion() -> None:
    lengths = []
    for size in (1, FEWEST, 2 * FEWEST):
        examples, pages, _ = both((30, KNOWN - 1), examples=size)
        fitted, _ = fit(examples, pages)
        lengths.append(np.linalg.norm(fitted.direction[COLUMNS:]))
    assert lengths[0] == pytest.approx(1 / FEWEST)
    assert lengths[0] < lengths[1] == pytest.approx(lengths[2], rel=0.1)


def test_where_there_is_no_example_the_projection_of_relevant_pages_is_assumed() -> None:
    fitted, _ = fit([np.zeros((0, 2 * COLUMNS))], [rows(np.random.default_rng(1), [True] * 3, 0)])
    assert fitted.borders.high.tolist() == [1.0]
