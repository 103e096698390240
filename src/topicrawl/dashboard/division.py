"""A crawl in shards that somebody looks at: the visits of all shards in the order of time, read as they come.

`store/merged_run.py` reads all visits at each opening. Here only new ones are read, so that a look at a long crawl is
cheap; visits that were read at an earlier look keep their places.
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from topicrawl.dashboard.opened import Opened
from topicrawl.errors import RunError
from topicrawl.store.lock import writer_of
from topicrawl.store.run import DATABASE, SUMMARY, Run
from topicrawl.store.schema import open_to_read
from topicrawl.store.shard_files import read_route, shard_folders

POINTS = 400
"""Points of the curve, at most."""
NEW = "SELECT n, started, host, fetched, relevance > ? FROM visits WHERE n > ? ORDER BY n"


@dataclass
class Counts:
    """What a shard has done, as judged when visited."""

    visits: int = 0
    pages: int = 0
    relevant: int = 0
    hosts: set[str] = field(default_factory=set)
    """Those that gave a page."""
    last: float = 0.0
    """When its last visit began, in seconds since 1970."""


class Division:
    """A crawl in shards; `find` opens the run in a folder. Methods may be called from any thread."""

    spent = 0.0
    """Processor seconds of other threads: there are none."""

    def __init__(self, path: Path, name: str, find: Callable[[Path], Opened | None]) -> None:
        self.path, self.name = path, name
        self._find = find
        self._lock = threading.Lock()
        self._begin(None)

    def _begin(self, of: object) -> None:
        """Forget what was read; `of` tells of which databases the next reading is, and with which thresholds."""
        self._of = of
        self._counts: dict[str, Counts] = {}
        self._relevant = array("Q")
        """For each page of the whole crawl the number of relevant ones up to it."""

    def shards(self) -> Mapping[str, Opened | None]:
        """All shards; None for one that has not begun."""
        route = read_route(self.path)
        if route is None:
            raise RunError(f"{self.path} is no crawl in shards")
        return {name: self._find(folder) for name, folder in shard_folders(self.path, route).items()}

    @property
    def writer(self) -> str | None:
        """A process that crawls: the one that joins the shards, or that of a shard."""
        found = (shard.writer for shard in self.shards().values() if shard is not None)
        return writer_of(self.path) or next((each for each in found if each), None)

    def stamp(self) -> tuple[object, ...]:
        """A value that changes when something is written to a shard, or the crawl begins or ends."""
        summary = self.path / SUMMARY
        ended = summary.stat().st_mtime_ns if summary.is_file() else 0
        return (self.writer is None, ended, *(shard and shard.stamp() for shard in self.shards().values()))

    def is_current(self, stamp: tuple[object, ...]) -> bool:
        """Whether all is read of a crawl with this stamp: `refresh` reads all."""
        return True

    def refresh(self, *, wait: float = 0.0) -> None:
        """Read the visits that are new. It is done at once; there is nothing to `wait` for."""
        with self._lock:
            begun = {name: shard for name, shard in self.shards().items() if shard is not None}
            thresholds = {name: shard.config().threshold for name, shard in begun.items()}
            of = [(name, _identity(shard.path), thresholds[name]) for name, shard in begun.items()]
            if of != self._of:
                self._begin(of)
            fresh = [
                visit for name, shard in begun.items() for visit in self._new(name, shard, thresholds[name])
            ]
            found = self._relevant[-1] if self._relevant else 0
            for _, is_relevant in sorted(fresh, key=lambda visit: visit[0]):
                found += is_relevant
                self._relevant.append(found)

    def _new(self, name: str, shard: Opened, threshold: float) -> list[tuple[float, int]]:
        """Count the new visits of a shard; returns time and relevance of the pages among them."""
        counts = self._counts.setdefault(name, Counts())
        pages: list[tuple[float, int]] = []
        with closing(open_to_read(shard.path / DATABASE)) as connection:
            for n, started, host, fetched, relevant in connection.execute(NEW, (threshold, counts.visits)):
                counts.visits, counts.last = n, max(counts.last, started)
                if fetched:
                    counts.pages += 1
                    counts.relevant += relevant
                    counts.hosts.add(host)
                    pages.append((counts.last, relevant))  # the order of the shard is kept
        return pages

    def counts(self, shard: str) -> Counts:
        """What a shard had done at the last `refresh`."""
        return self._counts.get(shard, Counts())

    def curve(self, most: int = POINTS) -> list[tuple[int, int]]:
        """Points of the harvest curve of all shards: pages fetched, relevant ones among them; the last included."""
        relevant = self._relevant
        chosen = range(0, len(relevant), -(-len(relevant) // most) or 1)
        points = [(at + 1, relevant[at]) for at in chosen]
        return (
            points
            if not points or points[-1][0] == len(relevant)
            else [*points, (len(relevant), relevant[-1])]
        )

    def summary(self) -> dict[str, Any] | None:
        """How the whole crawl ended; None before that."""
        try:
            with Run.open(self.path, writable=False) as run:
                return run.summary
        except RunError:  # no shard has begun
            return None


def _identity(run: Path) -> int:
    """A number that changes when the database of a run is replaced by another; 0 before it exists."""
    try:
        return (run / DATABASE).stat().st_ino
    except OSError:
        return 0
