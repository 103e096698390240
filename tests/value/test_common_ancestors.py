"""Similarities of native code equal those of Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.topic.wordnet.taxonomy import Rows
from topicrawl.value.common_ancestors import CommonAncestors

native = pytest.importorskip("topicrawl._native", reason="built without native code")

NODES, TERMS = 6, 4
NODE_LISTS = st.lists(st.lists(st.integers(0, NODES - 1), max_size=4), min_size=NODES, max_size=NODES)
TOLD = st.floats(0.125, 30.0, width=32)


@st.composite
def tables(draw: st.DrawFn) -> tuple[Any, ...]:
    """Any ancestors and any terms below nodes, with their information content."""
    ancestors = Rows.of(draw(NODE_LISTS))
    below = draw(st.lists(st.lists(st.integers(0, TERMS - 1), max_size=4), min_size=NODES, max_size=NODES))
    cells = Rows.of(below)
    told = np.array(draw(st.lists(TOLD, min_size=NODES, max_size=NODES)), dtype=np.float32)
    sizes = st.lists(TOLD, min_size=len(cells.values), max_size=len(cells.values))
    least = np.array(draw(sizes), dtype=np.float32)
    return ancestors.starts, ancestors.values, told, cells.starts, cells.values, least, TERMS


def compared(ancestors: Any, senses: list[list[int]]) -> npt.NDArray[np.float32]:
    rows, alike = Rows.of(senses), np.zeros((len(senses), TERMS), dtype=np.float32)
    alike[:, 1] = 0.5
    ancestors.compare(rows.starts, rows.values, alike)
    return alike


@given(tables(), st.lists(st.lists(st.integers(0, NODES - 1), max_size=4), max_size=5))
def test_native_and_python_similarities_are_equal(made: tuple[Any, ...], senses: list[list[int]]) -> None:
    ours, theirs = native.CommonAncestors(*made), CommonAncestors(*made)
    expected = compared(theirs, senses)
    for _ in range(2):
        assert compared(ours, senses).tobytes() == expected.tobytes(), "nothing is left of the words before"


def chain() -> list[Any]:
    """One node above another, one term below each."""
    ints, floats = np.int32, np.float32
    return [
        np.array([0, 1, 3], ints),
        np.array([0, 0, 1], ints),
        np.array([1, 2], floats),
        np.array([0, 1, 2], ints),
        np.array([0, 1], ints),
        np.array([2, 2], floats),
        2,
    ]


@pytest.mark.parametrize(
    ("table", "values"),
    [
        (0, [0, 1]),
        (0, [0, 1, 4]),
        (0, [0, 4, 3]),
        (0, [-1, 1, 3]),
        (1, [0, 0, 2]),
        (1, [0, -1, 1]),
        (2, [1]),
        (3, [0, 1, 3]),
        (3, [0, 2, 1]),
        (4, [0, 2]),
        (4, [-1, 1]),
        (5, [2]),
    ],
)
def test_tables_with_indexes_out_of_range_are_refused(table: int, values: list[int]) -> None:
    made = chain()
    made[table] = np.array(values, dtype=made[table].dtype)
    with pytest.raises(ValueError, match="tables"):
        native.CommonAncestors(*made)


@pytest.mark.parametrize(
    ("starts", "senses", "size"),
    [([0, 1], [2], 2), ([0, 1], [-1], 2), ([0, 2], [0], 2), ([1, 0], [0], 2), ([0, 1], [0], 1), ([], [], 0)],
)
def test_senses_out_of_range_are_refused(starts: list[int], senses: list[int], size: int) -> None:
    ancestors = native.CommonAncestors(*chain())
    with pytest.raises(ValueError, match="senses"):
        ancestors.compare(
            np.array(starts, dtype=np.int32),
            np.array(senses, dtype=np.int32),
            np.zeros(size, dtype=np.float32),
        )


def test_of_the_senses_of_a_word_the_most_similar_counts() -> None:
    ancestors = native.CommonAncestors(*chain())
    alike = np.zeros((1, 2), dtype=np.float32)
    ancestors.compare(np.array([0, 2], dtype=np.int32), np.array([1, 0], dtype=np.int32), alike)
    assert alike.tolist() == [[pytest.approx(2 * 1 / (1 + 2)), 2 * 2 / (2 + 2)]]
