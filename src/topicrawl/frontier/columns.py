"""Growing NumPy columns of one common length; the capacity doubles when they are full.

An `Allocator` provides the arrays: in memory, or in memory-mapped files (store/allocator.py), which a crawl of
millions of links needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
FIRST_ROWS = 1024
AT_ONCE = 1 << 16
"""Rows processed at a time, so that temporary arrays stay small however long the columns are."""
COPIED_AT_ONCE = 1 << 20
"""Bytes copied at a time when columns grow."""


class Allocator(Protocol):
    """Provides the arrays of columns."""

    def __call__(self, kinds: Sequence[npt.DTypeLike], rows: int) -> Sequence[Array]:
        """Arrays of `rows` zeros, one for each dtype in `kinds`."""
        ...

    def release_memory(self) -> None:
        """Evict from memory what can be read again; passes over long columns call it, as they need each part once."""
        ...


class InMemory:
    """The allocator of a crawl without a run directory."""

    def __call__(self, kinds: Sequence[npt.DTypeLike], rows: int) -> Sequence[Array]:
        return [np.zeros(rows, kind) for kind in kinds]

    def release_memory(self) -> None:
        """Do nothing: these arrays are only in memory."""


in_memory = InMemory()


def pieces(allocator: Allocator, rows: int, at_once: int = AT_ONCE) -> Iterator[slice]:
    """Slices that cover `rows` rows of columns from `allocator`, in order.

    The memory of each is released before the next; a single one is left in memory.
    """
    for first in range(0, rows, at_once):
        yield slice(first, min(first + at_once, rows))
        if rows > at_once:
            allocator.release_memory()


class Columns(dict[str, Array]):
    """Named arrays of one common length that grows.

    `columns[name]` is the column as a view of exactly `size` rows, valid until the next `grow`. The dictionary holds
    the views that were asked for: a crawl asks for some two hundred a page.

    >>> links = Columns(depth=(np.int16, 0), priority=(np.float64, -1.0))
    >>> links.grow(2)
    0
    >>> links["priority"]
    array([-1., -1.])
    """

    def __init__(self, allocator: Allocator = in_memory, /, **columns: tuple[npt.DTypeLike, float]) -> None:
        self.size = 0
        self._allocator = allocator
        self._columns = columns
        self._full: dict[str, Array] = {}
        self._later: dict[str, Callable[[Array], None]] = {}
        """Columns that are made when they are first used, each with what fills it."""
        self._reallocate(FIRST_ROWS)

    def __missing__(self, name: str) -> Array:
        if name in self._later:
            self._make(name)
        view = self[name] = self._full[name][: self.size]
        return view

    def __hash__(self) -> int:  # type: ignore[override]  # one that is asked for nothing yet is not like another
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __bool__(self) -> bool:
        return True

    def add(self, name: str, dtype: npt.DTypeLike, fill: float) -> None:
        """Add a column, for data of a strategy or measure."""
        self._columns[name] = dtype, fill
        self._full.pop(name, None)
        self._reallocate(self._capacity)

    def grow(self, rows: int) -> int:
        """Append `rows` rows of default values; returns the number of the first."""
        first = self.size
        if not rows:
            return first
        if self._later:
            self._make_all()
        if first + rows > self._capacity:
            self._reallocate(max(2 * self._capacity, first + rows))
        self.size += rows
        self.clear()
        for name, fill in self._fills:
            self._full[name][first : self.size] = fill
        return first

    @property
    def capacity(self) -> int:
        """Rows that there is room for."""
        return self._capacity

    def fills(self) -> dict[str, float]:
        """The default value of each column, by its name."""
        return {name: fill for name, (_, fill) in self._columns.items()}

    def replace(self, columns: Mapping[str, tuple[npt.DTypeLike, float]], size: int, capacity: int) -> None:
        """Have these columns instead, with `size` rows of zeros and room for `capacity`; the caller fills them."""
        self.size = 0
        self._columns, self._full, self._later = dict(columns), {}, {}
        self._reallocate(max(size, capacity))
        self.size = size

    def replace_later(
        self,
        columns: Mapping[str, tuple[npt.DTypeLike, float]],
        size: int,
        capacity: int,
        fill: Mapping[str, Callable[[Array], None]],
    ) -> None:
        """Have these columns instead, as `replace` does; each is made, and filled by `fill`, when it is first used."""
        self.size, self._capacity = size, max(size, capacity)
        self._columns, self._full = dict(columns), {}
        self.clear()
        self._later = dict(fill)
        self._set_fills()

    def _make_all(self) -> None:
        for name in list(self._later):
            self._make(name)

    def _make(self, name: str) -> None:
        (array,) = self._allocator([self._columns[name][0]], self._capacity)
        self._later.pop(name)(array[: self.size])
        self._full[name] = array

    def _reallocate(self, capacity: int) -> None:
        """Copy the columns into new arrays of this capacity; new columns are filled with their defaults."""
        self._make_all()
        arrays = self._allocator([kind for kind, _ in self._columns.values()], capacity)
        for (name, (_, fill)), array in zip(self._columns.items(), arrays, strict=True):
            for some in pieces(self._allocator, self.size, max(1, COPIED_AT_ONCE // array[:1].nbytes)):
                array[some] = self._full[name][some] if name in self._full else fill
            self._full[name] = array
        self._capacity = capacity
        self.clear()
        self._set_fills()

    def _set_fills(self) -> None:
        self._fills = [(name, fill) for name, (_, fill) in self._columns.items() if fill != 0]

    @property
    def nbytes(self) -> int:
        """Bytes held, spare capacity included."""
        return sum(array.nbytes for array in self._full.values())
