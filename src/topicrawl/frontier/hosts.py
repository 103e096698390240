"""The hosts of the frontier: links, counts and holds of each."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from topicrawl.frontier.columns import Allocator, Columns, in_memory

BUSY, TABU = 1, 2
"""Reasons to hold a host: enough of its links are in flight (or fetched), or a strategy avoids it."""
FEW = 4
"""Capacity for links of a new host."""


class Hosts:
    """Every host of a known link: its links, and counts of those asked, fetched and failed.

    The links of a host are contiguous in one column shared by all hosts: from `_first` to `_next`, with spare capacity
    up to `_end`. When it is used up they move to the end of the column, with twice the capacity.
    """

    def __init__(self, allocator: Allocator = in_memory) -> None:
        self.names: list[str] = []
        self._number: dict[str, int] = {}
        self._links = Columns(allocator, link=(np.int32, -1))
        self._first, self._next, self._end = array("q"), array("q"), array("q")
        self.columns = Columns(
            asked=(np.int32, 0),  # asked and not answered yet
            fetched=(np.int32, 0),
            again=(np.int32, 0),  # of those, pages that had been fetched before
            failed=(np.int32, 0),
            relevance_sum=(np.float64, 0.0),
            held=(np.uint8, 0),  # bits: BUSY, TABU
            closed=(np.bool_, False),  # never asked again
        )

    def __len__(self) -> int:
        return len(self.names)

    @property
    def held(self) -> npt.NDArray[np.uint8]:
        """For each host the reasons why its links may not be chosen now, 0 where they may."""
        return self.columns["held"]

    def number(self, name: str) -> int | None:
        """The host of this name, or None."""
        return self._number.get(name)

    def add_links(self, names: Sequence[str], first: int) -> list[int]:
        """Add the links from number `first` on to the hosts of these names; returns the hosts' numbers."""
        if len({*names}) == 1:
            return [self._add_run(names[0], first, len(names))] * len(names)
        known, links = self._number, self._links["link"].data
        hosts = [known[name] if name in known else self._add(name) for name in names]
        for link, host in enumerate(hosts, first):
            at = self._next[host]
            if at == self._end[host]:
                at = self._move(host, 1)
                links = self._links["link"].data
            links[at] = link
            self._next[host] = at + 1
        return hosts

    def links(self, host: int) -> npt.NDArray[np.int32]:
        """The links known on a host, oldest first; valid until links are added."""
        return self._links["link"][self._first[host] : self._next[host]]

    def _add(self, name: str) -> int:
        host = self._number[name] = self.columns.grow(1)
        self.names.append(name)
        for column in (self._first, self._next, self._end):
            column.append(0)
        return host

    def _add_run(self, name: str, first: int, count: int) -> int:
        """Add links with consecutive numbers to one host, whose number is returned."""
        host = self._number[name] if name in self._number else self._add(name)
        at = self._next[host]
        if at + count > self._end[host]:
            at = self._move(host, count)
        self._links["link"][at : at + count] = np.arange(first, first + count)
        self._next[host] = at + count
        return host

    def _move(self, host: int, more: int) -> int:
        """Move the links of a host to the end, with twice the capacity and room for `more`.

        Returns where the next one goes.
        """
        links = self.links(host)
        first = self._links.grow(max(FEW, 2 * len(links), len(links) + more))
        after = first + len(links)
        self._links["link"][first:after] = links
        self._first[host], self._next[host], self._end[host] = first, after, self._links.size
        return after

    @property
    def nbytes(self) -> int:
        """Bytes held by counters and link lists (not by names)."""
        return self.columns.nbytes + self._links.nbytes
