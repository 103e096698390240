"""The mean relevance of the pages whose text is most similar to a page's."""

from __future__ import annotations

import numpy as np

from topicrawl.floats import nth_largest_of_rows
from topicrawl.frontier import Floats
from topicrawl.text.sparse_rows import SparseRows

NUMBER = 20
"""Most similar pages that count."""
DOUBT = 0.2
"""Similarity with pages of mean relevance that is added (smoothing), relative to that of a page's most similar ones."""
COMMON = 0.4
"""The mean relevance that pages are compared with, at most: where nearly all pages are relevant, none stands out."""
AT_ONCE = 128
"""Pages compared at a time with all others."""


def baseline(relevance: Floats) -> float:
    """The relevance of a page of which nothing is known: the mean, at most `COMMON`."""
    return min(float(relevance.mean()), COMMON) if len(relevance) else 0.0


class Nearest:
    """Known pages and their relevance, to be compared with others."""

    def __init__(self, rows: SparseRows, relevance: Floats, mean: float) -> None:
        """`mean` is the relevance of a page of which nothing is known."""
        self._columns = rows.transposed()
        self._beyond = relevance - mean
        self._width = rows.width
        places = range(0, len(rows), AT_ONCE)
        found = [self._nearest(rows.some(first, first + AT_ONCE), first) for first in places]
        sums = np.concatenate([np.zeros(0), *(each for each, _ in found)])
        similar = np.concatenate([np.zeros(0), *(each for _, each in found)])
        self._doubt = DOUBT * float(similar.mean()) if len(similar) else 1.0
        self.own = sums / np.maximum(similar + self._doubt, 1e-12)
        """Relevance above the mean of the pages most similar to each known page, itself left out."""

    def beyond(self, rows: SparseRows) -> Floats:
        """Relevance above the mean of the known pages that are most similar to others."""
        sums, similar = self._nearest(rows.narrowed(self._width))  # later words are on no known page
        return sums / np.maximum(similar + self._doubt, 1e-12)

    def _nearest(self, rows: SparseRows, first: int | None = None) -> tuple[Floats, Floats]:
        """For each row: Σ similarity × relevance of its most similar pages, and Σ similarity.

        `first` is the place of the first row among the known pages, none of which is compared with itself.
        """
        similar = rows.products(self._columns)
        if first is not None:
            np.fill_diagonal(similar[:, first:], 0.0)
        if similar.shape[1] > NUMBER:
            least = nth_largest_of_rows(similar, NUMBER)
            similar[similar < least[:, None]] = 0.0
        return np.add.reduce(similar * self._beyond, axis=1), np.add.reduce(similar, axis=1)
