"""The latest pages of a crawl, to compare a page with all of them. Native code has the same class, with equal results.

Native code finds pages by column: a page has few of all columns, so few cells are read; and pages come and go without
that all others are read.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from topicrawl.floats import nth_largest
from topicrawl.frontier import Floats
from topicrawl.judge.page_vectors import FIELDS
from topicrawl.model import Ints

MOST_COUNT = 65_535
"""Larger counts are as this one: native code keeps 16 bits of each."""


class Postings:
    """Pages as columns and counts (page_vectors.py), in the order added."""

    def __init__(self) -> None:
        self._pages: deque[tuple[Ints, Ints]] = deque()

    def append(self, columns: Ints, counts: Ints) -> None:
        """Add a page."""
        self._pages.append((columns, np.minimum(counts, MOST_COUNT)))

    def drop(self, columns: Ints) -> None:
        """Remove the oldest page, which has these columns."""
        if not self._pages or not np.array_equal(self._pages[0][0], columns):
            raise ValueError("the oldest page has other columns")
        self._pages.popleft()

    def add_products(
        self,
        columns: Ints,
        counts: Ints,
        own: Floats,
        amounts: Floats,
        idf: Floats,
        scales: Floats,
        sums: Floats,
    ) -> None:
        """Add to `sums`, for each page, its dot product with one page, in the order of columns.

        The weight of a token is amounts[count] · idf[token] · scale of its field; `own` are the scales of the one page.
        """
        weights = np.zeros(1 + max(int(each.max(initial=0)) for each, _ in [(columns, counts), *self._pages]))
        weights[columns] = _weights(columns, counts, amounts, idf, own)
        for row, (others, times) in enumerate(self._pages):
            products = weights[others] * _weights(others, times, amounts, idf, scales[row])
            sums[row] += np.bincount(np.zeros(len(products), np.int64), products, 1)[0]  # one after the other


def keep_largest(values: Floats, number: int) -> None:
    """Set those values to 0 that are below the one with this number in descending order."""
    values[values < nth_largest(values, number)] = 0.0


def _weights(columns: Ints, counts: Ints, amounts: Floats, idf: Floats, scales: Floats) -> Floats:
    weights: Floats = amounts[counts] * idf.take(columns // FIELDS, mode="clip") * scales[columns % FIELDS]
    return weights
