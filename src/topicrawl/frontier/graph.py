"""The link graph as it grows: pages (by link number) and the links they contain, in compressed rows.

Edges are numbered in the order the pages were visited. Each stores the previous edge to the same link, so that the
pages that contain a link form a linked list, the latest first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from topicrawl.frontier.columns import Allocator, Columns, in_memory, pieces

END = -1
Numbers = npt.NDArray[np.int32]
_NONE: Numbers = np.empty(0, dtype=np.int32)


class Graph:
    """Edges page → link; 8 bytes an edge (12 where anchors are weighed), 12 a page and 8 a link."""

    not_stored: ClassVar = ("_allocator",)

    def __init__(self, allocator: Allocator = in_memory) -> None:
        self._allocator = allocator
        self._edges = Columns(allocator, target=(np.int32, -1), previous=(np.int32, END))
        self._pages = Columns(allocator, page=(np.int32, -1), end=(np.int32, 0), out_degree=(np.int32, 0))
        self._links = Columns(allocator, last=(np.int32, END), row=(np.int32, END))
        self._weighed = False

    def add(self, page: int, targets: npt.NDArray[np.int64], out_degree: int) -> None:
        """Add a visited page with its known, different links; `out_degree` also counts those out of scope.

        Links of a page that was added before (found on it later) are edges like the others, but not in `targets`.
        """
        first = self._edges.grow(len(targets))
        self._edges["target"][first:] = targets
        self._links.grow(max(0, 1 + max(page, int(targets.max(initial=0))) - self._links.size))
        self._chain(targets, first)
        row = self._pages.grow(1)
        self._pages["page"][row] = page
        self._pages["end"][row] = self._edges.size
        self._pages["out_degree"][row] = out_degree
        if self._links["row"][page] == END:
            self._links["row"][page] = row

    @property
    def size(self) -> int:
        """Number of edges."""
        return self._edges.size

    def targets(self, page: int) -> Numbers:
        """The known links a visited page contains, in document order."""
        return self._edges["target"][self._span(page)]

    def all_targets(self, page: int) -> Numbers:
        """The links of a visited page with those that were found on it later; one pass over all pages."""
        ends = self._pages["end"]
        spans = [
            (int(ends[row - 1]) if row else 0, int(ends[row]))
            for row in np.flatnonzero(self._pages["page"] == page)
        ]
        return np.concatenate([self._edges["target"][begin:end] for begin, end in spans] or [_NONE])

    def sources(self, link: int, most: int | None = None) -> list[int]:
        """The visited pages that contain a link, the latest first; at most `most` of them."""
        edges: list[int] = []
        previous = self._edges["previous"]
        edge = int(self._links["last"][link]) if link < self._links.size else END
        while edge != END and (most is None or len(edges) < most):
            edges.append(edge)
            edge = int(previous[edge])
        rows = np.searchsorted(self._pages["end"], edges, side="right")
        pages: list[int] = self._pages["page"][rows].tolist()
        return pages

    def edges(self) -> tuple[Numbers, Numbers]:
        """All edges as (source, target) columns."""
        return np.repeat(self._pages["page"], np.diff(self._pages["end"], prepend=0)), self._edges["target"]

    def pieces(self) -> Iterator[tuple[slice, Numbers, Numbers]]:
        """All edges in order, in pieces: the slice of edge numbers, then columns of sources and targets."""
        pages, ends = self._pages["page"], self._pages["end"]
        for edges in pieces(self._allocator, self.size):
            first, last = np.searchsorted(ends, [edges.start, edges.stop - 1], side="right")
            counts = np.diff(np.minimum(ends[first : last + 1], edges.stop), prepend=edges.start)
            yield edges, np.repeat(pages[first : last + 1], counts), self._edges["target"][edges]

    def out_degree(self, page: int) -> int:
        """How many different links a visited page contains, those out of scope included."""
        row = self._row(page)
        return 0 if row == END else int(self._pages["out_degree"][row])

    def weigh(self, page: int, relevances: npt.NDArray[np.float64]) -> None:
        """Set the anchor relevances of a visited page, one for each of its `targets`; 0 until set."""
        if not self._weighed:
            self._weighed = True
            self._edges.add("anchor", np.float32, 0.0)
        self._edges["anchor"][self._span(page)] = relevances

    def anchors_of(self, page: int) -> npt.NDArray[np.float32]:
        """The anchor relevances of a visited page."""
        span = self._span(page)
        return self._edges["anchor"][span] if self._weighed else np.zeros(span.stop - span.start, np.float32)

    def rows(self) -> tuple[Numbers, Numbers, Numbers]:
        """The visited pages, where the edges of each end, and their out-degrees: a sparse matrix by rows."""
        return self._pages["page"], self._pages["end"], self._pages["out_degree"]

    def columns(self) -> tuple[Numbers, npt.NDArray[np.float32]]:
        """Target and anchor relevance of every edge, in the order of `rows`."""
        anchors = self._edges["anchor"] if self._weighed else np.zeros(self.size, np.float32)
        return self._edges["target"], anchors

    def _row(self, page: int) -> int:
        """The row of a visited page, or END."""
        return int(self._links["row"][page]) if page < self._links.size else END

    def _span(self, page: int) -> slice:
        row = self._row(page)
        if row == END:
            return slice(0, 0)
        end = self._pages["end"]
        return slice(int(end[row - 1]) if row else 0, int(end[row]))

    def _chain(self, targets: npt.NDArray[np.int64], first: int) -> None:
        last = self._links["last"]
        self._edges["previous"][first:] = last[targets]
        last[targets] = np.arange(first, first + len(targets))
