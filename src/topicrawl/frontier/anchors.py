"""Which topic terms stand in the anchors of each link, over all pages that contain it.

A chain of triples a link (term, count, previous triple), each term once in it, so that a link on every page of a site
costs no more than one with as many terms. 12 bytes a triple and 4 a link; a dictionary a link would cost hundreds.
`array` rather than numpy: chains are walked one number at a time.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np

from topicrawl.model import Ints

END = -1


class Anchors:
    """Term counts of anchors, accumulated per link."""

    def __init__(self) -> None:
        self._last = array("i")
        self._term = array("i")
        self._count = array("i")
        self._previous = array("i")

    def add(self, triples: Iterable[tuple[int, int, int]]) -> set[int]:
        """Add (link, term, count) triples; returns the links they belong to."""
        links = set()
        for link, term, count in triples:
            links.add(link)
            row = self._find(link, term)
            if row == END:
                self._append(link, term, count)
            else:
                self._count[row] += count
        return links

    def of(self, link: int) -> dict[int, int]:
        """Counts of the terms in all anchors of `link` together, {} where none is known."""
        return {self._term[row]: self._count[row] for row in self._chain(link)}

    def triples(self, links: Sequence[int]) -> tuple[Ints, Ints, Ints]:
        """The counts of several links as columns (place in `links`, term, count), each pair once."""
        chains = [self._chain(link) for link in links]
        places = np.repeat(np.arange(len(links), dtype=np.int32), [len(rows) for rows in chains])
        rows = np.fromiter(chain.from_iterable(chains), np.int64, len(places))
        return places, np.asarray(self._term)[rows], np.asarray(self._count)[rows]

    def _chain(self, link: int) -> list[int]:
        """The rows of a link's triples, the latest first."""
        previous, rows = self._previous, []
        row = self._last[link] if link < len(self._last) else END
        while row != END:
            rows.append(row)
            row = previous[row]
        return rows

    def _find(self, link: int, term: int) -> int:
        """The row where a link's count of a term stands, or END."""
        terms, previous = self._term, self._previous
        row = self._last[link] if link < len(self._last) else END
        while row != END and terms[row] != term:
            row = previous[row]
        return row

    def _append(self, link: int, term: int, count: int) -> None:
        missing = link + 1 - len(self._last)
        if missing > 0:
            self._last.extend([END] * missing)
        self._previous.append(self._last[link])
        self._last[link] = len(self._term)
        self._term.append(term)
        self._count.append(count)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return sum(column.__sizeof__() for column in (self._last, self._term, self._count, self._previous))
