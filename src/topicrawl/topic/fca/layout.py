"""Layered layout of a Hasse diagram with few crossings (after K. Sugiyama et al., 1981).

Layers by the longest path from the top, then an order within each layer that keeps crossings few, then x positions as
near to the neighbours as the widths allow. A line over several layers bends in each of them, so that it passes between
the concepts there. A layer too wide for one row is staggered over several tracks: its nodes are on track 0, 1, …, 0,
1, … from left to right and need less space between them.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import ceil
from typing import NamedTuple

_SWEEPS = 24
_EXCHANGES = 8
_WIDEST = 1400.0
"""Width in pixels beyond which a layer is staggered."""
_BEND_WIDTH = 8.0
_STIFF = 6
"""Weight of a bend relative to a concept when positions are fitted: keeps lines straight."""


class Place(NamedTuple):
    """x in pixels from the left, layer from the top, track from the top of the layer."""

    x: float
    layer: int
    track: int


@dataclass(frozen=True, slots=True)
class Layout:
    """`places[i]` is the position of concept i; a line leads from a concept up to one that covers it."""

    places: tuple[Place, ...]
    lines: tuple[tuple[Place, ...], ...]
    width: float
    tracks: tuple[int, ...]
    """How many tracks each layer has."""


def lay_out(upper: Sequence[Sequence[int]], widths: Sequence[float]) -> Layout:
    """The layout of concepts covered by `upper`, of which concept i is `widths[i]` pixels wide.

    The covers of a concept must come before it.
    """
    graph = _Graph(upper, widths)
    graph.order()
    graph.place()
    left = min(x - width / 2 for x, width in zip(graph.x, graph.widths, strict=True))
    right = max(x + width / 2 for x, width in zip(graph.x, graph.widths, strict=True))
    tracks = [graph.tracks(row) for row in graph.rows]
    places = [Place(0, 0, 0)] * len(graph.x)
    for layer, row in enumerate(graph.rows):
        for n, node in enumerate(row):
            places[node] = Place(graph.x[node] - left, layer, n % tracks[layer])
    lines = tuple(tuple(places[node] for node in way) for way in graph.ways)
    return Layout(tuple(places[: len(upper)]), lines, right - left, tuple(tracks))


class _Graph:
    """Concepts and bends as nodes, the concepts first. Every edge joins a node with one in the layer above.

    `x` is first the rank in the row as a share of its length, finally a position in pixels.
    """

    def __init__(self, upper: Sequence[Sequence[int]], widths: Sequence[float]) -> None:
        self.concepts = len(upper)
        self.widths = list(widths)
        self.layer: list[int] = []
        for above in upper:
            self.layer.append(1 + max((self.layer[node] for node in above), default=-1))
        self.ways = [self._bend(node, end) for node, above in enumerate(upper) for end in above]
        self.above: list[list[int]] = [[] for _ in self.layer]
        self.below: list[list[int]] = [[] for _ in self.layer]
        for way in self.ways:
            for low, high in pairwise(way):
                self.above[low].append(high)
                self.below[high].append(low)
        self.rows: list[list[int]] = [[] for _ in range(max(self.layer) + 1)]
        for node, layer in enumerate(self.layer):
            self.rows[layer].append(node)
        self.x = [0.0] * len(self.layer)
        for row in self.rows:
            self._rank(row)

    def _bend(self, start: int, end: int) -> list[int]:
        """The nodes of a line from `start` up to `end`, with new bends between."""
        layers = range(self.layer[start] - 1, self.layer[end], -1)
        bends = range(len(self.layer), len(self.layer) + len(layers))
        self.layer += layers
        self.widths += [_BEND_WIDTH] * len(layers)
        return [start, *bends, end]

    def _rank(self, row: list[int]) -> None:
        for n, node in enumerate(row):
            self.x[node] = (n + 0.5) / len(row)

    def order(self) -> None:
        """Sort each layer by the mean rank of its neighbours, downwards and upwards in turn, and keep the best;
        then swap neighbours whose edges still cross."""
        best, fewest = [list(row) for row in self.rows], self.crossings()
        for sweep in range(_SWEEPS):
            near = self.below if sweep % 2 else self.above
            for row in reversed(self.rows[:-1]) if sweep % 2 else self.rows[1:]:
                row.sort(key=lambda node: self._middle(near[node], self.x[node]))
                self._rank(row)
            if (crossings := self.crossings()) < fewest:
                best, fewest = [list(row) for row in self.rows], crossings
        self.rows = best
        for row in self.rows:
            self._rank(row)
        for _ in range(_EXCHANGES):
            for row in self.rows:
                self._exchange(row)

    def _middle(self, nodes: list[int], default: float) -> float:
        return sum(self.x[node] for node in nodes) / len(nodes) if nodes else default

    def crossings(self) -> int:
        """How many pairs of edges cross."""
        return sum(self._inversions([self.above[node] for node in row]) for row in self.rows[1:])

    def _inversions(self, ends: Sequence[Sequence[int]]) -> int:
        """How many pairs of edges cross; `ends[i]` are the other ends of the edges of the i-th node in a row."""
        passed: list[float] = []
        inversions = 0
        for nodes in ends:
            places = [self.x[node] for node in nodes]
            inversions += sum(len(passed) - bisect_right(passed, place) for place in places)
            for place in places:
                insort(passed, place)
        return inversions

    def _exchange(self, row: list[int]) -> None:
        """Swap neighbours in a row wherever that removes crossings."""
        for n in range(len(row) - 1):
            left, right = row[n], row[n + 1]
            now, then = (
                self._inversions([self.above[a], self.above[b]])
                + self._inversions([self.below[a], self.below[b]])
                for a, b in ((left, right), (right, left))
            )
            if then < now:
                row[n], row[n + 1] = right, left
        self._rank(row)

    def tracks(self, row: list[int]) -> int:
        return ceil(sum(self.widths[node] for node in row) / _WIDEST)

    def place(self) -> None:
        """Move every node towards its neighbours, keeping order and distances."""
        for row in self.rows:
            self._put(row, [0.0] * len(row))
        for sweep in range(_SWEEPS):
            for row in reversed(self.rows) if sweep % 2 else self.rows:
                near = [self.above[node] + self.below[node] for node in row]
                self._put(row, [self._middle(nodes, 0.0) for nodes in near])

    def _put(self, row: list[int], wanted: list[float]) -> None:
        """Put the nodes of a row as near to their wanted positions as order and widths allow."""
        offsets = list(accumulate(self._gaps(row), initial=0.0))
        free = [x - offset for x, offset in zip(wanted, offsets, strict=True)]
        weights = [1 if node < self.concepts else _STIFF for node in row]
        for node, x, offset in zip(row, _isotonic(free, weights), offsets, strict=True):
            self.x[node] = x + offset

    def _gaps(self, row: list[int]) -> list[float]:
        """Least distances of the nodes of a row, so that those of one track do not touch."""
        tracks = self.tracks(row)
        widths = [self.widths[node] for node in row]
        gaps = [0.0] * (len(row) - 1)
        for n, (one, other) in enumerate(zip(widths, widths[tracks:], strict=False)):
            for k in range(n, n + tracks):
                gaps[k] = max(gaps[k], (one + other) / 2 / tracks)
        return gaps


def _isotonic(values: Sequence[float], weights: Sequence[int]) -> list[float]:
    """Isotonic regression: the non-decreasing sequence nearest to `values` (weighted least squares)."""
    pools: list[tuple[float, int, int]] = []
    for value, weight in zip(values, weights, strict=True):
        mean, total, size = value, weight, 1
        while pools and pools[-1][0] >= mean:
            before, more, longer = pools.pop()
            mean = (mean * total + before * more) / (total + more)
            total, size = total + more, size + longer
        pools.append((mean, total, size))
    return [mean for mean, _, size in pools for _ in range(size)]
