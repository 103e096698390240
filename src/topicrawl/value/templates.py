"""Relevance of links at the same place of a template, and of links on the same page, as features of those that wait.

The place is the tag path (page/tag_paths.py). What links at a place led to is learned for all hosts together, and for
the host of the page, which shrinks towards the former: a new host begins with what others taught. A visited link counts
as one, shared among the pages that contain it: links of a menu, found on every page, would outweigh all others.

Places are hashed into a fixed number of buckets, so that memory does not grow with their number; 4 bytes an edge. Sums
over links are computed in pieces, as in siblings.py.
"""

from __future__ import annotations

import zlib

import numpy as np

from topicrawl.frontier import Floats, Frontier, Ids
from topicrawl.frontier.columns import Allocator, Columns, pieces
from topicrawl.model import Links
from topicrawl.page.tag_paths import NO_PATH

BUCKETS = 1 << 16
UNKNOWN = 0
"""The bucket of links without a tag path: nothing is learned of them."""
MEAN_PLACES = 3
"""Links added to those of a place (smoothing): of mean relevance, and for a host as the place is elsewhere."""
MEAN_LINKS = 2
"""Links of mean relevance added to those of a page (smoothing)."""


class Templates:
    """The places of links; every edge of the frontier's graph has one."""

    def __init__(self, allocator: Allocator) -> None:
        self._edges = Columns(allocator, place=(np.uint16, UNKNOWN), of_host=(np.uint16, UNKNOWN))
        self._links = Columns(
            allocator, shown=(np.float64, 0.0), sum=(np.float64, 0.0), page=(np.float64, 0.0)
        )

    def add(self, host: str, links: Links, rows: Ids) -> None:
        """Add the edges of a visited page on `host`: for each the row of `links` where it is found first."""
        first = self._edges.grow(len(rows))
        if not links.path_numbers:
            return
        numbers = np.frombuffer(links.path_numbers, dtype=np.uint8)[rows]
        known = numbers != NO_PATH
        for name, start in (("place", ""), ("of_host", host)):
            buckets = np.array([_bucket(f"{start} {path}") for path in links.tag_paths], dtype=np.uint16)
            self._edges[name][first:][known] = buckets[numbers[known]]

    def measure(self, frontier: Frontier, mean: float) -> None:
        """Set the columns `path` and `page`: relevance minus `mean`, averaged over the pages that contain a link."""
        columns, allocator = frontier.columns, frontier.allocator
        self._links.grow(len(frontier) - self._links.size)
        places, of_hosts = self._learn(frontier, mean)
        on_page, sums, page_sums = self._links["shown"], self._links["sum"], self._links["page"]
        sums[:], page_sums[:] = 0.0, 0.0
        for edges, sources, targets in frontier.graph.pieces():
            place, of_host = self._edges["place"][edges], self._edges["of_host"][edges]
            np.add.at(sums, targets, _shrunk(of_hosts[:, of_host], places[place]))
            np.add.at(page_sums, targets, on_page[sources])
        for links in pieces(allocator, len(frontier)):
            parents = np.maximum(columns["parents_count"][links], 1)
            columns["path"][links] = sums[links] / parents
            columns["page"][links] = page_sums[links] / parents

    def _learn(self, frontier: Frontier, mean: float) -> tuple[Floats, Floats]:
        """What visited links led to: for each place; sum and number for each place of a host; by page in `shown`."""
        judged, visited = frontier.columns["judged"], frontier.columns["visited"]
        parents = frontier.columns["parents_count"]
        totals = {name: np.zeros((2, BUCKETS)) for name in ("place", "of_host")}
        on_page, counts = self._links["shown"], self._links["sum"]
        on_page[:], counts[:] = 0.0, MEAN_LINKS
        for edges, sources, targets in frontier.graph.pieces():
            done = np.flatnonzero(visited[targets])
            surplus = judged[targets[done]] - mean
            share = 1.0 / np.maximum(parents[targets[done]], 1)
            for name, total in totals.items():
                buckets = self._edges[name][edges][done]
                total[0] += np.bincount(buckets, surplus * share, minlength=BUCKETS)
                total[1] += np.bincount(buckets, share, minlength=BUCKETS)
            np.add.at(on_page, sources[done], surplus)
            np.add.at(counts, sources[done], 1.0)
        on_page /= counts
        for total in totals.values():
            total[:, UNKNOWN] = 0.0
        return _shrunk(totals["place"], 0.0), totals["of_host"]


def _shrunk(total: Floats, towards: Floats | float) -> Floats:
    """The mean of `total` (sum, number), with `MEAN_PLACES` more members of the value `towards`."""
    shrunk: Floats = (total[0] + MEAN_PLACES * towards) / (total[1] + MEAN_PLACES)
    return shrunk


def _bucket(place: str) -> int:
    return 1 + zlib.crc32(place.encode()) % (BUCKETS - 1)
