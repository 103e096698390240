"""The host as a unit of learning: what its pages were worth so far, and how many other hosts they led to.

On a web of many hosts most hosts are about one thing. Once the known links of the good ones are fetched, a crawl gains
by trying hosts it has not seen, and by lists that name such hosts, instead of further pages of hosts that brought
nothing. On a web of one host all three features are the same for every link.

A crawl that has run dry has a low mean, and then hosts hardly differ in relevance above it. So there is the ratio too.
New hosts are worth what those were that the crawl tried before: where each gives a page or two, as home pages of
universities do, lists of hosts are worth little.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from topicrawl.frontier import Floats, Frontier, Ids
from topicrawl.frontier.columns import Columns

MEAN_PAGES = 1
"""Pages of mean relevance added to those of a host (smoothing)."""
LEAST_MEAN = 0.02
"""Mean relevance that a host is compared with, at least."""
FEW_PAGES = 3
"""Pages without new hosts added to those of a host (smoothing)."""
MANY_HOSTS = 5.0
"""New hosts for each page, at which `outward` is 1."""
MEAN_HOSTS, FEW_PAGES_OF_HOST = 3, 2
"""Hosts added to those that were tried (smoothing), each with so many pages of mean relevance."""
WORTHWHILE = 4.0
"""Pages of mean relevance, beyond the first, that a host must bring for `outward` to count in full."""


class HostYields:
    """Features of links by host: `host_yield`, `host_ratio` and `outward`."""

    def __init__(self) -> None:
        self._is_worth_trying = 0.0
        """How much it counts that a page leads to new hosts: much where hosts tried before brought many pages."""
        self._hosts = Columns(pages=(np.float64, 0.0), relevance=(np.float64, 0.0), shown=(np.float64, 0.0))

    def add_page(self, host: int, frontier: Frontier) -> None:
        """Count the hosts that became known since the last call as shown by a page of `host` (−1: by none)."""
        known = self._hosts.grow(len(frontier.hosts) - self._hosts.size)
        if host >= 0:
            self._hosts["shown"][host] += self._hosts.size - known

    def count(self, hosts: Ids, relevances: Floats, starts: Collection[int], mean: float) -> None:
        """Set what is known of hosts from those of all visited pages, and their relevances, whose mean is `mean`.

        `starts` are the hosts of seeds and examples: they were given, not tried.
        """
        size = self._hosts.size
        self._hosts["pages"][:] = np.bincount(hosts, minlength=size)
        self._hosts["relevance"][:] = np.bincount(hosts, relevances, size)
        tried = self._hosts["pages"] > 0
        tried[[host for host in starts if host >= 0]] = False
        found = self._hosts["relevance"][tried].sum() / max(mean, LEAST_MEAN)
        brought = (found + MEAN_HOSTS * FEW_PAGES_OF_HOST) / (np.count_nonzero(tried) + MEAN_HOSTS)
        self._is_worth_trying = min(max(float(brought - 1) / WORTHWHILE, 0.0), 1.0)

    def measure(self, columns: Columns, links: Ids, mean: float) -> None:
        """Set the features of links, compared with the `mean` relevance of all pages.

        For the host of each: relevance above the mean, its ratio to the mean (−1 for none of it, at most 1), new hosts.
        """
        host = columns["host"][links]
        pages, relevance = self._hosts["pages"][host], self._hosts["relevance"][host]
        columns["host_yield"][links] = (relevance - mean * pages) / (pages + MEAN_PAGES)
        least = max(mean, LEAST_MEAN)
        ratio = (relevance + MEAN_PAGES * least) / ((pages + MEAN_PAGES) * least)
        columns["host_ratio"][links] = np.minimum(ratio, 2.0) - 1
        shown = self._hosts["shown"][host] / (pages + FEW_PAGES)
        columns["outward"][links] = self._is_worth_trying * np.minimum(shown / MANY_HOSTS, 1.0)
