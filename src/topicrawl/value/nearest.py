"""The mean relevance of the pages whose text is most similar to a page's."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from topicrawl.frontier import Floats

NUMBER = 20
"""Most similar pages that count."""
DOUBT = 0.2
"""Similarity with pages of mean relevance that is added (smoothing), relative to that of a page's most similar ones."""
AT_ONCE = 128
"""Pages compared at a time with all others."""


class Nearest:
    """Known pages and their relevance, to be compared with others."""

    def __init__(self, rows: csr_array, relevance: Floats, mean: float) -> None:
        """`mean` is the relevance of a page of which nothing is known."""
        self._columns = rows.T.tocsr()
        self._beyond = relevance - mean
        self._width = rows.shape[1]
        places = range(0, rows.shape[0], AT_ONCE)
        found = [self._nearest(rows[first : first + AT_ONCE], first) for first in places]
        sums = np.concatenate([np.zeros(0), *(each for each, _ in found)])
        similar = np.concatenate([np.zeros(0), *(each for _, each in found)])
        self._doubt = DOUBT * float(similar.mean()) if len(similar) else 1.0
        self.own = sums / np.maximum(similar + self._doubt, 1e-12)
        """Relevance above the mean of the pages most similar to each known page, itself left out."""

    def beyond(self, rows: csr_array) -> Floats:
        """Relevance above the mean of the known pages that are most similar to others."""
        known = rows.indices < self._width  # later words are on no known page
        ends = np.append(0, np.cumsum(known))[rows.indptr]
        narrow = csr_array((rows.data[known], rows.indices[known], ends), shape=(rows.shape[0], self._width))
        sums, similar = self._nearest(narrow)
        return sums / np.maximum(similar + self._doubt, 1e-12)

    def _nearest(self, rows: csr_array, first: int | None = None) -> tuple[Floats, Floats]:
        """For each row: Σ similarity × relevance of its most similar pages, and Σ similarity.

        `first` is the place of the first row among the known pages, none of which is compared with itself.
        """
        similar = (rows @ self._columns).toarray()
        if first is not None:
            np.fill_diagonal(similar[:, first:], 0.0)
        if similar.shape[1] > NUMBER:
            least = np.sort(similar, axis=1)[:, -NUMBER]
            similar[similar < least[:, None]] = 0.0
        return np.add.reduce(similar * self._beyond, axis=1), np.add.reduce(similar, axis=1)
