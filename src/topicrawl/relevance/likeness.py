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

from topicrawl.model import Ints
from topicrawl.topic.wordnet import WordNet

Alike = npt.NDArray[np.float32]


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
        above = np.unique(taxonomy.ancestors.gather(np.array([*chain(*senses)], dtype=np.int32))[0])
        above = above[taxonomy.content[above] > 0]
        self._row: Ints = np.full(len(taxonomy.content), -1, dtype=np.int32)
        self._row[above] = np.arange(len(above))
        self._twice = (2 * taxonomy.content[above]).astype(np.float32)
        self._least_told = np.full((len(above), len(terms)), np.inf, dtype=np.float32)
        for term, each in enumerate(senses):
            column = self._least_told[:, term]
            for sense in each:
                rows = self._row[taxonomy.ancestors[sense]]
                rows = rows[rows >= 0]
                column[rows] = np.minimum(column[rows], taxonomy.content[sense])

    def __call__(self, words: Sequence[str]) -> Alike:
        alike = self._equal(words)
        groups = [self._wordnet.synsets(word) for word in words]
        senses = np.array([*chain(*groups)], dtype=np.int32)
        nodes, owner = self._wordnet.taxonomy.ancestors.gather(senses)
        rows = self._row[nodes]
        met = rows >= 0
        if not met.any():
            return alike
        rows, owner = rows[met], owner[met]
        likeness = self._least_told[rows]
        likeness += self._wordnet.taxonomy.content[senses[owner]].astype(np.float32)[:, None]
        np.divide(self._twice[rows, None], likeness, out=likeness)  # Eq. (1)
        word = np.repeat(np.arange(len(words)), [len(group) for group in groups])[owner]
        starts = np.flatnonzero(np.diff(word, prepend=-1))
        best = np.maximum.reduceat(likeness, starts, axis=0)
        best[best < self._least_alike] = 0
        alike[word[starts]] = np.maximum(alike[word[starts]], best)
        return alike
