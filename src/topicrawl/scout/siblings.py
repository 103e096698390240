"""Relevance of links below the same heading of the same page, as a feature of those that wait.

Sums over all links are columns of the frontier's allocator and are computed in pieces, so that memory stays bounded.
"""

from __future__ import annotations

import numpy as np

from topicrawl.frontier import Frontier, Ids
from topicrawl.frontier.columns import Allocator, Columns, pieces
from topicrawl.scout.edge_sums import EACH_AS_ONE

try:
    from topicrawl._native import add_to_targets, add_visited
except ImportError:  # the same in Python, several times slower
    from topicrawl.scout.edge_sums import add_to_targets, add_visited

MEAN_SIBLINGS = 2
"""Links of mean relevance added to those of a group (smoothing)."""


class Siblings:
    """The groups of links; every edge of the frontier's graph belongs to one."""

    def __init__(self, allocator: Allocator) -> None:
        self._edges = Columns(allocator, group=(np.int32, 0))
        self._groups = Columns(allocator, surplus=(np.float64, 0.0), links=(np.float64, 0.0))
        self._links = Columns(allocator, sum=(np.float64, 0.0))

    def add(self, groups: Ids) -> None:
        """Add the links of a visited page: the group of each, numbered from 0 within the page."""
        first = self._edges.grow(len(groups))
        self._edges["group"][first:] = self._groups.size + groups
        self._groups.grow(int(groups.max(initial=0)) + 1)

    def measure(self, frontier: Frontier, mean: float) -> None:
        """Set column `group`: relevance minus `mean` of visited links of the same group, averaged over groups."""
        self._weigh_groups(frontier, mean)
        surplus, columns = self._groups["surplus"], frontier.columns
        self._links.grow(len(frontier) - self._links.size)
        sums = self._links["sum"]
        sums[:] = 0.0
        for edges, _, targets in frontier.graph.pieces():
            add_to_targets(targets, self._edges["group"][edges], surplus, sums)
        for links in pieces(frontier.allocator, len(frontier)):
            columns["group"][links] = sums[links] / np.maximum(columns["parents_count"][links], 1)

    def _weigh_groups(self, frontier: Frontier, mean: float) -> None:
        judged, visited = frontier.columns["judged"], frontier.columns["visited"]
        surplus, links = self._groups["surplus"], self._groups["links"]
        surplus[:], links[:] = 0.0, MEAN_SIBLINGS
        for edges, _, targets in frontier.graph.pieces():
            groups = self._edges["group"][edges]
            add_visited(targets, groups, visited, judged, EACH_AS_ONE, np.array([mean]), surplus, links)
        surplus /= links
