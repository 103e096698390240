"""Similarity of words to the terms of a topic: Lin's similarity over WordNet, or equality.

Paper: SVSM-MCOA §3.1.1, Eq. (1) for concepts.
Differs: the similarity of two words is that of their most similar senses; a word that is not in WordNet has similarity
1 to itself and 0 to all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

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
    """1 for equal words, else 0."""

    def __init__(self, terms: Sequence[str]) -> None:
        self._column = {term: column for column, term in enumerate(terms)}

    def __call__(self, words: Sequence[str]) -> Alike:
        alike = np.zeros((len(words), len(self._column)), dtype=np.float32)
        for row, word in enumerate(words):
            if word in self._column:
                alike[row, self._column[word]] = 1
        return alike


class LinSimilarity:
    """Lin similarity: the numbers of `WordNet.similarities`, for a few words at a time.

    Of the senses of a term below a node, only that of least information content counts: it is the most similar to all
    senses with that node as common ancestor. Similarities below `least` count as 0.
    """

    not_stored: ClassVar = ("_wordnet", "_common")

    def __init__(self, terms: Sequence[str], wordnet: WordNet, least: float = 0.0) -> None:
        self._equal, self._wordnet, self._least = Equality(terms), wordnet, least
        taxonomy = wordnet.taxonomy
        content = taxonomy.content.astype(np.float32)
        above = taxonomy.ancestors
        self._common = CommonAncestors(
            above.starts, above.values, content, *_cells(terms, wordnet, content), len(terms)
        )

    def __call__(self, words: Sequence[str]) -> Alike:
        alike = self._equal(words)
        senses = self._wordnet.senses(words)
        self._common.compare(senses.starts, senses.values, alike)
        if self._least > 0:
            alike[alike < self._least] = 0
        return alike


def _cells(terms: Sequence[str], wordnet: WordNet, content: Alike) -> tuple[Ints, Ints, Alike]:
    """The terms below each node of positive content, and the least information content of their senses."""
    senses, taxonomy = wordnet.senses(terms), wordnet.taxonomy
    nodes, sense = taxonomy.ancestors.gather(senses.values)
    term = np.repeat(np.arange(len(terms)), np.diff(senses.starts))[sense]
    least = content[senses.values[sense]]
    first = least_of_pairs(nodes, term, least)
    first = first[taxonomy.content[nodes[first]] > 0]
    starts = np.searchsorted(nodes[first], np.arange(len(content) + 1)).astype(np.int32)
    return starts, term[first].astype(np.int32), least[first]
