"""A growing sparse table: for each item the terms that describe it, and how often they occur in it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from topicrawl.frontier.columns import Columns
from topicrawl.model import Ints


class Rows:
    """Items by number; 8 bytes an entry."""

    def __init__(self) -> None:
        self._entries = Columns(term=(np.int32, -1), times=(np.int32, 0))
        self._items = Columns(end=(np.int64, 0))

    def __len__(self) -> int:
        return self._items.size

    def append(self, terms: npt.ArrayLike, times: npt.ArrayLike | None = None) -> None:
        """Add an item with these (different) terms, which occur once each unless `times` is given."""
        numbers = np.asarray(terms, np.int32)
        at, row = self._entries.grow(len(numbers)), self._items.grow(1)
        self._entries["term"][at:] = numbers
        self._entries["times"][at:] = 1 if times is None else times
        self._items["end"][row] = self._entries.size

    def fill(self, item: int, terms: npt.ArrayLike) -> None:
        """Give these terms, once each, to an item that has none; all entries after it move."""
        numbers, begin = np.asarray(terms, np.int32), self._span(item).start
        if self._span(item).stop > begin:
            return
        size = self._entries.grow(len(numbers))
        for name, values in (("term", numbers), ("times", np.ones(len(numbers), np.int32))):
            column = self._entries[name]
            column[begin:] = np.concatenate((values, column[begin:size]))
        self._items["end"][item:] += len(numbers)

    def terms(self, item: int) -> Ints:
        """The terms of an item."""
        return self._entries["term"][self._span(item)]

    def times(self, item: int) -> Ints:
        """How often each of its terms occurs in an item."""
        return self._entries["times"][self._span(item)]

    def flat(self, first: int = 0) -> tuple[Ints, Ints, npt.NDArray[np.int64]]:
        """Terms and times of all items from `first` on, one after the other, and where each item begins and ends."""
        bounds = np.concatenate(([0], self._items["end"]))[first:]
        begin = int(bounds[0])
        return self._entries["term"][begin:], self._entries["times"][begin:], bounds - begin

    def _span(self, item: int) -> slice:
        ends = self._items["end"]
        return slice(int(ends[item - 1]) if item else 0, int(ends[item]))
