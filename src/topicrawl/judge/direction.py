"""How the direction of the classifier is fitted (rocchio.py), on rows of the columns that occur.

The direction is the mean of the examples plus the topic's words minus the mean of pages that are probably not relevant.
Where projections of these and of relevant pages lie are its borders.

A page shares hardly a word with pages in other scripts. So examples and pages are in groups, mostly a single one: the
first, and one for each other script of the topic (script_groups.py). Each group has means and borders of its own. With
common ones the fit has several results, and in some all pages of a script are taken for not relevant. The direction is
the sum over groups: where they share no word, it is for each page that of its group.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from topicrawl.floats import dot, median
from topicrawl.frontier import Floats, Ids
from topicrawl.judge.compact_rows import CompactRows
from topicrawl.judge.stand_ins import FEWEST
from topicrawl.text.sparse_rows import SparseRows

KNOWN = 6
"""Pages of a group from which on negatives are learned."""
NEGATIVES = 10
"""Sum of soft negatives from which on their mean has full weight."""
ROUNDS = 3
DEFAULT_LOW = 0.5
"""Projection of pages that are not relevant, relative to the examples', before the crawl has such pages."""
ALONE = 0.3
"""Assumed similarity of two relevant pages, relative to self-similarity, where there is only one example."""

Members = Sequence[npt.NDArray[np.bool_]]
"""For each group: which rows are in it."""


class Borders(NamedTuple):
    """Projections of pages that are not relevant, and of relevant ones; one of each for every group."""

    low: Floats
    high: Floats

    def places(self, similar: Floats, groups: Ids) -> Floats:
        """Where projections of pages of these groups lie: 0 as pages that are not relevant, 1 as the examples."""
        places: Floats = (similar - self.low[groups]) / np.maximum(self.high - self.low, 1e-9)[groups]
        return places

    def place(self, similar: float, group: int) -> float:
        """`places` of a single page, with equal bits."""
        low, high = float(self.low[group]), float(self.high[group])
        return (similar - low) / max(high - low, 1e-9)


class Fitted(NamedTuple):
    """The direction, its borders, and the projections of the pages."""

    direction: Floats
    borders: Borders
    similar: Floats


@dataclass(frozen=True, slots=True)
class Grouped:
    """Rows, and the group of each."""

    rows: SparseRows
    groups: Ids

    def members(self, number: int) -> Members:
        """Which rows are in each of so many groups."""
        return [self.groups == group for group in range(number)]


class Direction:
    """Fits a direction to examples and to the latest pages of a crawl."""

    def __init__(self, examples: Grouped, pages: Grouped, groups: int, space: CompactRows) -> None:
        self._examples, self._pages, self._space = examples.rows, pages.rows, space
        self._of_examples, self._of_pages = examples.members(groups), pages.members(groups)
        sizes = [int(np.count_nonzero(members)) for members in self._of_examples]
        parts = [1.0, *(min(1.0, size / FEWEST) for size in sizes[1:])]
        self.centre = np.zeros(examples.rows.width)
        """The mean of the examples. A small group after the first counts in proportion."""
        for members, size, part in zip(self._of_examples, sizes, parts, strict=True):
            self.centre += part * (examples.rows.combined(members.astype(np.float64)) / max(size, 1))
        self._size, self._part = np.array(sizes)[examples.groups], np.array(parts)[examples.groups]
        """For each example: the size of its group, and what this is multiplied by."""

    def fit(
        self, direction: Floats, assumed: float, strengths: Callable[[Floats, Borders], Floats]
    ) -> Fitted:
        """Take what pages that are not relevant have from `direction`: the mean of the examples and the topic's words.

        `assumed` is the projection of relevant pages where there is no example; `strengths` says how much pages count,
        by their projections.
        """
        to_centre = self._examples.times(self.centre)
        highs = self._to_others(to_centre) + (self._examples.times(direction) - to_centre)
        similar = pulled = self._pages.times(direction)
        high = self._means(highs, assumed)
        borders = Borders(DEFAULT_LOW * high, high)
        if len(self._pages) < KNOWN:
            return Fitted(direction, borders, similar)
        doubt = self._first_doubt(similar, strengths(similar, borders))
        negatives = list[_Negatives]()
        for _ in range(ROUNDS):
            negatives = self._negatives(doubt)
            similar = pulled - sum(each.of_pages for each in negatives)
            high = self._means(highs - sum(each.of_examples for each in negatives), assumed)
            borders = Borders(self._lows(similar, doubt, DEFAULT_LOW * high), high)
            doubt = (1 - strengths(similar, borders)) ** 2
        for each in negatives:
            direction = direction - each.factor * each.total
        return Fitted(direction, borders, similar)

    def _first_doubt(self, similar: Floats, strengths: Floats) -> Floats:
        """How much each page counts as not relevant at first: half of the pages of the first group.

        In other groups, to which the crawl comes by what it has learned, nearly all may be relevant.
        """
        doubt, first = (1 - strengths) ** 2, self._of_pages[0]
        if first.any():
            doubt[first] = similar[first] <= median(similar[first])
        return doubt

    def _negatives(self, doubt: Floats) -> list[_Negatives]:
        """The negatives of each group with enough pages."""
        found = []
        for group, members in enumerate(self._of_pages):
            if np.count_nonzero(members) >= KNOWN:
                mine = doubt * members
                total = self._space.array(f"negatives {group}", np.float64, self._pages.width)
                to_total = self._pages.combined_and_times(mine, total)
                weight = max(float(mine.sum()), 1e-9)
                factor = min(1.0, weight / NEGATIVES) / weight
                to_examples = self._examples.times(total)
                found.append(_Negatives(total, factor, factor * to_total, factor * to_examples))
        return found

    def _lows(self, similar: Floats, doubt: Floats, assumed: Floats) -> Floats:
        """For each group: the mean projection of pages in doubt; where there are few pages, the one assumed."""
        lows = assumed.copy()
        for group, members in enumerate(self._of_pages):
            if np.count_nonzero(members) >= KNOWN:
                mine = doubt[members]
                lows[group] = float(dot(similar[members], mine)) / max(float(mine.sum()), 1e-9)
        return lows

    def _means(self, highs: Floats, assumed: float) -> Floats:
        """For each group: the mean projection of its examples."""
        return np.array(
            [highs[members].mean() if members.any() else assumed for members in self._of_examples]
        )

    def _to_others(self, to_centre: Floats) -> Floats:
        """The projection of each example on the mean of the others of its group."""
        own, size = self._part * self._examples.squares(), self._size
        others: Floats = np.where(size > 1, (size * to_centre - own) / np.maximum(size - 1, 1), ALONE * own)
        return others


class _Negatives(NamedTuple):
    """Pages of a group that are probably not relevant."""

    total: Floats
    """Their sum, each weighed by its doubt."""
    factor: float
    """Makes the sum a mean, and less where they are few."""
    of_pages: Floats
    """The projections of all pages on the product of both, and those of the examples."""
    of_examples: Floats
