"""Relevance of the other links of the same page, as a feature of those that wait.

Lists whose headings are no headings in the markup, and pages without any, are seen by this alone. Sums over all links
are columns of the frontier's allocator and are computed in pieces, so that memory stays bounded.
"""

from __future__ import annotations

import numpy as np

from topicrawl.frontier import Frontier
from topicrawl.frontier.columns import Allocator, Columns, pieces

MEAN_LINKS = 3
"""Links of mean relevance added to those of a page (smoothing)."""


class PageYields:
    """What the visited links of each page brought."""

    def __init__(self, allocator: Allocator) -> None:
        self._pages = Columns(
            allocator, surplus=(np.float32, 0.0), links=(np.float32, 0.0), sum=(np.float32, 0.0)
        )

    def measure(self, frontier: Frontier, mean: float) -> None:
        """Set column `page`: relevance minus `mean` of visited links of the same page, averaged over pages."""
        self._pages.grow(len(frontier) - self._pages.size)
        self._weigh_pages(frontier, mean)
        surplus, sums, columns = self._pages["surplus"], self._pages["sum"], frontier.columns
        sums[:] = 0.0
        for _, sources, targets in frontier.graph.pieces():
            np.add.at(sums, targets, surplus[sources])
        for links in pieces(frontier.allocator, len(frontier)):
            columns["page"][links] = sums[links] / np.maximum(columns["parents_count"][links], 1)

    def _weigh_pages(self, frontier: Frontier, mean: float) -> None:
        judged, visited = frontier.columns["judged"], frontier.columns["visited"]
        surplus, links = self._pages["surplus"], self._pages["links"]
        surplus[:], links[:] = 0.0, MEAN_LINKS
        for _, sources, targets in frontier.graph.pieces():
            done = visited[targets]
            np.add.at(surplus, sources[done], judged[targets[done]] - mean)
            np.add.at(links, sources[done], 1.0)
        surplus /= links
