"""Where the senses of words meet those of a topic's terms: the nodes of a taxonomy that stand above both.

Native code does the same (`topicrawl._native.CommonAncestors`), in the same numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Ids
from topicrawl.model import Ints
from topicrawl.topic.wordnet.taxonomy import Floats, Rows

Numbers = npt.NDArray[np.integer[Any]]


class CommonAncestors:
    """A taxonomy and `terms` terms below its nodes.

    `ancestors` of nodes count a node among its own; `told` is how much each tells (information content). A cell of a
    node is a term below it, with the least that a sense of this term tells.
    """

    def __init__(
        self,
        ancestor_starts: Ints,
        ancestors: Ints,
        told: Floats,
        cell_starts: Ints,
        cell_terms: Ints,
        cell_least: Floats,
        terms: int,
    ) -> None:
        self._ancestors = Rows(ancestor_starts, ancestors)
        self._told = told
        self._cells = Rows(cell_starts, np.arange(len(cell_terms), dtype=np.int32))
        self._terms, self._least = cell_terms, cell_least

    def compare(self, starts: Ints, senses: Ints, alike: npt.NDArray[np.float32]) -> None:
        """Raise `alike` (words × terms) to the likeness of the most similar senses; `starts` parts those of words."""
        word = np.repeat(np.arange(len(alike)), np.diff(starts))
        word, nodes, told = self._met(word, senses)
        cells, at = self._cells.gather(nodes)
        likeness = 2 * self._told[nodes][at] / (told[at] + self._least[cells])  # Eq. (1)
        np.maximum.at(alike.reshape(-1), word[at] * alike.shape[1] + self._terms[cells], likeness)

    def _met(self, word: Ids, senses: Ints) -> tuple[Ids, Ints, Floats]:
        """Words and the nodes above their senses, each pair once, and how much the sense tells that tells least."""
        nodes, sense = self._ancestors.gather(senses)
        word, told = word[sense], self._told[senses[sense]]
        first = least_of_pairs(word, nodes, told)
        return word[first], nodes[first], told[first]


def least_of_pairs(one: Numbers, other: Numbers, told: Floats) -> Ids:
    """The places of all different pairs (`one`, `other`), in their order; of equal pairs, that which tells least."""
    order = np.lexsort((told, other, one))
    different = (np.diff(one[order], prepend=-1) != 0) | (np.diff(other[order], prepend=-1) != 0)
    places: Ids = order[different]
    return places
