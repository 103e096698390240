"""The crawl of a run in memory as it is after the last event of the log: made from a snapshot, then kept up to date.

It costs as much as the crawl's own decisions, so it is made only for questions that need it: which links are next,
which pages are worth a mark, what marks changed. A running crawl tells the first by itself (live.json).
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import numpy as np

from topicrawl.crawling.core import Crawl
from topicrawl.crawling.live_state import next_in_line
from topicrawl.crawling.make import present_of
from topicrawl.errors import TopicrawlError
from topicrawl.frontier import PEEKED, Floats
from topicrawl.model import Instruction
from topicrawl.store.disk import read_small, write_atomically
from topicrawl.store.run import Run

FILE = "effects.json"
LARGEST = 16_000_000
"""Bytes of it that are read."""
LEAP = 5_000
"""Events that it may lag behind before a newer snapshot is looked for."""
KEPT = 200
"""Effects that are kept, the newest."""


class FarError(TopicrawlError):
    """The state of a crawl takes long to make."""


class Effect(msgspec.Struct, frozen=True):
    """What an instruction with marks changed at once."""

    seq: int
    visits: int
    marks: dict[str, bool | None]
    waiting: int
    """Links that waited."""
    moved: int
    """Those of them whose priority it changed."""
    before: list[str]
    """The links next in line before it."""
    after: list[str]


_decode = msgspec.json.Decoder(list[Effect]).decode


class Present:
    """The crawl of the run in `path`; files are kept in `folder`. For any thread."""

    PATIENCE = 5.0
    """Seconds that a view waits for it."""

    def __init__(self, path: Path, folder: Path) -> None:
        self._path, self._file = path, folder / FILE
        self._lock = threading.Lock()
        self._crawl: Crawl | None = None
        self._seq, self._run = 0, ""
        """The last event that it holds, and of which run."""

    @contextmanager
    def crawl(self, most: int | None = None, *, seconds: float = math.inf) -> Iterator[tuple[Crawl, Run]]:
        """The crawl after the last event, and its run; others wait until it is left.

        `FarError` if more than `most` events must be repeated for it. After `seconds` of repeating, the crawl is what
        it was some events ago (a fast one is never reached); the next call goes on from there.
        """
        with self._lock, Run.open(self._path, writable=False) as run:
            if self._crawl is None or run.id != self._run or run.last_seq - self._seq > LEAP:
                begin = present_of(run)
                if self._crawl is None or run.id != self._run or self._may_leap(run, begin.seq):
                    self._crawl, self._seq, self._run = begin.crawl, begin.seq, run.id
            if most is not None and run.last_seq - self._seq > most:
                raise FarError(f"{run.last_seq - self._seq:,} events of the log must be repeated for it")
            try:
                self._go_on(self._crawl, run, time.monotonic() + seconds)
            except BaseException:
                self._crawl = None  # it may be between two events
                raise
            yield self._crawl, run

    def _may_leap(self, run: Run, to: int) -> bool:
        """Whether nothing is missed by going on from event `to`: the effects of marks are shown."""
        between = (each for seq, _, each in run.placed_instructions() if self._seq < seq <= to)
        return to > self._seq and not any(each.marks for each in between)

    @property
    def is_made(self) -> bool:
        """Whether the crawl is in memory already."""
        return self._crawl is not None

    def effects(self) -> list[Effect]:
        """What marks changed, as far as it was seen, the newest first."""
        try:
            return _decode(read_small(self._file, LARGEST))
        except (OSError, msgspec.DecodeError):
            return []

    def _go_on(self, crawl: Crawl, run: Run, until: float) -> None:
        seen: list[Effect] = []
        for event in run.replay(self._seq):
            marks = event.marks if isinstance(event, Instruction) else []
            before = (_next(crawl), crawl.frontier.columns["priority"].copy()) if marks else ([], None)
            crawl.replay(event)
            self._seq += 1
            if marks and before[1] is not None:
                said = {mark.of: mark.relevant for mark in marks}
                seen.append(_effect(crawl, self._seq, said, *before))
            if time.monotonic() > until:
                break
        if seen:
            known = {effect.seq: effect for effect in (*self.effects(), *seen)}
            kept = [known[seq] for seq in sorted(known, reverse=True)[:KEPT]]
            self._file.parent.mkdir(exist_ok=True)
            write_atomically(self._file, msgspec.json.encode(kept))


def _effect(
    crawl: Crawl, seq: int, marks: dict[str, bool | None], links: list[str], priorities: Floats | None
) -> Effect:
    assert priorities is not None
    columns = crawl.frontier.columns
    now = columns["priority"][: len(priorities)]
    waiting = columns["state"][: len(priorities)] <= PEEKED
    moved = int(np.count_nonzero(waiting & (now != priorities)))
    return Effect(seq, crawl.tally.visits, marks, int(waiting.sum()), moved, links, _next(crawl))


def _next(crawl: Crawl) -> list[str]:
    return [crawl.frontier.urls[link] for link in next_in_line(crawl)]
