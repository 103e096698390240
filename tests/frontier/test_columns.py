"""Columns that grow."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from topicrawl.frontier.columns import FIRST_ROWS, Array, Columns


def test_rows_keep_their_values_and_new_ones_have_the_default() -> None:
    columns = Columns(mark=(np.float64, -np.inf), count=(np.int32, 0))
    assert columns.grow(2) == 0
    columns["mark"][:], columns["count"][:] = 1.5, 7
    assert columns.grow(2 * FIRST_ROWS) == 2
    assert columns["mark"][:3].tolist() == [1.5, 1.5, -np.inf]
    assert columns["count"][:3].tolist() == [7, 7, 0]
    assert len(columns["mark"]) == columns.size == 2 + 2 * FIRST_ROWS


def test_a_column_added_later_has_the_default_in_every_row() -> None:
    columns = Columns(count=(np.int32, 0))
    columns.grow(3)
    columns["count"][1] = 5
    columns.add("share", np.float32, 0.5)
    assert columns["share"].tolist() == [0.5, 0.5, 0.5]
    columns.grow(1)
    assert columns["share"].tolist() == [0.5] * 4
    assert columns["count"].tolist() == [0, 5, 0, 0]


def test_columns_that_are_made_later_are_filled_when_first_used() -> None:
    made: list[str] = []

    def fill(name: str, value: int) -> Callable[[Array], None]:
        def write(column: Array) -> None:
            made.append(name)
            column[:] = value

        return write

    columns = Columns()
    kinds = {"one": (np.int32, 0.0), "two": (np.int32, -1.0), "three": (np.int32, 7.0)}
    fills = {name: fill(name, number) for number, name in enumerate(kinds, 1)}
    columns.replace_later(kinds, 3, 8, fills)
    assert (columns.size, columns.capacity, made) == (3, 8, [])
    assert columns["two"].tolist() == columns["two"].tolist() == [2, 2, 2]
    columns.grow(0)
    assert made == ["two"]
    columns.grow(1)
    assert sorted(made) == ["one", "three", "two"]
    assert [columns[name].tolist() for name in kinds] == [[1, 1, 1, 0], [2, 2, 2, -1], [3, 3, 3, 7]]


def test_columns_that_were_not_read_yet_are_columns_all_the_same() -> None:
    one, other = Columns(count=(np.int32, 0)), Columns(count=(np.int32, 0))
    assert one
    assert one != other
    assert len({one, other}) == 2
