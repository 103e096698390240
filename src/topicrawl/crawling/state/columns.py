"""Long arrays and wide columns, written and read a piece at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

from topicrawl.frontier.columns import Allocator, Array, pieces

AT_ONCE = 1 << 24
"""Bytes of arrays that are read at a time, so that they need not all be in memory."""
WIDE_ROWS = 1 << 13
"""Rows of many cells that are stored together, so that temporary arrays stay small."""


class Arrays(Protocol):
    """Stored arrays, read in the order they were packed."""

    def read(self, into: Array) -> None:
        """Fill the next array."""
        ...

    def skip(self, size: int) -> None:
        """Leave out the next `size` bytes."""
        ...

    def copy(self) -> Arrays:
        """The same place, to read from later."""
        ...


def stored(column: Array, allocator: Allocator) -> Iterator[Array]:
    """A column as arrays to be written."""
    if column.ndim > 1:
        yield from _filled_cells(column, allocator)
    elif len(column):
        yield from (column[some] for some in _long_pieces(column, allocator))


def read_column(column: Array, arrays: Arrays, allocator: Allocator) -> None:
    """Read what `stored` gave."""
    if column.ndim > 1:
        _read_cells(column, arrays, allocator)
        return
    for some in _long_pieces(column, allocator):
        arrays.read(column[some])


def skip_column(kind: np.dtype[Any], rows: int, arrays: Arrays) -> None:
    """Leave out what `stored` gave of a column of `rows` rows of this type."""
    if not kind.shape:
        arrays.skip(rows * kind.itemsize)
        return
    cells, count = kind.itemsize // kind.base.itemsize, np.empty(1, np.int64)
    for first in range(0, rows, WIDE_ROWS):
        arrays.read(count)
        size = min(WIDE_ROWS, rows - first) * cells
        arrays.skip(-(-size // 8) + int(count[0]) * kind.base.itemsize)


def _long_pieces(column: Array, allocator: Allocator) -> Iterator[slice]:
    return pieces(allocator, len(column), max(1, AT_ONCE // column.itemsize))


def _filled_cells(column: Array, allocator: Allocator) -> Iterator[Array]:
    """A column of rows with many cells, few of them filled: how many, which (a bit for each cell), and their values."""
    for rows in pieces(allocator, len(column), WIDE_ROWS):
        filled = column[rows] != 0
        cells = column[rows][filled]
        yield np.array([len(cells)])
        yield np.packbits(filled)
        yield cells


def _read_cells(column: Array, arrays: Arrays, allocator: Allocator) -> None:
    for rows in pieces(allocator, len(column), WIDE_ROWS):
        part = column[rows]
        count, bits = np.empty(1, np.int64), np.empty(-(-part.size // 8), np.uint8)
        arrays.read(count)
        arrays.read(bits)
        cells = np.empty(count[0], column.dtype)
        arrays.read(cells)
        part[np.unpackbits(bits, count=part.size).view(np.bool_).reshape(part.shape)] = cells
