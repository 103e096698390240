"""The relevance of the pages of a crawl that are most similar to a new page, while the crawl is under way.

Only the latest pages are compared, because this is done for every page; at the end nearest.py compares with more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from topicrawl.floats import dot, nth_largest
from topicrawl.frontier import Floats
from topicrawl.value.nearest import NUMBER
from topicrawl.value.sparse_rows import SparseRows

LATEST = 300
"""Pages compared."""
OFTEN = 32
"""Pages after which the latest are taken anew, if the judge was not fitted before."""


class Period(NamedTuple):
    """The pages between which the same neighbours are used: the number of the judge's fit, and pages of the crawl."""

    fit: int
    pages: int


class Neighbours:
    """Pages and their relevance, to be compared with one page at a time."""

    def __init__(self, period: Period, rows: SparseRows, relevance: Floats, mean: float) -> None:
        """`mean` is the relevance of a page of which nothing is known."""
        self.period = period
        self._beyond = relevance - mean
        compact, used = rows.compact()
        self._columns = compact.transposed()
        """The cells of each column that occurs: a page has few of all columns, so few cells are read."""
        self._numbers = np.zeros(rows.width, np.int32)
        self._numbers[used] = np.arange(1, len(used) + 1)
        """The number of each column, from 1 on; 0 where it does not occur."""

    def beyond(self, row: SparseRows) -> float:
        """Relevance above the mean of the pages most similar to one page, weighted by similarity."""
        known = row.narrowed(len(self._numbers))  # later words are on no known page
        numbers = self._numbers[known.columns]
        occurs = numbers > 0
        ends = np.array([0, np.count_nonzero(occurs)])
        both = SparseRows(known.values[occurs], numbers[occurs] - 1, ends, len(self._columns))
        similar = both.products(self._columns)[0]
        if len(similar) > NUMBER:
            similar[similar < nth_largest(similar, NUMBER)] = 0.0
        return float(dot(similar, self._beyond)) / max(float(np.add.reduce(similar)), 1e-12)
