"""The numbers of summary and report, computed from the visits in one pass.

A *page* is a visit with `fetched` (peeks included); every other visit is a *failure*. Memory grows with the
number of hosts and by eight bytes a page, so a run of any length can be digested.
"""

from __future__ import annotations

import heapq
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from topicrawl.model import Visit


@dataclass(slots=True)
class Share:
    """What one host, or one depth, contributed."""

    pages: int = 0
    relevant: int = 0
    failures: int = 0
    bytes: int = 0

    @property
    def harvest_rate(self) -> float:
        """Share of the pages that are relevant; 0 without pages."""
        return self.relevant / self.pages if self.pages else 0.0


@dataclass(slots=True)
class Digest:
    """The numbers behind a summary and a report."""

    threshold: float
    relevances: array[float] = field(default_factory=lambda: array("d"))
    hosts: defaultdict[str, Share] = field(default_factory=lambda: defaultdict(Share))
    depths: defaultdict[int, Share] = field(default_factory=lambda: defaultdict(Share))
    failures: Counter[str] = field(default_factory=Counter)
    best: list[Visit] = field(default_factory=list)
    """The most relevant pages, best first; the earlier of two equals first."""
    doubtful: list[Visit] = field(default_factory=list)
    """The pages nearest to the threshold, the most relevant first."""

    @property
    def pages(self) -> int:
        """Pages fetched."""
        return len(self.relevances)

    @property
    def requests(self) -> int:
        """Links asked for, with a page or without."""
        return self.pages + self.failures.total()

    @property
    def relevant(self) -> int:
        """Pages whose relevance exceeds the threshold."""
        return sum(share.relevant for share in self.hosts.values())

    @property
    def bytes(self) -> int:
        """Decoded bytes of all answers, failures included."""
        return sum(share.bytes for share in self.hosts.values())

    @property
    def hosts_with_pages(self) -> int:
        """Hosts that gave at least one page."""
        return sum(share.pages > 0 for share in self.hosts.values())


def digest(visits: Iterable[Visit], *, threshold: float, best: int = 0, doubtful: int = 0) -> Digest:
    """Read `visits` once; keep the `best` most relevant pages, and the `doubtful` ones nearest to the threshold."""
    result = Digest(threshold)
    highest, nearest = _Largest(best), _Largest(doubtful)
    for visit in visits:
        _count(result, visit)
        if visit.fetched:
            highest.add(visit.relevance, visit)
            nearest.add(-abs(visit.relevance - threshold), visit)
    result.best = highest.visits()
    result.doubtful = sorted(nearest.visits(), key=lambda visit: -visit.relevance)
    return result


class _Largest:
    """The visits with the largest values, `most` of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._heap: list[tuple[float, int, Visit]] = []

    def add(self, value: float, visit: Visit) -> None:
        entry = (value, -visit.n, visit)
        if len(self._heap) < self._most:
            heapq.heappush(self._heap, entry)
        elif self._heap and entry[:2] > self._heap[0][:2]:
            heapq.heapreplace(self._heap, entry)

    def visits(self) -> list[Visit]:
        """Largest value first; the earlier of two equals first."""
        return [visit for _, _, visit in sorted(self._heap, key=lambda entry: entry[:2], reverse=True)]


def _count(result: Digest, visit: Visit) -> None:
    shares = (result.hosts[visit.host], result.depths[visit.depth])
    if not visit.fetched:
        result.failures[failure_kind(visit)] += 1
    else:
        result.relevances.append(visit.relevance)
    for share in shares:
        share.bytes += visit.bytes
        if visit.fetched:
            share.pages += 1
            share.relevant += visit.relevance > result.threshold
        else:
            share.failures += 1


def failure_kind(visit: Visit) -> str:
    """Why a visit gave no page, in one word: the error up to its colon, or `http-STATUS`."""
    kind = (visit.error or "").partition(":")[0].strip()
    if kind in {"", "http"}:
        return "no-answer" if visit.status is None else f"http-{visit.status}"
    return kind
