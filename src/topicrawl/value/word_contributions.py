"""The contribution of each word to the similarity with a topic, computed at first use and cached.

The similarity of a word to the topic's terms never changes; its contribution changes with the weights of the terms, so
it is computed again after a refresh, for words still in use. A word similar to no term takes 4 bytes, any other 2 bytes
a term and 8 a number of its share.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Ids
from topicrawl.model import Ints
from topicrawl.text.vocabulary import Vocabulary
from topicrawl.value.measures import Measure
from topicrawl.value.word_similarity import WordSimilarity

UNKNOWN, NOTHING = -1, 0
"""Instead of a row: a word not looked up yet, and one similar to no term."""
NO_TERM = -1


class WordContributions:
    """Shares of words by their number in `vocabulary`; `terms` are the topic's, to which `similarity` compares."""

    def __init__(
        self, vocabulary: Vocabulary, terms: Ids, similarity: WordSimilarity, measure: Measure
    ) -> None:
        self._vocabulary, self._similarity, self._measure = vocabulary, similarity, measure
        self._term = {number: column for column, number in enumerate(terms.tolist())}
        self._row: Ints = np.full(1024, UNKNOWN, dtype=np.int32)
        self._alike: npt.NDArray[np.float16] = np.zeros((1, len(terms)), dtype=np.float16)
        self._own: Ints = np.full(1, NO_TERM, dtype=np.int32)
        self._fresh = np.ones(1, dtype=np.bool_)
        self._size = 1
        self.values = measure.shares(self._alike.astype(np.float64), self._own)
        """For each kind of share a row for each word similar to a term; the first is for all others."""

    def refresh(self, measure: Measure) -> None:
        """Use a measure with new weights of the terms."""
        self._measure = measure
        self._fresh[1:] = False

    def rows(self, words: Ids) -> Ints:
        """The rows of these words in `values`, computed where they are missing or stale."""
        if len(self._vocabulary) > len(self._row):
            more = np.full(len(self._vocabulary), UNKNOWN, dtype=np.int32)
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
        alike = self._similarity(self._vocabulary.words(words))
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
                kept.resize((size, *kept.shape[1:]), refcheck=False)  # in place: there are no views of them
