"""The amount of each topic term in the anchors (or the context) of each link, over all pages that contain it.

One linked list of rows a link (term, amount, previous row), each term once, so that a link on every page of a site
costs no more than its different terms. 20 bytes a row and 4 a link; a dictionary a link would cost hundreds. Lists are
read one number at a time through memory views, which are several times faster than NumPy there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import ClassVar, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from topicrawl.frontier.columns import Allocator, Columns, in_memory
from topicrawl.model import Ints

END = -1


class Triples(NamedTuple):
    """Amounts as columns, each pair of place and term once."""

    places: Ints
    terms: Ints
    amounts: npt.NDArray[np.float64]


class TermAmounts:
    """Amounts of terms, accumulated per link."""

    not_stored: ClassVar = ("_last", "_term", "_previous", "_amount")

    def __init__(self, allocator: Allocator = in_memory) -> None:
        self._links = Columns(allocator, last=(np.int32, END))
        self._rows = Columns(
            allocator,
            link=(np.int32, 0),
            term=(np.int32, 0),
            amount=(np.float64, 0.0),
            previous=(np.int32, END),
        )
        self.remake()

    def add(self, triples: Iterable[tuple[int, int, float]]) -> None:
        """Add (link, term, amount) triples."""
        fresh: dict[tuple[int, int], float] = {}
        for link, term, amount in triples:
            row = self._find(link, term)
            if row == END:
                fresh[link, term] = fresh.get((link, term), 0.0) + amount
            else:
                self._amount[row] += amount
        if fresh:
            self._append(fresh)

    def of(self, link: int) -> dict[int, float]:
        """The amounts of a link, {} where none is known."""
        return {self._term[row]: self._amount[row] for row in self._chain(link)}

    def triples(self, links: Sequence[int]) -> Triples:
        """The amounts of several links; the places are those in `links`."""
        chains = [self._chain(link) for link in links]
        places = np.repeat(np.arange(len(links), dtype=np.int32), [len(rows) for rows in chains])
        rows = np.fromiter(chain.from_iterable(chains), np.int64, len(places))
        return Triples(places, self._rows["term"][rows], self._rows["amount"][rows])

    def mixed(self) -> Triples:
        """The amounts of all links with two or more terms; the places are the links themselves."""
        links = self._rows["link"]
        several = np.bincount(links, minlength=1)[links] > 1
        return Triples(links[several], self._rows["term"][several], self._rows["amount"][several])

    def _chain(self, link: int) -> list[int]:
        """The rows of a link, the latest first."""
        previous, rows = self._previous, []
        row = self._last[link] if link < len(self._last) else END
        while row != END:
            rows.append(row)
            row = previous[row]
        return rows

    def _find(self, link: int, term: int) -> int:
        """The row of a link's amount of a term, or END."""
        terms, previous = self._term, self._previous
        row = self._last[link] if link < len(self._last) else END
        while row != END and terms[row] != term:
            row = previous[row]
        return row

    def _append(self, fresh: Mapping[tuple[int, int], float]) -> None:
        links, terms = zip(*fresh, strict=True)
        self._links.grow(max(0, max(links) + 1 - self._links.size))
        first = self._rows.grow(len(fresh))
        self._rows["link"][first:] = links
        self._rows["term"][first:] = terms
        self._rows["amount"][first:] = list(fresh.values())
        self.remake()
        last, previous = self._last, self._previous
        for row, link in enumerate(links, first):
            previous[row] = last[link]
            last[link] = row

    def remake(self) -> None:
        """Make memory views, which read single numbers faster than NumPy."""
        self._last, self._term = self._links["last"].data, self._rows["term"].data
        self._previous = self._rows["previous"].data
        self._amount = cast("memoryview[float]", self._rows["amount"].data)
