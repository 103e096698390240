"""Growing NumPy columns: one row a thing, room for as many again when full.

Where the arrays lie is not decided here: a `Room` hands them out, from memory or from files mapped into it
(store/allocator.py), which a crawl of millions of links needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
FIRST_ROWS = 1024
AT_ONCE = 1 << 16
"""Rows of columns of any length that are worked on at a time: they and what is made of them need little memory."""


class Room(Protocol):
    """Where columns lie."""

    def __call__(self, kinds: Sequence[npt.DTypeLike], rows: int) -> Sequence[Array]:
        """Arrays of zeros, one for each kind of number, all with so many rows."""
        ...

    def release_memory(self) -> None:
        """Take from memory what can be had back: somebody goes through long columns, and needs each part once."""
        ...


class Memory:
    """The room of a crawl that keeps nothing on disk."""

    def __call__(self, kinds: Sequence[npt.DTypeLike], rows: int) -> Sequence[Array]:
        return [np.zeros(rows, kind) for kind in kinds]

    def release_memory(self) -> None:
        """Nothing can be had back."""


memory = Memory()


def pieces(room: Room, rows: int, at_once: int = AT_ONCE) -> Iterator[slice]:
    """So many rows from the first to the last, some at a time, of columns that lie in `room`; each is given back."""
    for first in range(0, rows, at_once):
        yield slice(first, min(first + at_once, rows))
        room.release_memory()


class Columns:
    """Named arrays of one common length that grows.

    >>> links = Columns(depth=(np.int16, 0), priority=(np.float64, -1.0))
    >>> links.grow(2)
    0
    >>> links["priority"]
    array([-1., -1.])
    """

    def __init__(self, room: Room = memory, /, **columns: tuple[npt.DTypeLike, float]) -> None:
        self.size = 0
        self._room = room
        self._columns = columns
        self._full: dict[str, Array] = {}
        self._views: dict[str, Array] = {}
        self._lay(FIRST_ROWS)

    def __getitem__(self, name: str) -> Array:
        """The column as a view of exactly `size` rows; valid until the next `grow`."""
        view = self._views.get(name)
        if view is None:
            view = self._views[name] = self._full[name][: self.size]
        return view

    def add(self, name: str, dtype: npt.DTypeLike, fill: float) -> None:
        """A further column, for a strategy that measures something of its own."""
        self._columns[name] = dtype, fill
        self._full.pop(name, None)
        self._lay(self._capacity)

    def grow(self, rows: int) -> int:
        """Append `rows` rows of default values; returns the number of the first."""
        first = self.size
        if first + rows > self._capacity:
            self._lay(max(2 * self._capacity, first + rows))
        self.size += rows
        self._views = {}
        for name, fill in self._fills:
            self._full[name][first : self.size] = fill
        return first

    def _lay(self, capacity: int) -> None:
        """Move to another place; columns that have none yet begin with their default values."""
        arrays = self._room([kind for kind, _ in self._columns.values()], capacity)
        for (name, (_, fill)), array in zip(self._columns.items(), arrays, strict=True):
            for some in pieces(self._room, self.size):
                array[some] = self._full[name][some] if name in self._full else fill
            self._full[name] = array
        self._capacity = capacity
        self._views = {}
        self._fills = [(name, fill) for name, (_, fill) in self._columns.items() if fill != 0]

    @property
    def nbytes(self) -> int:
        """Bytes held, spare capacity included."""
        return sum(array.nbytes for array in self._full.values())
