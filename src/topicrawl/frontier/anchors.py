"""Which topic terms stand in the anchors of each link, over all pages that contain it.

Triples (term, count, previous triple of the same link) in growing columns: 12 bytes a triple and 4 a link, where a
dictionary per link would cost hundreds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from topicrawl.frontier.columns import Columns
from topicrawl.model import Ints


class Anchors:
    """Term counts of anchors, accumulated per link."""

    def __init__(self) -> None:
        self._links = Columns(last=(np.int32, -1))
        self._triples = Columns(term=(np.int32, 0), count=(np.int32, 0), previous=(np.int32, -1))

    def add(self, triples: Iterable[tuple[int, int, int]]) -> set[int]:
        """Add (link, term, count) triples; returns the links they belong to."""
        rows = list(triples)
        if not rows:
            return set()
        links = {link for link, _, _ in rows}
        self._links.grow(max(0, max(links) + 1 - self._links.size))
        last = self._links["last"]
        first = self._triples.grow(len(rows))
        term, count, previous = (self._triples[name] for name in ("term", "count", "previous"))
        for row, (link, number, times) in enumerate(rows, first):
            term[row], count[row] = number, times
            previous[row] = last[link]
            last[link] = row
        return links

    def of(self, link: int) -> dict[int, int]:
        """Counts of the terms in all anchors of `link` together, {} where none is known."""
        counts: dict[int, int] = {}
        term, count, previous = (self._triples[name] for name in ("term", "count", "previous"))
        row = int(self._links["last"][link]) if link < self._links.size else -1
        while row >= 0:
            number = int(term[row])
            counts[number] = counts.get(number, 0) + int(count[row])
            row = int(previous[row])
        return counts

    def triples(self, links: Sequence[int]) -> tuple[Ints, Ints, Ints]:
        """The counts of several links as columns (place in `links`, term, count), each pair once."""
        rows = [
            (place, term, count) for place, link in enumerate(links) for term, count in self.of(link).items()
        ]
        place, term, count = np.array(rows, dtype=np.int32).reshape(-1, 3).T
        return place, term, count

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self._triples.nbytes + self._links.nbytes
