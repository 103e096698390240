"""The largest of a long column that changes in few places: the largest of each block is kept.

A crawl of 100,000 pages knows millions of links; to read the keys of all of them for each choice would take longer than
all else.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from topicrawl.floats import Floats
from topicrawl.frontier.priorities import BITS, BLOCK

try:
    from topicrawl._native import largest_place
except ImportError:  # the same in Python, several times slower
    from topicrawl.frontier.priorities import largest_place


class Largest:
    """The largest of each block of a column, computed anew where the column has changed."""

    def __init__(self) -> None:
        self._largest: Floats = np.zeros(0)
        self._is_stale: npt.NDArray[np.bool_] = np.zeros(0, np.bool_)

    def changed(self, rows: npt.NDArray[np.integer] | int, size: int) -> None:
        """These rows of the column have changed, which has `size` rows now."""
        self.stale(size)[rows >> BITS] = True

    def stale(self, size: int) -> npt.NDArray[np.bool_]:
        """Which blocks of the column, of `size` rows now, have changed; to be set by whoever changes them."""
        self._grow(size)
        return self._is_stale

    def place(self, column: Floats) -> int:
        """The row of the largest value, the first among equals; the column has at least one."""
        self._grow(len(column))
        return largest_place(column, self._largest, self._is_stale)

    def _grow(self, size: int) -> None:
        """Have a block for every row; rows that were added are −inf until they are said to have changed."""
        blocks = -(-size // BLOCK)
        if blocks > len(self._is_stale):
            more = max(blocks, 2 * len(self._is_stale)) - len(self._is_stale)
            self._largest = np.append(self._largest, np.full(more, -np.inf))
            self._is_stale = np.append(self._is_stale, np.zeros(more, np.bool_))
