"""Co-occurrence counts of terms, from which labels, hierarchy and rules are derived.

c(x, y) is the number of items that both terms describe, df(x) = c(x, x). Only watched rows (those of labels) are kept
and updated with every item; a newly watched row is counted once from all items.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from topicrawl.floats import log_counts
from topicrawl.frontier.columns import Columns
from topicrawl.knowledge.sparse_rows import Rows
from topicrawl.model import Ints

Floats = npt.NDArray[np.float64]
STEPS = 1000
"""Weights are summed as integers, in thousandths, so that sums do not depend on the order of additions and removals."""


class Cooccurrence:
    """Counts over the items of `rows`; with a `window` only the last so many of them count."""

    def __init__(self, rows: Rows, window: int | None = None) -> None:
        self._items = rows
        self._window = window
        self._first = self._next = 0
        self._terms = Columns(
            df=(np.int32, 0), mass=(np.int64, 0), said=(np.int64, 0), touched=(np.bool_, False)
        )
        self._kept: dict[int, Ints] = {}

    def catch_up(self) -> None:
        """Count the items added since the last call, and remove those that left the window."""
        if not self._kept:
            self._count_all(self._next)
        else:
            for item in range(self._next, len(self._items)):
                self._count(item, +1)
        self._next = len(self._items)
        first = max(self._first, self._next - self._window) if self._window else self._first
        for item in range(self._first, first):
            self._count(item, -1)
        self._first = first

    @property
    def items(self) -> int:
        """Items that count."""
        return self._next - self._first

    @property
    def df(self) -> Ints:
        """Items that each term describes."""
        return self._terms["df"]

    @property
    def mass(self) -> Floats:
        """The summed tf of each term over the items it describes."""
        return self._terms["mass"] / STEPS

    @property
    def said(self) -> npt.NDArray[np.int64]:
        """How often the items that each term describes say it."""
        times: npt.NDArray[np.int64] = self._terms["said"]
        return times

    def row(self, term: int) -> Ints:
        """c(term, ·) for all terms."""
        if term in self._kept:
            return self._kept_row(term)[: self._terms.size]
        terms, _, bounds = self._items.flat(self._first)
        terms = terms[: bounds[self.items]]
        holders = np.searchsorted(bounds, np.flatnonzero(terms == term), side="right") - 1
        spans = [terms[bounds[item] : bounds[item + 1]] for item in holders.tolist()]
        together = np.concatenate(spans) if spans else terms[:0]
        return np.bincount(together, minlength=self._terms.size).astype(np.int32)

    def watch(self, terms: Iterable[int]) -> None:
        """Keep exactly the rows of these terms updated."""
        kept = self._kept
        self._kept = {term: kept[term] if term in kept else self.row(term) for term in terms}

    def proportion(self, x: int, given: npt.ArrayLike) -> Floats:
        """P(x | y) = c(x, y) / df(y) for each y of `given`; 0 where df(y) = 0."""
        y = np.asarray(given, np.int64)
        df = self.df[y]
        share: Floats = np.divide(self.row(x)[y], df, out=np.zeros(len(y)), where=df > 0)
        return share

    def touched(self) -> Ints:
        """The terms whose counts have changed since the last call."""
        changed = np.flatnonzero(self._terms["touched"]).astype(np.int32)
        self._terms["touched"][changed] = False
        return changed

    def _count_all(self, first: int) -> None:
        """Count all items from `first` on at once; only while no row is watched."""
        terms, times, _ = self._items.flat(first)
        self._grow(terms)
        self._terms["df"][:] += np.bincount(terms, minlength=self._terms.size).astype(np.int32)
        np.add.at(self._terms["mass"], terms, _mass(times))
        np.add.at(self._terms["said"], terms, times)
        self._terms["touched"][terms] = True

    def _count(self, item: int, sign: int) -> None:
        terms, times = self._items.terms(item), self._items.times(item)
        self._grow(terms)
        self._terms["df"][terms] += sign
        self._terms["mass"][terms] += sign * _mass(times)
        self._terms["said"][terms] += sign * times
        self._terms["touched"][terms] = True
        for term in terms.tolist():
            if term in self._kept:
                self._kept_row(term)[terms] += sign

    def _grow(self, terms: Ints) -> None:
        if len(terms) and (missing := int(terms.max()) + 1 - self._terms.size) > 0:
            self._terms.grow(missing)

    def _kept_row(self, term: int) -> Ints:
        """The kept row of a term, long enough for all terms there are."""
        row, size = self._kept[term], self._terms.size
        if len(row) < size:
            self._kept[term] = row = np.concatenate((row, np.zeros(size + size // 2 - len(row), np.int32)))
        return row


def _mass(times: Ints) -> npt.NDArray[np.int64]:
    """The tf of terms that occur `times` times in an item, in thousandths."""
    steps: npt.NDArray[np.int64] = np.rint(STEPS * (1 + log_counts(times))).astype(np.int64)
    return steps
