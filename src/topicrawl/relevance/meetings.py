"""Where the senses of words meet those of a topic's terms: the nodes of a taxonomy that stand above both.

Native code does the same (`topicrawl._native.Meetings`), in the same numbers.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from topicrawl.model import Ints
from topicrawl.topic.wordnet.taxonomy import Floats, Rows


class Meetings:
    """A taxonomy and `terms` terms below its nodes.

    `ancestors` of nodes count a node among its own; a node has told so much (information content). A cell of a node is
    a term below it, with the least that a sense of this term tells.
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
        nodes, of_sense = self._ancestors.gather(senses)
        cells, at = self._cells.gather(nodes)
        told = self._told[senses[of_sense[at]]] + self._least[cells]
        likeness = 2 * self._told[nodes[at]] / told  # Eq. (1)
        word = np.repeat(np.arange(len(alike)), np.diff(starts))[of_sense[at]]
        np.maximum.at(alike, (word, self._terms[cells]), likeness)
