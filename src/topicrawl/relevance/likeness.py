"""How alike words are to the terms of a topic: by Lin's similarity over WordNet, or only to themselves.

Paper: SVSM-MCOA §3.1.1, Eq. (1) for concepts.
Differs: two words are as alike as the most similar of their senses; a word that WordNet does not know is like itself
only (1) and like nothing else (0).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Protocol

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Ids
from topicrawl.model import Ints
from topicrawl.topic.wordnet import WordNet

Alike = npt.NDArray[np.float32]
AT_ONCE = 128
"""Meetings of senses looked at together: about 300 kB of a topic's table."""


class Likeness(Protocol):
    """The similarity of words (rows) to a topic's terms (columns), each in [0, 1]; that of equals is 1."""

    def __call__(self, words: Sequence[str]) -> Alike: ...


class Equality:
    """A word is like itself."""

    def __init__(self, terms: Sequence[str]) -> None:
        self._column = {term: column for column, term in enumerate(terms)}

    def __call__(self, words: Sequence[str]) -> Alike:
        alike = np.zeros((len(words), len(self._column)), dtype=np.float32)
        for row, word in enumerate(words):
            if word in self._column:
                alike[row, self._column[word]] = 1
        return alike


class Meaning:
    """Words are as alike as WordNet has it: the numbers of `WordNet.similarities`, for a few words at a time.

    Of the senses of a term that stand below a node, only the one that tells least counts: it is the most similar to
    whatever else meets it there. So a table of nodes and terms answers for all words. Pairs less alike than `least`
    count as not alike.
    """

    def __init__(self, terms: Sequence[str], wordnet: WordNet, least: float = 0.0) -> None:
        self._equal, self._wordnet, self._least_alike = Equality(terms), wordnet, least
        taxonomy = wordnet.taxonomy
        senses = [wordnet.synsets(term) for term in terms]
        self._known = np.flatnonzero([bool(each) for each in senses])
        """The terms that have senses: the columns of the table."""
        above = np.unique(taxonomy.ancestors.gather(np.array([*chain(*senses)], dtype=np.int32))[0])
        above = above[taxonomy.content[above] > 0]
        self._row: Ints = np.full(len(taxonomy.content), -1, dtype=np.int32)
        self._row[above] = np.arange(len(above))
        self._told = taxonomy.content.astype(np.float32)
        self._twice = (2 * taxonomy.content[above]).astype(np.float32)
        self._least_told = np.full((len(above), len(self._known)), np.inf, dtype=np.float32)
        for column, each in zip(self._least_told.T, filter(None, senses), strict=True):
            for sense in each:
                rows = self._row[taxonomy.ancestors[sense]]
                rows = rows[rows >= 0]
                column[rows] = np.minimum(column[rows], self._told[sense])

    def __call__(self, words: Sequence[str]) -> Alike:
        alike = self._equal(words)
        groups = [self._wordnet.synsets(word) for word in words]
        senses = np.array([*chain(*groups)], dtype=np.int32)
        nodes, owner = self._wordnet.taxonomy.ancestors.gather(senses)
        rows = self._row[nodes]
        met = np.flatnonzero(rows >= 0)
        rows, owner = rows[met], owner[met]
        word = np.repeat(np.arange(len(words)), [len(group) for group in groups])[owner]
        starts = np.flatnonzero(np.diff(word, prepend=-1))
        cells = np.ix_(word[starts], self._known)
        alike[cells] = np.maximum(alike[cells], self._most_alike(rows, self._told[senses[owner]], starts))
        return alike

    def _most_alike(self, rows: Ints, told: Alike, starts: Ids) -> Alike:
        """The largest likeness of each word; it has the meetings from one of `starts` to the next, each at the node
        `rows` of the table, with a sense that tells so much. A few at a time, so that they stay near the processor."""
        best = np.empty((len(starts), self._least_told.shape[1]), dtype=np.float32)
        ends = np.append(starts[1:], len(rows))
        first = 0
        while first < len(starts):
            begin = starts[first]
            last = max(first + 1, int(np.searchsorted(ends, begin + AT_ONCE, side="right")))
            some = slice(begin, ends[last - 1])
            likeness = self._least_told[rows[some]]
            likeness += told[some, None]
            np.divide(self._twice[rows[some], None], likeness, out=likeness)  # Eq. (1)
            for word in range(first, last):
                likeness[starts[word] - begin : ends[word] - begin].max(axis=0, out=best[word])
            first = last
        best[best < self._least_alike] = 0
        return best
