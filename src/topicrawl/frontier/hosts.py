"""The hosts of the frontier: the unit of politeness, of memory and, one day, of sharding."""

from __future__ import annotations

from array import array

import numpy as np
import numpy.typing as npt

from topicrawl.frontier.columns import Columns

BUSY, TABU = 1, 2
"""Why a host is held: enough of its links are in flight (or fetched), or a strategy keeps away from it."""


class Hosts:
    """Every host of a known link: its links, and what became of those that were asked."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._number: dict[str, int] = {}
        self._links: list[array[int]] = []
        self.columns = Columns(
            asked=(np.int32, 0),  # asked and not answered yet
            fetched=(np.int32, 0),
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

    def add_link(self, name: str, link: int) -> int:
        """Note that `link` lives on the host called `name`; returns the host's number."""
        host = self._number.get(name)
        if host is None:
            host = self._number[name] = self.columns.grow(1)
            self.names.append(name)
            self._links.append(array("i"))
        self._links[host].append(link)
        return host

    def links(self, host: int) -> npt.NDArray[np.int32]:
        """The links known on a host, oldest first."""
        return np.array(self._links[host], dtype=np.int32)

    @property
    def nbytes(self) -> int:
        """Bytes held by counters and link lists (not by names)."""
        return self.columns.nbytes + sum(links.__sizeof__() for links in self._links)
