"""How alike words are to the terms of a topic: by Lin's similarity over WordNet, or only to themselves.

Paper: SVSM-MCOA §3.1.1, Eq. (1) for concepts.
Differs: two words are as alike as the most similar of their senses; a word that WordNet does not know is like itself
only (1) and like nothing else (0).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from topicrawl.model import Ints
from topicrawl.topic.wordnet import WordNet
from topicrawl.value.common_ancestors import least_of_pairs

try:
    from topicrawl._native import CommonAncestors
except ImportError:  # the same in Python, several times slower
    from topicrawl.value.common_ancestors import CommonAncestors  # type: ignore[assignment]

Alike = npt.NDArray[np.float32]


class WordSimilarity(Protocol):
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
    whatever else meets it there. Pairs less alike than `least` count as not alike.
    """

    def __init__(self, terms: Sequence[str], wordnet: WordNet, least: float = 0.0) -> None:
        self._equal, self._wordnet, self._least = Equality(terms), wordnet, least
        taxonomy = wordnet.taxonomy
        told = taxonomy.content.astype(np.float32)
        above = taxonomy.ancestors
        self._meetings = CommonAncestors(
            above.starts, above.values, told, *_cells(terms, wordnet, told), len(terms)
        )

    def __call__(self, words: Sequence[str]) -> Alike:
        alike = self._equal(words)
        senses = self._wordnet.senses(words)
        self._meetings.compare(senses.starts, senses.values, alike)
        if self._least > 0:
            alike[alike < self._least] = 0
        return alike


def _cells(terms: Sequence[str], wordnet: WordNet, told: Alike) -> tuple[Ints, Ints, Alike]:
    """Which terms stand below each node that tells something, and the least that a sense of theirs tells."""
    senses, taxonomy = wordnet.senses(terms), wordnet.taxonomy
    nodes, sense = taxonomy.ancestors.gather(senses.values)
    term = np.repeat(np.arange(len(terms)), np.diff(senses.starts))[sense]
    least = told[senses.values[sense]]
    first = least_of_pairs(nodes, term, least)
    first = first[taxonomy.content[nodes[first]] > 0]
    starts = np.searchsorted(nodes[first], np.arange(len(told) + 1)).astype(np.int32)
    return starts, term[first].astype(np.int32), least[first]
