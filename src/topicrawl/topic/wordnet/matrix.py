"""Lin's similarity of many words with many: the same numbers as `Taxonomy.lin`, some hundred times faster.

A word is a group of nodes, its senses; the similarity of two groups is the largest of any two of their nodes.

The best common ancestors are computed for many columns at once, from the top down: an ancestor of a column is its own
best, any other node inherits the best of its parents. Only ancestors of rows are visited.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from topicrawl.model import Ints
from topicrawl.topic.wordnet.taxonomy import Floats, Taxonomy

Group = Sequence[int]
Places = npt.NDArray[np.intp]
_BLOCK = 1 << 19
"""Numbers in a block, 2 MB: about the size of a processor's cache."""
_NOTHING = 1e-30
"""Replaces the information content 0 in the denominator, to avoid 0 / 0."""


class LinRows:
    """The rows of similarity matrices, prepared once for any columns."""

    def __init__(self, taxonomy: Taxonomy, groups: Sequence[Group]) -> None:
        self._taxonomy = taxonomy
        self._size = len(groups)
        self._places = _largest_first(groups)
        layers = _layers([groups[place] for place in self._places])
        self._above = np.unique(taxonomy.ancestors.gather(np.concatenate([_NONE, *layers]))[0])
        self._layers = [np.searchsorted(self._above, layer) for layer in layers]
        self._steps = list(_steps(taxonomy, self._above))
        self._content = _denominator(taxonomy, self._above)[:, None]

    def lin(self, groups: Sequence[Group]) -> Floats:
        """The similarity of every row with every one of `groups`."""
        found = np.zeros((self._size, len(groups)), dtype=np.float32)
        for places in _blocks(groups, _BLOCK // (len(self._above) + 1)):
            layers = _layers([groups[place] for place in places])
            of_nodes = self._best_of_rows(np.concatenate(layers))
            best, start = of_nodes[:, : len(places)], 0
            for layer in layers:
                part = best[:, : len(layer)]
                np.maximum(part, of_nodes[:, start : start + len(layer)], out=part)
                start += len(layer)
            found[np.ix_(self._places, places)] = best
        return found

    def _best_of_rows(self, columns: Ints) -> Floats:
        """The largest similarity of each group of rows with each of the nodes `columns`."""
        common = self._common(columns)
        content = _denominator(self._taxonomy, columns)
        best = np.zeros((len(self._places), len(columns)), dtype=np.float32)
        for layer in self._layers:
            similarity = common[layer]
            similarity /= self._content[layer] + content  # Eq. (1)
            part = best[: len(layer)]
            np.maximum(part, similarity, out=part)
        return best

    def _common(self, columns: Ints) -> Floats:
        """Twice the information content of the best common ancestor of each ancestor of rows with each of `columns`."""
        best = np.zeros((len(self._above), len(columns)), dtype=np.float32)
        nodes, column = self._taxonomy.ancestors.gather(columns)
        if len(self._above):
            places = np.searchsorted(self._above, nodes).clip(max=len(self._above) - 1)
            shared = self._above[places] == nodes
            best[places[shared], column[shared]] = 2 * self._taxonomy.content[nodes[shared]]
        for children, parents in self._steps:
            best[children] = np.maximum(best[children], best[parents])
        return best


_NONE = np.zeros(0, dtype=np.int32)


def _denominator(taxonomy: Taxonomy, nodes: Ints) -> Floats:
    return np.maximum(taxonomy.content[nodes], _NOTHING).astype(np.float32)


def _largest_first(groups: Sequence[Group]) -> list[int]:
    """The indices of the groups that are not empty."""
    return sorted((i for i, group in enumerate(groups) if group), key=lambda i: -len(groups[i]))


def _layers(groups: Sequence[Group]) -> list[Ints]:
    """Groups (the largest first) transposed: layer k has the k-th node of each group that has so many."""
    depth = len(groups[0]) if groups else 0
    return [
        np.fromiter((group[k] for group in groups if len(group) > k), dtype=np.int32) for k in range(depth)
    ]


def _blocks(groups: Sequence[Group], width: int) -> Iterator[list[int]]:
    """The indices of the groups, largest first, in blocks of about `width` nodes."""
    block: list[int] = []
    nodes = 0
    for place in _largest_first(groups):
        block.append(place)
        nodes += len(groups[place])
        if nodes >= width:
            yield block
            block, nodes = [], 0
    if block:
        yield block


def _steps(taxonomy: Taxonomy, above: Ints) -> Iterator[tuple[Places, Places]]:
    """The edges among `above` as indices into it, in groups to apply in turn: a node once per group, parents first."""
    nodes, children = taxonomy.parents.gather(above)
    parents = np.searchsorted(above, nodes)
    turn = np.arange(len(children)) - np.searchsorted(children, children)
    levels = _levels(children, parents, len(above))[children]
    order = np.lexsort((turn, levels))
    changes = np.flatnonzero(np.diff(levels[order]) | np.diff(turn[order])) + 1
    for group in np.split(order, changes) if len(order) else ():
        yield children[group], parents[group]


def _levels(children: Places, parents: Places, size: int) -> npt.NDArray[np.int32]:
    """The length of the longest path from the top to each node."""
    levels = np.zeros(size, dtype=np.int32)
    while True:
        deeper = levels.copy()
        np.maximum.at(deeper, children, levels[parents] + 1)
        if np.array_equal(deeper, levels):
            return levels
        levels = deeper
