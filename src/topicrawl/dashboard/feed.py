"""What changes while somebody looks, as server-sent events: one reader for each run, however many browsers there are.

Every two seconds at most, parts of the page are rendered, and those that changed are sent to all. When that takes long,
it is done less often: a crawl must not be slowed by being watched.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Generic, Protocol, TypeVar

log = logging.getLogger(__name__)
Parts = dict[str, str]
"""HTML by the id of the element that it belongs into."""
SECONDS = 2.0
SHARE = 0.01
"""Share of one processor that a feed may take."""
LONGEST, STANDS = 10.0, 3.0
"""Seconds between two readings at most, and where no crawl runs that could be slowed: one that is begun shows soon."""
ALIVE = 15.0
"""Seconds after which something is sent even if nothing changed, so that a closed browser is noticed."""


class Watched(Protocol):
    """What is looked at: a run (opened.py), or a crawl in shards (division.py)."""

    path: Path
    name: str
    spent: float

    @property
    def writer(self) -> str | None: ...
    def stamp(self) -> tuple[object, ...]: ...
    def is_current(self, stamp: tuple[object, ...]) -> bool: ...
    def refresh(self, *, wait: float) -> None: ...


W = TypeVar("W", bound=Watched)


class Feed(Generic[W]):
    """The parts of one view of a run; `read` makes them, in a thread."""

    def __init__(self, run: W, read: Callable[[W], Parts]) -> None:
        self._run, self._read = run, read
        self._readers: set[asyncio.Queue[str]] = set()
        self._task: asyncio.Task[None] | None = None
        self._last: Parts = {}
        self._stamp: tuple[object, ...] | None = None

    async def events(self) -> AsyncIterator[str]:
        """Events for one browser: first all parts, then those that change."""
        queue: asyncio.Queue[str] = asyncio.Queue()
        self._readers.add(queue)
        if self._last:
            queue.put_nowait(_event(self._last))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._follow())
        try:
            yield "retry: 2000\n\n"
            while True:
                try:
                    yield await asyncio.wait_for(queue.get(), ALIVE)
                except TimeoutError:
                    yield ": nothing changed\n\n"
        finally:
            self._readers.discard(queue)

    async def _follow(self) -> None:
        """Read until nobody looks."""
        while self._readers:
            try:
                parts, cost = await asyncio.to_thread(self._measured)
            except Exception as error:  # the run may be moved, begun anew or damaged: the stream goes on
                log.warning("%s cannot be read: %s", self._run.path, error)
                parts, cost = self._last, 0.0
            changed = {name: html for name, html in parts.items() if self._last.get(name) != html}
            self._last = parts
            some, all_of_it = _event(changed), _event(parts)
            for queue in self._readers if changed else ():
                is_slow = queue.qsize() > 2
                while is_slow and not queue.empty():
                    queue.get_nowait()
                queue.put_nowait(all_of_it if is_slow else some)
            most = LONGEST if self._run.writer else STANDS
            await asyncio.sleep(min(max(SECONDS, cost / SHARE), most))
        self._last = {}

    def _measured(self) -> tuple[Parts, float]:
        began, indexed, stamp = time.thread_time(), self._run.spent, self._run.stamp()
        if self._last and stamp == self._stamp and self._run.writer is None:
            return self._last, 0.0  # the crawl stands, and nothing was said to it
        self._run.refresh(wait=SECONDS)
        parts = self._read(self._run)
        self._stamp = stamp if self._run.is_current(stamp) else None
        return parts, time.thread_time() - began + self._run.spent - indexed


def _event(parts: Parts) -> str:
    return f"event: parts\ndata: {json.dumps(parts)}\n\n"
