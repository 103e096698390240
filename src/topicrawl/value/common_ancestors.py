"""Lin similarity of words to a topic's terms by the common ancestors of their senses in a taxonomy.

Native code (`topicrawl._native.CommonAncestors`) gives the same numbers.
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
    """A taxonomy, and `terms` terms below its nodes.

    The `ancestors` of a node include the node; `content` is the information content of each node. A cell of a node is a
    term below it, with the least information content of the term's senses there.
    """

    def __init__(
        self,
        ancestor_starts: Ints,
        ancestors: Ints,
        content: Floats,
        cell_starts: Ints,
        cell_terms: Ints,
        cell_least: Floats,
        terms: int,
    ) -> None:
        self._ancestors = Rows(ancestor_starts, ancestors)
        self._content = content
        self._cells = Rows(cell_starts, np.arange(len(cell_terms), dtype=np.int32))
        self._terms, self._least = cell_terms, cell_least

    def compare(self, starts: Ints, senses: Ints, alike: npt.NDArray[np.float32]) -> None:
        """Raise `alike` (words × terms) to the similarity of the most similar senses; `starts` delimits words."""
        word = np.repeat(np.arange(len(alike)), np.diff(starts))
        word, nodes, content = self._above(word, senses)
        cells, at = self._cells.gather(nodes)
        similarity = 2 * self._content[nodes][at] / (content[at] + self._least[cells])  # Eq. (1)
        np.maximum.at(alike.reshape(-1), word[at] * alike.shape[1] + self._terms[cells], similarity)

    def _above(self, word: Ids, senses: Ints) -> tuple[Ids, Ints, Floats]:
        """Words and the ancestors of their senses, each pair once, with the least content of these senses."""
        nodes, sense = self._ancestors.gather(senses)
        word, content = word[sense], self._content[senses[sense]]
        first = least_of_pairs(word, nodes, content)
        return word[first], nodes[first], content[first]


def least_of_pairs(one: Numbers, other: Numbers, content: Floats) -> Ids:
    """The places of all different pairs (`one`, `other`), in order; of equal pairs, that of least content."""
    order = np.lexsort((content, other, one))
    different = (np.diff(one[order], prepend=-1) != 0) | (np.diff(other[order], prepend=-1) != 0)
    places: Ids = order[different]
    return places
