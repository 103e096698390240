"""The host as a unit of learning: what its pages were worth so far, and how many other hosts they led to.

On a web of many hosts most hosts are about one thing. Once the known links of the good ones are fetched, a crawl gains
by trying hosts it has not seen, and by lists that name such hosts, instead of further pages of hosts that brought
nothing. How far this holds is measured: a host says much where relevant pages are on hosts whose pages are relevant far
more often than the mean page. On a web of one host, and as long as all pages are relevant, that is not so, and then
the column `host_worth` is 0.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from topicrawl.frontier import Floats, Frontier, Ids
from topicrawl.frontier.columns import Columns

try:
    from topicrawl._native import measure_hosts
except ImportError:  # the same in Python, several times slower
    from topicrawl.scout.link_features import measure_hosts

DOUBT = 0.25
"""Doubt that a host is like its visited pages, in pages: one visited page counts .8, two .89."""
LEAST_MEAN = 0.02
"""Mean relevance that a host is compared with, at least."""
FEW_PAGES = 3
"""Pages that led to no other host, added to those of a host (smoothing)."""
NOTICED = 0.05
"""A fall of a host's worth that its links are told at once."""


class Hosts:
    """The worth of each host, as the column `host_worth` of its links."""

    def __init__(self) -> None:
        self._level, self._concentration = LEAST_MEAN, 0.0
        """Mean relevance of the hosts that relevant pages are on, and how far the mean page falls short of it."""
        self._is_taught = False
        self._hosts = Columns(pages=(np.float64, 0.0), relevance=(np.float64, 0.0), shown=(np.float64, 0.0))

    def add_page(self, link: int, relevance: float, frontier: Frontier) -> bool:
        """Count a visited page; whether the links of its host lost much by it.

        The first page of a host is counted for the host where its link was first found. Hosts are not counted when they
        become known: most that pages name may be dead.
        """
        columns, known = frontier.columns, self._hosts
        host, parent = int(columns["host"][link]), int(columns["parent"][link])
        self.know(frontier)
        before = self._worth(host)
        if parent >= 0 and known["pages"][host] == 0 and columns["host"][parent] != host:
            known["shown"][columns["host"][parent]] += 1
        known["pages"][host] += 1
        known["relevance"][host] += relevance
        return before - self._worth(host) >= NOTICED

    def know(self, frontier: Frontier) -> None:
        """Make room for all hosts of the frontier."""
        self.grow(len(frontier.hosts))

    def grow(self, hosts: int) -> None:
        """Make room for so many hosts."""
        self._hosts.grow(hosts - self._hosts.size)

    def count(self, hosts: Ids, relevances: Floats, mean: float) -> None:
        """Set what is known of hosts from those of all visited pages, and their relevances, whose mean is `mean`."""
        size = self._hosts.size
        self._hosts["pages"][:] = pages = np.bincount(hosts, minlength=size)
        self._hosts["relevance"][:] = relevance = np.bincount(hosts, relevances, size)
        if self._is_taught:
            return
        total = relevance.sum()
        if total > 0:
            self._level = max(float((relevance * relevance / np.maximum(pages, 1)).sum() / total), LEAST_MEAN)
        self._concentration = min(max(1 - mean / self._level, 0.0), 1.0)

    @property
    def says(self) -> tuple[float, float]:
        """How much a host says: what `take` takes."""
        return self._level, self._concentration

    def take(self, level: float, concentration: float, shown: Mapping[str, int], frontier: Frontier) -> None:
        """Use what was learned of hosts elsewhere: `shown` are the other hosts that pages of a host led to."""
        self._is_taught = True
        self._level, self._concentration = level, concentration
        self.know(frontier)
        for name, count in shown.items():
            if (host := frontier.hosts.number(name)) is not None:
                self._hosts["shown"][host] = count

    def measure(self, columns: Columns, links: Ids) -> None:
        """Set the column `host_worth` of links, times how much a host says.

        A host that led to others is worth up to 1; one whose pages fall short of hosts of relevant pages down to −1.
        """
        constants = np.array([self._level, self._concentration, DOUBT, FEW_PAGES])
        known = self._hosts["pages"], self._hosts["relevance"], self._hosts["shown"]
        measure_hosts(links, columns["host"], *known, constants, columns["host_worth"])

    def _worth(self, host: int) -> float:
        """Worth that poor pages take from a host, at most 0: one that leads to others is spared as far as it does."""
        pages, relevance = float(self._hosts["pages"][host]), float(self._hosts["relevance"][host])
        led = min(float(self._hosts["shown"][host]) / (pages + FEW_PAGES), 1.0)
        poor = max(1 - relevance / max(pages, 1.0) / self._level, 0.0) * pages / (pages + DOUBT)
        return -self._concentration * poor * (1 - led)
