"""The largest of a column, by blocks."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from topicrawl.frontier.largest import BLOCK, Largest

CHANGE = st.tuples(
    st.integers(0, 3 * BLOCK), st.lists(st.integers(0, 3 * BLOCK), max_size=4), st.integers(0, 3)
)


@settings(max_examples=60)
@given(st.lists(CHANGE, min_size=1, max_size=8))
def test_the_largest_is_that_of_the_whole_column_after_every_change(
    changes: list[tuple[int, list[int], int]],
) -> None:
    largest, column = Largest(), np.full(1, -np.inf)
    for more, rows, value in changes:
        column = np.append(column, np.full(more % 700, -np.inf))
        inside = np.array([row % len(column) for row in rows], dtype=np.int64)
        column[inside] = value if value else -np.inf
        largest.changed(inside, len(column))
        assert largest.place(column) == int(column.argmax())
