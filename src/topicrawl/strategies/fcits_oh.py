"""Improved tabu search with an ontology and a host memory: leave a host after some pages, and keep many in the queue.

Paper: FCITS_OH §4.8, Algorithm A3 (reconstructed); the search is §4.6 (its.py), the rule for hosts host_memory.py.
Differs: links of tabu hosts cannot be chosen, instead of being chosen and put back. When only tabu hosts are left the
one that has been tabu longest is released. Discarded links join the queue whatever their value, one for each new host;
they are valued again later, as all are, but stay in the queue until they are fetched. Seeds are those given, even when
several share a host.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import PEEKED, Frontier, Ids
from topicrawl.strategies import Marked, Observation
from topicrawl.strategies.fcoits import Fcoits
from topicrawl.strategies.host_memory import HostMemory
from topicrawl.strategies.parameters import parameter


@dataclass
class FcitsOh(Fcoits):
    """Focused crawler with improved tabu search, ontology and host information."""

    behaviour: ClassVar[int] = 2
    topic_model: ClassVar[str] = "ontology"

    host_trial: int = parameter(50, "pages every host gives", where="§4.8 (3)", low=1)
    host_most: int = parameter(
        100, "pages a host gives at most, until no other is left", where="§4.8 (4)", low=1
    )
    host_good_share: float = parameter(
        0.8,
        "share of good pages a host needs to stay open after its trial",
        symbol="ph_ratio",
        low=0.0,
        high=1.0,
    )
    planned_pages: int = parameter(
        15_000, "length of the crawl that com_rate is measured by", low=1, scales=True
    )
    refill_until: float = parameter(
        0.3, "part of the crawl in which discarded links may come back", symbol="com_rate", low=0.0, high=1.0
    )
    refill_below: int = parameter(10, "hosts in the queue below which they do", symbol="QN_host", low=0)
    refill_links: int = parameter(3, "discarded links that come back at a time", where="§4.8 (2)", low=0)

    def begin(self, frontier: Frontier) -> None:
        super().begin(frontier)
        self.hosts = HostMemory(self.page_threshold, self.host_trial, self.host_most, self.host_good_share)
        self.pages = 0
        frontier.columns.add("refilled", np.uint8, 0)

    def arrive(self, seen: Observation, frontier: Frontier) -> None:
        super().arrive(seen, frontier)
        self.pages += seen.visit.fetched
        self.hosts.observe(seen, frontier)
        if self.pages / self.planned_pages < self.refill_until:
            self.refill(frontier)

    def keeps(self, frontier: Frontier, links: Ids) -> npt.NDArray[np.bool_]:
        """Links above β, and those that `refill` put into the queue."""
        return super().keeps(frontier, links) | (frontier.columns["refilled"][links] > 0)

    def revise(self, mark: Marked, frontier: Frontier) -> None:
        self.hosts.mark(mark, frontier)

    def reopen(self, frontier: Frontier) -> bool:
        while self.hosts.forget_oldest(frontier):
            if self.queue.offers(frontier):
                return True
        return super().reopen(frontier)

    def refill(self, frontier: Frontier) -> None:
        """If few hosts are in the queue, put the best discarded links of other hosts into it, one for each."""
        columns = frontier.columns
        waits = columns["state"] <= PEEKED
        discarded = waits & (columns["priority"] == -np.inf)
        closed = np.zeros(len(frontier.hosts), dtype=np.bool_)
        closed[columns["host"][waits & ~discarded]] = True
        if np.count_nonzero(closed) >= self.refill_below:
            return
        closed |= frontier.hosts.held != 0
        links = np.flatnonzero(discarded)
        for _ in range(self.refill_links):
            links = links[~closed[columns["host"][links]]]
            if not len(links):
                return
            best = links[[columns["value"][links].argmax()]]
            frontier.prioritise(best, columns["value"][best])
            self.queue.add(frontier, best)
            columns["refilled"][best] = 1
            closed[columns["host"][best]] = True
