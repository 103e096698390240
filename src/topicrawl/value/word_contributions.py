"""What each word adds to the similarity with a topic, worked out when the word is first needed and kept.

How alike a word is to the topic's terms never changes; what follows from it moves with the weights of the terms, so it
is worked out again after they were refreshed, for the words still in use. A word that is like no term takes 4 bytes,
any other 2 bytes a term and 8 a number of its share.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Ids
from topicrawl.model import Ints
from topicrawl.value.measures import Measure
from topicrawl.value.vocabulary import Vocabulary
from topicrawl.value.word_similarity import WordSimilarity

UNKNOWN, NOTHING = -1, 0
"""Instead of a row: a word not looked at yet, and one that is like no term."""
NO_TERM = -1


class WordContributions:
    """Shares of words by their number in `book`; `terms` are those of the topic, which `likeness` was made for."""

    def __init__(self, book: Vocabulary, terms: Ids, likeness: WordSimilarity, measure: Measure) -> None:
        self._book, self._likeness, self._measure = book, likeness, measure
        self._term = {number: column for column, number in enumerate(terms.tolist())}
        self._row: Ints = np.full(1024, UNKNOWN, dtype=np.int32)
        self._alike: npt.NDArray[np.float16] = np.zeros((1, len(terms)), dtype=np.float16)
        self._own: Ints = np.full(1, NO_TERM, dtype=np.int32)
        self._fresh = np.ones(1, dtype=np.bool_)
        self._size = 1
        self.values = measure.shares(self._alike.astype(np.float64), self._own)
        """For each kind of share a row for each word that is like a term; the first is for all others."""

    def refresh(self, measure: Measure) -> None:
        """The terms have other weights from now on."""
        self._measure = measure
        self._fresh[1:] = False

    def rows(self, words: Ids) -> Ints:
        """The rows of these words in `values`, which are worked out where that has not been done."""
        if len(self._book) > len(self._row):
            more = np.full(len(self._book), UNKNOWN, dtype=np.int32)
            self._row = np.concatenate((self._row, more))
        rows = self._row[words]
        if (rows == UNKNOWN).any():
            self._look_up(np.unique(words[rows == UNKNOWN]))
            rows = self._row[words]
        stale = np.unique(rows[~self._fresh[rows]])
        if len(stale):
            alike = self._alike[stale].astype(np.float64, order="F")  # measures take it by columns
            for kept, shares in zip(self.values, self._measure.shares(alike, self._own[stale]), strict=True):
                kept[stale] = shares
            self._fresh[stale] = True
        return rows

    def _look_up(self, words: Ids) -> None:
        alike = self._likeness(self._book.words(words))
        like = alike.max(axis=1, initial=0) > 0
        fresh = words[like]
        self._reserve(len(fresh))
        own = np.array([self._term.get(number, NO_TERM) for number in fresh.tolist()], dtype=np.int32)
        rows = slice(self._size, self._size + len(fresh))
        self._row[words] = NOTHING
        self._row[fresh] = np.arange(rows.start, rows.stop)
        self._alike[rows] = alike[like]
        terms = np.flatnonzero(own != NO_TERM)
        self._alike[rows.start + terms, own[terms]] = 0
        self._own[rows] = own
        self._size = rows.stop

    def _reserve(self, rows: int) -> None:
        missing = self._size + rows - len(self._fresh)
        if missing > 0:
            size = len(self._fresh) + max(missing, len(self._fresh) // 8, 512)
            by_row: list[npt.NDArray[Any]] = [self._alike, self._own, self._fresh, *self.values]
            for kept in by_row:
                kept.resize((size, *kept.shape[1:]), refcheck=False)  # in place: nobody holds a part of them
