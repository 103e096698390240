"""How many links apart pages are, whichever way the links point, all seeds being joined by a virtual page.

Up to 64 breadth-first searches run together: each link has a word of 64 bits, one for each search that has reached
it. So each level needs one pass over the edges for all of them.

Paper: FCWSEO §6.3, Definition 4.
Differs: a link that redirects is the page it led to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from topicrawl.frontier.graph import Graph

FAR = int(np.iinfo(np.int32).max)
"""The distance of unreachable pages."""
TOGETHER = 64
Words = npt.NDArray[np.uint64]
Hops = npt.NDArray[np.int32]


class Edges:
    """The current graph: visited pages with their links, redirects followed, `seeds` joined by a virtual page."""

    def __init__(
        self, graph: Graph, links: int, seeds: Sequence[int], led_to: Mapping[int, int] | None = None
    ) -> None:
        """`links` is the number of links; `led_to` maps links that redirected to where they ended."""
        pages, ends, _ = graph.rows()
        targets, _ = graph.columns()
        self.links = links
        counts = np.diff(ends, prepend=0)
        filled = counts > 0
        self._starts = (ends - counts)[filled].astype(np.int64)
        self._counts = counts[filled]
        self._pages = pages[filled]
        self._targets = targets
        self._seeds = np.array(seeds, dtype=np.int64)
        if led_to:
            page_of = np.arange(links, dtype=np.int32)
            page_of[list(led_to)] = list(led_to.values())
            self._targets, self._seeds = page_of[targets], page_of[self._seeds].astype(np.int64)

    def step(self, reached: Words) -> Words:
        """The searches that reach each link from its neighbours; the last row is the virtual page."""
        after = np.zeros_like(reached)
        if len(self._pages):
            on_page = np.repeat(reached[self._pages], self._counts)
            np.bitwise_or.at(after, self._targets, on_page)
            after[self._pages] |= np.bitwise_or.reduceat(reached[self._targets], self._starts)
        after[self._seeds] |= reached[-1]
        after[-1] |= np.bitwise_or.reduce(reached[self._seeds], initial=np.uint64(0))
        return after


class Search:
    """Searches from all `sources` at once, level by level, for all `goals`.

    `found` holds the distance from every source (row) to every goal (column), `FAR` until it is known.
    """

    def __init__(self, edges: Edges, sources: Sequence[int], goals: Sequence[int]) -> None:
        self.found: Hops = np.full((len(sources), len(goals)), FAR, np.int32)
        self.level = 0
        self._edges = edges
        self._goals = np.array(goals, dtype=np.int64)
        self._bits = np.left_shift(np.uint64(1), np.arange(TOGETHER, dtype=np.uint64))
        self._reached: list[Words] = []
        for first in range(0, len(sources), TOGETHER):
            some = np.array(sources[first : first + TOGETHER], dtype=np.int64)
            reached = np.zeros(edges.links + 1, np.uint64)
            np.bitwise_or.at(reached, some, self._bits[: len(some)])
            self._reached.append(reached)
        self._fresh = [reached.copy() for reached in self._reached]
        self._record()

    def deepen(self) -> bool:
        """Search one level further; False when nothing new was reached."""
        self.level += 1
        for number, reached in enumerate(self._reached):
            self._fresh[number] = self._edges.step(self._fresh[number]) & ~reached
            np.bitwise_or(reached, self._fresh[number], out=reached)
        self._record()
        return any(fresh.any() for fresh in self._fresh)

    def to(self, goal: int, sources: Sequence[int]) -> Hops:
        """Distances to the goal of this number from the sources of these numbers: the smallest is final."""
        while (self.found[sources, goal] == FAR).all() and self.deepen():
            pass
        return self.found[sources, goal]

    def _record(self) -> None:
        for number, fresh in enumerate(self._fresh):
            rows = self.found[number * TOGETHER : (number + 1) * TOGETHER]
            rows[(fresh[self._goals] & self._bits[: len(rows), np.newaxis]) > 0] = self.level


def hops(edges: Edges, sources: Sequence[int], goals: Sequence[int]) -> Hops:
    """The distance from every source (row) to every goal (column); `FAR` where there is no path."""
    search = Search(edges, sources, goals)
    while (search.found == FAR).any() and search.deepen():
        pass
    return search.found
