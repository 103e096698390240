"""Lin's similarity over a taxonomy: the share of two nodes' information content that they have in common.

The information content of a node is −ln(frequency / total), where its frequency counts everything below it too:
general nodes have little, and a root above all observations has 0.
Paper: SVSM-MCOA, Eq. (1), which takes the measure from Lin (1998).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from topicrawl.floats import log
from topicrawl.model import Ints

Floats = npt.NDArray[np.float32]
UNSEEN = 1e30
"""Information content of a node never observed: finite, but so large that its similarity to observed ones is 0."""


@dataclass(frozen=True)
class Rows:
    """Rows of different lengths, end to end: row i is `values[starts[i]:starts[i + 1]]`."""

    starts: Ints
    values: Ints

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> Rows:
        """`rows` end to end."""
        starts = np.cumsum([0, *map(len, rows)], dtype=np.int32)
        return cls(starts, np.fromiter((value for row in rows for value in row), dtype=np.int32))

    def __getitem__(self, row: int) -> Ints:
        return self.values[self.starts[row] : self.starts[row + 1]]

    def gather(self, rows: Ints) -> tuple[Ints, npt.NDArray[np.intp]]:
        """The values of these rows end to end, and for each value the index of its row in `rows`."""
        starts = self.starts[rows]
        sizes = self.starts[rows + 1] - starts
        place = np.repeat(np.arange(len(rows)), sizes)
        before = np.cumsum(sizes) - sizes
        return self.values[np.arange(len(place)) + (starts - before)[place]], place


class Above(dict[int, frozenset[int]]):
    """Node -> itself and its ancestors, made on first use."""

    def __init__(self, ancestors: Rows) -> None:
        self._ancestors = ancestors

    def __missing__(self, node: int) -> frozenset[int]:
        found = self[node] = frozenset(self._ancestors[node].tolist())
        return found


class Taxonomy:
    """Nodes are numbered from 0, parents before children, and information content never decreases downwards.

    So the most informative common ancestor is the one with the largest number. `ancestors` of a node include itself.
    Where there are several roots, nodes under different ones have nothing in common.
    """

    def __init__(self, parents: Rows, ancestors: Rows, content: npt.NDArray[np.float64]) -> None:
        self.parents = parents
        self.ancestors = ancestors
        self.content = content
        self.above = Above(ancestors)
        self._content = memoryview(content)  # type: ignore[arg-type]  # an item costs a third of numpy's

    def lin(self, a: int, b: int) -> float:
        """Similarity of two nodes in [0, 1]; 0 where both have no information content."""
        common = self.above[a] & self.above[b]
        total = self._content[a] + self._content[b]
        return 2 * self._content[max(common)] / total if common and total else 0.0  # Eq. (1)


def named_taxonomy(
    parents: Mapping[str, Sequence[str]], counts: Mapping[str, float]
) -> tuple[Taxonomy, dict[str, int]]:
    """The taxonomy of nodes with these counts, and the number of each name.

    A count is added once to every ancestor, however many paths lead there.
    """
    above: dict[str, frozenset[str]] = {}

    def ancestors(name: str) -> frozenset[str]:
        if name not in above:
            above[name] = frozenset((name,)).union(*map(ancestors, parents.get(name, ())))
        return above[name]

    frequency: dict[str, float] = defaultdict(float)
    for name in (*parents, *counts):
        ancestors(name)
    for name, all_above in above.items():
        for ancestor in all_above:
            frequency[ancestor] += counts.get(name, 0)
    names = sorted(above, key=lambda name: (-frequency[name], len(above[name]), name))
    number = {name: i for i, name in enumerate(names)}
    up = Rows.of([[number[parent] for parent in parents.get(name, ())] for name in names])
    all_up = Rows.of([sorted(number[ancestor] for ancestor in above[name]) for name in names])
    seen = np.array([frequency[name] for name in names])
    return Taxonomy(up, all_up, information(seen, sum(counts.values()))), number


def information(frequencies: npt.NDArray[np.float64], total: float) -> npt.NDArray[np.float64]:
    """Information content in nats of nodes with these frequencies among `total` observations."""
    seen = frequencies > 0
    content = np.full(len(frequencies), UNSEEN)
    content[seen] = log(total / frequencies[seen])
    return content
