"""Relevance of links at the same place of a template, and of links on the same page, as features of those that wait.

The place is the tag path (page/tag_paths.py). What links at a place led to is learned for all hosts together, and for
the host of the page, which shrinks towards the former: a new host begins with what others taught. A visited link counts
as one, shared among the pages that contain it: links of a menu, found on every page, would outweigh all others.

Places are hashed into a fixed number of buckets, so that memory does not grow with their number; 2 bytes an edge. Sums
over links are computed in pieces, as in siblings.py.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Floats, Frontier, Ids
from topicrawl.frontier.columns import Allocator, Columns, pieces
from topicrawl.model import Ints, Links
from topicrawl.scout.edge_sums import EACH_AS_ONE

try:
    from topicrawl._native import add_places, add_to_targets, add_visited
except ImportError:  # the same in Python, several times slower
    from topicrawl.scout.edge_sums import add_places, add_to_targets, add_visited

BUCKETS = 1 << 16
UNKNOWN = 0
"""The bucket of links without a tag path: nothing is learned of them."""
MEAN_PLACES = 3
"""Links added to those of a place (smoothing): of mean relevance, and for a host as the place is elsewhere."""
MEAN_LINKS = 2
"""Links of mean relevance added to those of a page (smoothing)."""
REMEMBERED = 1 << 12
"""Places whose buckets are cached: the pages of a host have the same ones."""


class Templates:
    """The places of links; every edge of the frontier's graph has one."""

    not_stored: ClassVar = ("_places", "_memory")

    def __init__(self, allocator: Allocator) -> None:
        self._edges = Columns(allocator, place=(np.uint16, UNKNOWN))
        self._links = Columns(
            allocator, shown=(np.float64, 0.0), sum=(np.float64, 0.0), page=(np.float64, 0.0)
        )
        self._everywhere = np.zeros(BUCKETS, dtype=np.uint16)
        """For each place of a host the same place without the host."""
        self._worth = np.zeros(BUCKETS)
        """Relevance above the mean that links at a place of a host, or of any host, led to."""
        self._places = lru_cache(REMEMBERED)(self._place)
        self._memory = np.zeros((2, BUCKETS))
        """For sums by place, which are computed again and again."""

    def add(self, host: str, links: Links, rows: Ids, targets: Ids, columns: Columns) -> None:
        """Add the edges of a visited page on `host` to `targets`: for each the row of `links` where it is first.

        Links found for the first time get the column `path` as it was last measured.
        """
        first = self._edges.grow(len(rows))
        if not links.path_numbers:
            return
        known = self._places
        places = np.array([*[known(host, path) for path in links.tag_paths], UNKNOWN], np.uint16)
        numbers = np.frombuffer(links.path_numbers, np.uint8)
        edges, parents = self._edges["place"][first:], columns["parents_count"]
        add_places(numbers, rows, places, targets, parents, self._worth, edges, columns["path"])

    def places(self, host: str, links: Links, rows: Sequence[int]) -> list[int]:
        """The places of the links in `rows` of a page on `host`."""
        known = [self._places(host, path) for path in links.tag_paths] + [UNKNOWN]
        numbers, last = links.path_numbers or bytes([len(known) - 1]) * len(links.urls), len(known) - 1
        return [known[min(numbers[row], last)] for row in rows]

    def add_places(self, places: npt.NDArray[np.uint16], targets: Ids, columns: Columns) -> None:
        """Add the edges of pages that were recorded together to `targets`, with the place of each; as `add` does."""
        first = self._edges.grow(len(places))
        self._edges["place"][first:] = places
        different, at, counts = np.unique(targets, return_index=True, return_counts=True)
        fresh = columns["parents_count"][different] <= counts
        columns["path"][different[fresh]] = self._worth[places[at[fresh]]]

    def _place(self, host: str, path: str) -> int:
        """The bucket of a place; one met for the first time is worth what it is elsewhere."""
        place, everywhere = BUCKETS // 2 + _bucket(f"{host} {path}"), _bucket(path)
        if self._everywhere[place] == UNKNOWN:
            self._everywhere[place] = everywhere
            self._worth[place] = self._worth[everywhere]
        return place

    def measure(self, frontier: Frontier, mean: float) -> None:
        """Set the columns `path` and `page`: relevance minus `mean`, averaged over the pages that contain a link."""
        columns = frontier.columns
        self._links.grow(len(frontier) - self._links.size)
        self._learn(frontier, mean)
        on_page, sums, page_sums = self._links["shown"], self._links["sum"], self._links["page"]
        sums[:], page_sums[:] = 0.0, 0.0
        for edges, sources, targets in frontier.graph.pieces():
            add_to_targets(targets, self._places_of(edges), self._worth, sums)
            add_to_targets(targets, sources, on_page, page_sums)
        for links in pieces(frontier.allocator, len(frontier)):
            parents = np.maximum(columns["parents_count"][links], 1)
            columns["path"][links] = sums[links] / parents
            columns["page"][links] = page_sums[links] / parents

    def _learn(self, frontier: Frontier, mean: float) -> None:
        """Compute what visited links led to, for each place, and for each page in column `shown`."""
        judged, visited = frontier.columns["judged"], frontier.columns["visited"]
        parents = frontier.columns["parents_count"]
        self._memory.fill(0.0)
        sums, counts = self._memory
        on_page, shown = self._links["shown"], self._links["sum"]
        on_page[:], shown[:] = 0.0, MEAN_LINKS
        for edges, sources, targets in frontier.graph.pieces():
            known = visited, judged, parents, np.array([mean])
            add_visited(targets, self._places_of(edges), *known, sums, counts)
            add_visited(targets, sources, visited, judged, EACH_AS_ONE, known[-1], on_page, shown)
        on_page /= shown
        sums[UNKNOWN] = counts[UNKNOWN] = 0.0
        self._weigh(sums, counts)

    def _places_of(self, edges: slice) -> Ints:
        return self._edges["place"][edges].astype(np.int32)

    def _weigh(self, sums: Floats, counts: Floats) -> None:
        """Set the worth of all places from the sum of relevance and the number of links of each place of a host."""
        known = np.flatnonzero(self._everywhere)
        everywhere = self._everywhere[known]
        different, place, _ = np.unique(everywhere, return_inverse=True, return_counts=True)
        all_sums, all_counts = np.bincount(place, sums[known]), np.bincount(place, counts[known])
        self._worth.fill(0.0)
        self._worth[different] = all_sums / (all_counts + MEAN_PLACES)
        towards = self._worth[everywhere]
        self._worth[known] = (sums[known] + MEAN_PLACES * towards) / (counts[known] + MEAN_PLACES)


@lru_cache(REMEMBERED)
def _bucket(place: str) -> int:
    """A bucket of the lower half, for places of any host; those of one host are in the upper half."""
    return 1 + zlib.crc32(place.encode()) % (BUCKETS // 2 - 1)
