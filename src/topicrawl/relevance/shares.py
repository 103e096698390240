"""What each word adds to the similarity with a topic, worked out when the word is first needed and kept.

How alike a word is to the topic's terms never changes; what follows from it moves with the weights of the terms, so it
is worked out again after they were refreshed, for the words still in use. A word that is like no term takes 4 bytes,
any other 2 bytes a term and 8 a number of its share.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Floats, Ids
from topicrawl.model import Ints
from topicrawl.relevance.likeness import Likeness
from topicrawl.relevance.measures import Measure, packed, shares
from topicrawl.relevance.wordbook import Wordbook

UNKNOWN, NOTHING = -1, 0
"""Instead of a row: a word not looked at yet, and one that is like no term."""


class Shares:
    """Shares of words by their number in `book`, for topic terms that `likeness` was made for."""

    def __init__(self, book: Wordbook, likeness: Likeness, measure: Measure, topic: Floats) -> None:
        self._book, self._likeness, self._measure = book, likeness, measure
        self._columns = packed(measure.columns(topic))
        self._row: Ints = np.full(1024, UNKNOWN, dtype=np.int32)
        self._alike: npt.NDArray[np.float16] = np.zeros((1, len(topic)), dtype=np.float16)
        self._shares = np.zeros((1, self._columns.shape[0]))
        self._fresh = np.ones(1, dtype=np.bool_)
        self._size = 1

    def refresh(self, topic: Floats) -> None:
        """The terms weigh this much from now on."""
        self._columns = packed(self._measure.columns(topic))
        self._fresh[1:] = False

    def __call__(self, words: Ids) -> Floats:
        """The shares of these words, a row each."""
        if len(self._book) > len(self._row):
            more = np.full(len(self._book), UNKNOWN, dtype=np.int32)
            self._row = np.concatenate((self._row, more))
        rows = self._row[words]
        if (rows == UNKNOWN).any():
            self._look_up(words[rows == UNKNOWN])
            rows = self._row[words]
        stale = rows[~self._fresh[rows]]
        if len(stale):
            likeness = self._measure.likeness(self._alike[stale].astype(np.float32))
            self._shares[stale] = shares(likeness, self._columns)
            self._fresh[stale] = True
        return self._shares[rows]

    def _look_up(self, words: Ids) -> None:
        alike = self._likeness(self._book.words(words))
        like = alike.any(axis=1)
        fresh = words[like]
        self._reserve(len(fresh))
        rows = np.arange(self._size, self._size + len(fresh))
        self._row[words] = NOTHING
        self._row[fresh] = rows
        self._alike[rows] = alike[like]
        self._fresh[rows] = False
        self._size += len(fresh)

    def _reserve(self, rows: int) -> None:
        missing = self._size + rows - len(self._fresh)
        if missing > 0:
            more = max(missing, len(self._fresh) // 2, 512)
            self._alike, self._shares, self._fresh = (
                np.concatenate((old, np.zeros((more, *old.shape[1:]), dtype=old.dtype)))
                for old in (self._alike, self._shares, self._fresh)
            )
