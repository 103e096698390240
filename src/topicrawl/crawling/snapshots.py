"""When snapshots of a crawl are taken, and how a crawl goes on from one (store/snapshots.py: how they are stored).

One is taken whenever the visits since the last are a tenth of all, if all snapshots of the session together, this one
included, cost less than `SHARE` of its time; and one at the end of a session. Snapshots only save time: whatever fails
with them is said once, and the crawl goes on.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from topicrawl.crawling.core import Crawl
from topicrawl.crawling.state import FORMAT, NotStorable, pack, unpack
from topicrawl.model import Version
from topicrawl.store.run import Run
from topicrawl.store.snapshots import Header, Part, snapshots

GROWTH = 10
"""A snapshot is due when the visits since the last are 1 / GROWTH of all."""
LEAST_VISITS = 20
"""Visits since the last, at least: so few are soon replayed."""
SHARE = 0.03
"""Share of a session's time that snapshots may take: of the thread that drives the crawl, and of processors."""
LEAST_SECONDS, SECONDS_PER_BYTE = 0.01, 1e-9
"""Expected cost of a snapshot, until one of `LARGE` bytes was measured."""
LARGE = 10_000_000


class Restored(NamedTuple):
    """A crawl that goes on from a snapshot, or (`seq` 0) a new one."""

    crawl: Crawl
    seq: int = 0
    """The last event of the log that is in its state."""
    size: int = 0
    """Bytes of the snapshot."""


def restored(
    run: Run, version: Version, crawl: Crawl, make: Callable[[], Crawl], *, later: bool = False
) -> Restored:
    """The new `crawl` in the state of the newest valid snapshot, if there is one; `make` makes another one.

    If `later`, each of its columns is read when it is first used: for questions, which use few.
    """
    for snapshot in snapshots(run.path):
        header = snapshot.header
        fits = (header.run, header.version, header.form) == (run.id, version, FORMAT)
        if not (fits and run.passed(header.position) and snapshot.is_whole()):
            continue
        try:
            unpack(crawl, *snapshot.read(later=later), later=later)
        except (NotStorable, OSError):
            crawl = make()  # it may be filled in part
            continue
        return Restored(crawl, header.position.seq, snapshot.size)
    return Restored(crawl)


class Snapshots:
    """Takes the snapshots of one session.

    `take` is for the thread that drives the crawl. What it returns is called by the thread that writes the log, when
    all events up to then are committed.
    """

    def __init__(
        self,
        run: Run,
        version: Version,
        begin: Restored,
        say: Callable[[str], None],
        least_free: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take snapshots of `begin.crawl`; `least_free` are the bytes that must stay free on the disk."""
        self._run, self._crawl, self._say = run, begin.crawl, say
        self._version, self._least_free = version, least_free
        self._clock, self._began = clock, clock()
        self._visits = begin.crawl.tally.visits if begin.seq else 0
        """Visits in the last snapshot."""
        self._seq = begin.seq
        self._size, self._rate = begin.size, SECONDS_PER_BYTE
        """Bytes of the last snapshot, and its seconds for each."""
        self._cost, self._costs = 0.0, 0.0
        """Seconds that the last snapshot took, and all of this session."""
        self._thread: threading.Thread | None = None
        self._is_writing = False
        """Whether one was taken and is not complete: it has the only part file. Its events may wait for the disk."""
        self._has_failed = False
        self._possible = True

    def due(self) -> bool:
        """Whether it is time for the next snapshot."""
        visits = self._crawl.tally.visits
        since = visits - self._visits
        if since < LEAST_VISITS or GROWTH * since < visits or not self._possible or self._is_writing:
            return False
        if self._crawl.asks_outside:  # the judge works in another thread, and may not be saved meanwhile
            return False
        expected = LEAST_SECONDS + self._rate * self._size * visits / max(self._visits, 1)
        return self._costs + expected <= SHARE * (self._clock() - self._began)

    def take_if_due(self) -> Callable[[], None] | None:
        """`take`, if it is time for it."""
        return self.take() if self.due() else None

    def take(self) -> Callable[[], None] | None:
        """Copy the state of the crawl; returns what to call when its events are committed, None if it failed."""
        part, began = Part(self._run.path), time.perf_counter()
        try:
            state = pack(self._crawl)
            self._size = state.nbytes
            part.write(state.values, state.arrays(), most=state.nbytes, least_free=self._least_free)
        except (NotStorable, OSError) as error:
            part.discard()
            self._possible = not isinstance(error, NotStorable)
            self._failed(error)
            return None
        finally:
            self._visits, self._cost = self._crawl.tally.visits, 0.0
            self._spend(time.perf_counter() - began)
        self._is_writing = True
        return lambda: self._complete_later(part)

    def finish(self) -> None:
        """Take the last snapshot of a session, whose events are all committed, unless there is one of them."""
        self.close()
        if self._possible and self._seq != self._run.last_seq and (committed := self.take()) is not None:
            committed()
            self.close()

    def close(self) -> None:
        """Wait until the snapshot that is being written is complete."""
        if self._thread is not None:
            self._thread.join()

    def _complete_later(self, part: Part) -> None:
        began = time.thread_time()
        header = Header(self._run.id, self._version, FORMAT, self._run.mark())
        self._seq = header.position.seq
        self._spend(time.thread_time() - began)
        self._thread = threading.Thread(target=self._complete, args=(part, header), daemon=True)
        self._thread.start()

    def _complete(self, part: Part, header: Header) -> None:
        try:
            part.complete(header)
        except OSError as error:
            part.discard()
            self._failed(error)
        self._spend(time.thread_time())
        self._is_writing = False

    def _spend(self, seconds: float) -> None:
        self._cost += seconds
        self._costs += seconds
        if self._size >= LARGE:
            self._rate = self._cost / self._size

    def _failed(self, error: Exception) -> None:
        if not self._has_failed:
            self._has_failed = True
            self._say(f"no snapshot is kept ({error}): resuming will replay more of the log")
