"""Growing NumPy columns: one row a thing, half as many again when full."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class Columns:
    """Named arrays of one common length that grows.

    >>> links = Columns(depth=(np.int16, 0), priority=(np.float64, -1.0))
    >>> links.grow(2)
    0
    >>> links["priority"]
    array([-1., -1.])
    """

    def __init__(self, **columns: tuple[npt.DTypeLike, float]) -> None:
        self.size = 0
        self._capacity = 1024
        self._fill = {name: fill for name, (_, fill) in columns.items()}
        self._full: dict[str, Array] = {
            name: np.full(self._capacity, fill, dtype) for name, (dtype, fill) in columns.items()
        }
        self._views: dict[str, Array] = {name: array[:0] for name, array in self._full.items()}

    def __getitem__(self, name: str) -> Array:
        """The column as a view of exactly `size` rows; valid until the next `grow`."""
        return self._views[name]

    def add(self, name: str, dtype: npt.DTypeLike, fill: float) -> None:
        """A further column, for a strategy that measures something of its own."""
        self._fill[name] = fill
        self._full[name] = np.full(self._capacity, fill, dtype)
        self._views[name] = self._full[name][: self.size]

    def grow(self, rows: int) -> int:
        """Append `rows` rows of default values; returns the number of the first."""
        first = self.size
        self.size += rows
        if self.size > self._capacity:
            self._capacity = max(self._capacity * 3 // 2, self.size)
            for name, old in self._full.items():
                self._full[name] = np.full(self._capacity, self._fill[name], old.dtype)
                self._full[name][:first] = old[:first]
        self._views = {name: array[: self.size] for name, array in self._full.items()}
        return first

    @property
    def nbytes(self) -> int:
        """Bytes held, spare capacity included."""
        return sum(array.nbytes for array in self._full.values())
