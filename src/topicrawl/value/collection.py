"""Statistics of the pages visited so far: document frequencies of terms, and the mean length.

Paper: the N and N_i of FCWSEO Eq. (6), IELP Eq. (3) and FCITS_OH Eq. (5); the avgdl of the latter.
Differs: a term on no page counts as on one, and before the first page every idf is 1 (both unpublished). Base e; the
base cancels in every cosine.
"""

from __future__ import annotations

import numpy as np

from topicrawl.floats import log
from topicrawl.frontier import Floats
from topicrawl.model import TermCounts, ints


class Collection:
    """Counts over the visited pages, for a topic of `terms` terms."""

    def __init__(self, terms: int) -> None:
        self.pages = 0
        self._with_term = np.zeros(terms, dtype=np.int64)
        self._length = 0

    def add(self, counts: TermCounts) -> None:
        """Count a visited page."""
        self.pages += 1
        self._with_term[ints(counts.terms)] += 1
        self._length += counts.length

    @property
    def idf(self) -> Floats:
        """log(N / N_i + 0.01) of every term: never negative, because N ≥ N_i."""
        if not self.pages:
            return np.ones(len(self._with_term))
        return log(self.pages / np.maximum(self._with_term, 1) + 0.01)

    @property
    def mean_length(self) -> float:
        """avgdl, in tokens; 1 before the first page."""
        return max(self._length / self.pages, 1.0) if self.pages else 1.0
