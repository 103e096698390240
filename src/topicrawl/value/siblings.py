"""What came of links that stand below the same heading of the same page, and what that says about those that wait.

Sums over all links of a crawl are made in the frontier's room, some edges at a time: in memory they would grow with it.
"""

from __future__ import annotations

import numpy as np

from topicrawl.frontier import Frontier, Ids
from topicrawl.frontier.columns import Allocator, Columns, pieces

MEAN_SIBLINGS = 2
"""How many links of mean relevance are added to those of a group: few links say little."""


class Siblings:
    """The groups of links; every edge of the frontier's graph belongs to one."""

    def __init__(self, allocator: Allocator) -> None:
        self._edges = Columns(allocator, group=(np.int32, 0))
        self._groups = Columns(allocator, surplus=(np.float64, 0.0), links=(np.float64, 0.0))
        self._links = Columns(allocator, sum=(np.float64, 0.0))

    def add(self, groups: Ids) -> None:
        """A page was told: the group of each link it contains, by numbers from 0 on that are its own."""
        first = self._edges.grow(len(groups))
        self._edges["group"][first:] = self._groups.size + groups
        self._groups.grow(int(groups.max(initial=0)) + 1)

    def measure(self, frontier: Frontier, mean: float) -> None:
        """By how much links of the same groups were more relevant than the `mean`, on average over a link's groups."""
        self._weigh_groups(frontier, mean)
        surplus, columns = self._groups["surplus"], frontier.columns
        self._links.grow(len(frontier) - self._links.size)
        sums = self._links["sum"]
        sums[:] = 0.0
        for edges, _, targets in frontier.graph.pieces():
            np.add.at(sums, targets, surplus[self._edges["group"][edges]])
        for links in pieces(frontier.allocator, len(frontier)):
            columns["group"][links] = sums[links] / np.maximum(columns["parents_count"][links], 1)

    def _weigh_groups(self, frontier: Frontier, mean: float) -> None:
        judged, told = frontier.columns["judged"], frontier.columns["told"]
        surplus, links = self._groups["surplus"], self._groups["links"]
        surplus[:], links[:] = 0.0, MEAN_SIBLINGS
        for edges, _, targets in frontier.graph.pieces():
            done = told[targets]
            groups = self._edges["group"][edges][done]
            np.add.at(surplus, groups, judged[targets[done]] - mean)
            np.add.at(links, groups, 1.0)
        surplus /= links
