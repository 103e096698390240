"""The host as a unit of learning: what its pages were worth so far, and how many other hosts they led to.

On a web of many hosts most hosts are about one thing. Once the known links of the good ones are fetched, a crawl gains
by trying hosts it has not seen, and by lists that name such hosts, instead of further pages of hosts that brought
nothing. On a web of one host all three features are the same for every link.
"""

from __future__ import annotations

import numpy as np

from topicrawl.frontier import Floats, Frontier, Ids
from topicrawl.frontier.columns import Columns

MEAN_PAGES = 1
"""Pages of mean relevance added to those of a host (smoothing)."""
FEW_PAGES = 3
"""Pages without new hosts added to those of a host (smoothing)."""
MANY_HOSTS = 5.0
"""New hosts for each page, at which `outward` is 1."""


class HostYields:
    """Features of links by host: `host`, `fresh` and `outward`."""

    def __init__(self) -> None:
        self._hosts = Columns(pages=(np.float64, 0.0), relevance=(np.float64, 0.0), shown=(np.float64, 0.0))

    def add_page(self, host: int, frontier: Frontier) -> None:
        """Count the hosts that became known since the last call as shown by a page of `host` (−1: by none)."""
        known = self._hosts.grow(len(frontier.hosts) - self._hosts.size)
        if host >= 0:
            self._hosts["shown"][host] += self._hosts.size - known

    def count(self, hosts: Ids, relevances: Floats) -> None:
        """Set what is known of hosts from those of all visited pages, and their relevances."""
        size = self._hosts.size
        self._hosts["pages"][:] = np.bincount(hosts, minlength=size)
        self._hosts["relevance"][:] = np.bincount(hosts, relevances, size)

    def measure(self, columns: Columns, links: Ids, mean: float) -> None:
        """Set the features of links: relevance minus `mean` of the host, whether none of it was visited, new hosts."""
        host = columns["host"][links]
        pages = self._hosts["pages"][host]
        columns["host_yield"][links] = (self._hosts["relevance"][host] - mean * pages) / (pages + MEAN_PAGES)
        columns["fresh"][links] = pages == 0
        columns["outward"][links] = np.minimum(
            self._hosts["shown"][host] / (pages + FEW_PAGES) / MANY_HOSTS, 1.0
        )
