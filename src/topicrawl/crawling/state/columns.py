"""Long arrays and wide columns, written and read a piece at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from topicrawl.frontier.columns import Allocator, Array, pieces

AT_ONCE = 1 << 24
"""Bytes of a long array that are read at a time, so that they need not all be in memory."""
WIDE_ROWS = 1 << 13
"""Rows of many cells that are stored together, so that temporary arrays stay small."""


def filled_cells(column: Array, allocator: Allocator) -> Iterator[Array]:
    """A column of rows with many cells, few of them filled: how many, which (a bit for each cell), and their values."""
    for rows in pieces(allocator, len(column), WIDE_ROWS):
        filled = column[rows] != 0
        cells = column[rows][filled]
        yield np.array([len(cells)])
        yield np.packbits(filled)
        yield cells


def read_cells(column: Array, allocator: Allocator, read: Callable[[Array], None]) -> None:
    """Read what `filled_cells` wrote."""
    for rows in pieces(allocator, len(column), WIDE_ROWS):
        part = column[rows]
        count, bits = np.empty(1, np.int64), np.empty(-(-part.size // 8), np.uint8)
        read(count)
        read(bits)
        cells = np.empty(count[0], column.dtype)
        read(cells)
        part[np.unpackbits(bits, count=part.size).view(np.bool_).reshape(part.shape)] = cells
