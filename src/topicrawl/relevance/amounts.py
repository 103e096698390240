"""How much of each topic term stands in the anchors (or the surroundings) of each link, over all pages that contain
it.

A chain of rows a link (term, amount, previous row), each term once in it, so that a link on every page of a site
costs no more than one with as many terms. 20 bytes a row and 4 a link; a dictionary a link would cost hundreds.
`array` rather than numpy: chains are walked one number at a time.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from topicrawl.model import Ints

END = -1


class Triples(NamedTuple):
    """Amounts as columns, each pair of place and term once."""

    places: Ints
    terms: Ints
    amounts: npt.NDArray[np.float64]


class Amounts:
    """Amounts of terms, accumulated per link."""

    def __init__(self) -> None:
        self._last = array("i")
        self._link = array("i")
        self._term = array("i")
        self._amount = array("d")
        self._previous = array("i")

    def add(self, triples: Iterable[tuple[int, int, float]]) -> None:
        """Add (link, term, amount) triples."""
        for link, term, amount in triples:
            row = self._find(link, term)
            if row == END:
                self._append(link, term, amount)
            else:
                self._amount[row] += amount

    def of(self, link: int) -> dict[int, float]:
        """The amounts of a link, {} where none is known."""
        return {self._term[row]: self._amount[row] for row in self._chain(link)}

    def triples(self, links: Sequence[int]) -> Triples:
        """The amounts of several links; the places are those in `links`."""
        chains = [self._chain(link) for link in links]
        places = np.repeat(np.arange(len(links), dtype=np.int32), [len(rows) for rows in chains])
        rows = np.fromiter(chain.from_iterable(chains), np.int64, len(places))
        return Triples(places, np.asarray(self._term)[rows], np.asarray(self._amount)[rows])

    def mixed(self) -> Triples:
        """The amounts of all links with two or more terms; the places are the links themselves."""
        links = np.array(self._link, dtype=np.int32)
        several = np.bincount(links, minlength=1)[links] > 1
        terms, amounts = np.array(self._term, dtype=np.int32), np.array(self._amount)
        return Triples(links[several], terms[several], amounts[several])

    def _chain(self, link: int) -> list[int]:
        """The rows of a link, the latest first."""
        previous, rows = self._previous, []
        row = self._last[link] if link < len(self._last) else END
        while row != END:
            rows.append(row)
            row = previous[row]
        return rows

    def _find(self, link: int, term: int) -> int:
        """The row where a link's amount of a term stands, or END."""
        terms, previous = self._term, self._previous
        row = self._last[link] if link < len(self._last) else END
        while row != END and terms[row] != term:
            row = previous[row]
        return row

    def _append(self, link: int, term: int, amount: float) -> None:
        missing = link + 1 - len(self._last)
        if missing > 0:
            self._last.extend([END] * missing)
        self._previous.append(self._last[link])
        self._last[link] = len(self._term)
        self._link.append(link)
        self._term.append(term)
        self._amount.append(amount)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        columns = (self._last, self._link, self._term, self._amount, self._previous)
        return sum(column.__sizeof__() for column in columns)
