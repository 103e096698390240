"""Host memory: a host gets some visits, more if its pages are good, then it becomes tabu.

Paper: FCITS_OH §4.8 (the list H2); FCSA has a host memory too, whose rule is not published.
Differs: the list is first in, first out and unbounded: a host stays in it until no other host is left. The visit that
puts a host on the list is still made.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from topicrawl.frontier import Frontier
from topicrawl.frontier.hosts import TABU
from topicrawl.frontier.observation import Marked, Observation


@dataclass
class HostMemory:
    """Counts visits by host and holds the tabu hosts."""

    page_threshold: float
    """A page counts as good if its relevance is above this."""
    trial: int = 50
    """Visits that every host gets."""
    most: int = 100
    """Visits that no host exceeds."""
    good_share: float = 0.8
    """Share of good pages above which a host gets more than its trial."""
    _visits: dict[int, int] = field(default_factory=dict)
    _good: dict[int, int] = field(default_factory=dict)
    _tabu: deque[int] = field(default_factory=deque)

    def keeps(self, visits: int, good_share: float) -> bool:
        """Whether a host with so many visits, of which so many were good, may be visited again."""
        return visits < self.trial or (visits < self.most and good_share > self.good_share)

    def observe(self, seen: Observation, frontier: Frontier) -> None:
        """Count a fetched page; its host may become tabu."""
        if not seen.visit.fetched:
            return
        host = int(frontier.columns["host"][seen.link])
        self._visits[host] = self._visits.get(host, 0) + 1
        self._good[host] = self._good.get(host, 0) + (seen.visit.relevance > self.page_threshold)
        if not self._may_stay(host) and host not in self._tabu:
            self._tabu.append(host)
            frontier.hold(host, TABU)

    def mark(self, mark: Marked, frontier: Frontier) -> None:
        """Count a page by another relevance: its host may become tabu, or be released."""
        host = int(frontier.columns["host"][mark.link])
        if host not in self._visits:
            return
        self._good[host] += (mark.relevance > self.page_threshold) - (mark.before > self.page_threshold)
        if self._may_stay(host) and host in self._tabu:
            self._tabu.remove(host)
            frontier.release(host, TABU)
        elif not self._may_stay(host) and host not in self._tabu:
            self._tabu.append(host)
            frontier.hold(host, TABU)

    def _may_stay(self, host: int) -> bool:
        return self.keeps(self._visits[host], self._good[host] / self._visits[host])

    def forget_oldest(self, frontier: Frontier) -> bool:
        """Release the host that has been tabu longest; False when there is none."""
        if not self._tabu:
            return False
        frontier.release(self._tabu.popleft(), TABU)
        return True

    @property
    def tabu(self) -> tuple[int, ...]:
        """The tabu hosts (H2), the oldest first."""
        return tuple(self._tabu)
