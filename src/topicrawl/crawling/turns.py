"""How the core of a crawl takes its turns: in a thread of its own, or on the event loop.

A thread may wait, for a full disk or for code of a user, while the event loop goes on. On the event loop nothing that
the core calls may wait, and a crawl takes less processor time: there is nobody to hand the interpreter to.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

A = TypeVar("A")

IDLE_SECONDS = (0.01, 1.0)
"""Seconds without an arrival after which the core rests, and after which it does so again."""
ROOM_SECONDS = 0.5
"""Seconds between two looks at a full disk."""


@dataclass(frozen=True)
class Core(Generic[A]):
    """The work of the core."""

    steps: Iterator[bool]
    """Yields whether it could go on at once; else it waits for an arrival. It ends with the crawl."""
    commit: Callable[[], None]
    """Stores every event so far; called after the last step, too."""
    due: Callable[[], float | None]
    """When the events so far are to be stored, in monotonic time; None where there are none."""
    rest: Callable[[], None]
    """Called after each of `IDLE_SECONDS` without an arrival."""
    may_step: Callable[[], bool]
    """Whether there is room on the disk; asked on the event loop only."""
    fail: Callable[[BaseException], None]
    """Called with an error, which ends the crawl."""
    inbox: deque[A] = field(default_factory=deque)
    """What has arrived, for the next step."""


class InThread(Generic[A]):
    """Runs the core in a thread of its own."""

    def __init__(self, core: Core[A]) -> None:
        self._core = core
        self._sent: queue.SimpleQueue[list[A]] = queue.SimpleQueue()
        self._batch: list[A] = []
        self._thread = threading.Thread(target=self._run, name="core", daemon=True)

    def start(self) -> None:
        """Begin; called on the event loop."""
        self._loop = asyncio.get_running_loop()
        self._ended = asyncio.Event()
        self._thread.start()

    def send(self, *arrivals: A) -> None:
        """Have the core process these, and see what it may do; may be called from any thread."""
        self._sent.put(list(arrivals))

    def collect(self, arrival: A) -> None:
        """The same on the event loop, in one batch with the others of this loop iteration: a wake-up is costly."""
        self._batch.append(arrival)
        if len(self._batch) == 1:
            self._loop.call_soon(self._send_batch)

    def call(self, function: Callable[..., object], *arguments: Any) -> None:
        """Call a function on the event loop; called by the core."""
        self._loop.call_soon_threadsafe(function, *arguments)

    async def ended(self) -> None:
        """Done when the core has ended and all is stored."""
        await self._ended.wait()

    async def close(self) -> None:
        """Wait for the thread."""
        await asyncio.to_thread(self._thread.join)

    def _send_batch(self) -> None:
        batch, self._batch = self._batch, []
        self._sent.put(batch)

    def _run(self) -> None:
        for work in (self._work, self._core.commit):  # what came before an error is stored
            try:
                work()
            except BaseException as error:
                self._core.fail(error)
        self._loop.call_soon_threadsafe(self._ended.set)

    def _work(self) -> None:
        for is_busy in self._core.steps:
            if not is_busy:
                self._core.inbox.extend(self._arrivals())

    def _arrivals(self) -> list[A]:
        """The next batch; blocks until there is one. Events that are due meanwhile are stored."""
        due = self._core.due()
        until_due = 0.0 if due is None else max(0.0, due - time.monotonic())
        first, second = IDLE_SECONDS
        for seconds, then in (
            (first, self._core.rest),
            (until_due, self._core.commit),
            (second, self._core.rest),
        ):
            try:
                return self._sent.get(timeout=seconds)
            except queue.Empty:
                then()
        return self._sent.get()


class OnLoop(Generic[A]):
    """Runs the core on the event loop. It has the methods of `InThread`."""

    def __init__(self, core: Core[A]) -> None:
        self._core = core
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_due = False
        """Whether a turn is scheduled."""
        self._turned = 0.0
        """When the last turn ended."""
        self._rests = 0
        """How often the core has rested since."""
        self._commit_timer: asyncio.TimerHandle | None = None
        self._rest_timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin."""
        self._loop = asyncio.get_running_loop()
        self._ended = asyncio.Event()
        self._schedule()

    def send(self, *arrivals: A) -> None:
        """Have the core process these, and see what it may do; may be called from any thread."""
        if self._loop is None:
            self._core.inbox.extend(arrivals)
        else:
            self._loop.call_soon_threadsafe(self._take, arrivals)

    def collect(self, arrival: A) -> None:
        """The same on the event loop."""
        self._take((arrival,))

    def call(self, function: Callable[..., object], *arguments: Any) -> None:
        """Call a function."""
        function(*arguments)

    async def ended(self) -> None:
        """Done when the core has ended and all is stored."""
        await self._ended.wait()

    async def close(self) -> None:
        """Cancel the timers."""
        for timer in (self._commit_timer, self._rest_timer):
            if timer is not None:
                timer.cancel()

    def _take(self, arrivals: tuple[A, ...]) -> None:
        self._core.inbox.extend(arrivals)
        self._schedule()

    def _schedule(self) -> None:
        if not self._is_due:
            assert self._loop is not None
            self._is_due = True
            self._loop.call_soon(self._turn)

    def _turn(self) -> None:
        """One step, then the event loop has its turn: it has links to fetch."""
        assert self._loop is not None
        self._is_due = False
        if self._ended.is_set():
            return
        try:
            if not self._core.may_step():
                self._loop.call_later(ROOM_SECONDS, self._schedule)
                return
            is_busy = next(self._core.steps, None)
        except BaseException as error:
            self._core.fail(error)
            is_busy = None
        if is_busy is None:
            self._guarded(self._core.commit)
            self._ended.set()
        elif is_busy:
            self._schedule()
        else:
            self._wait()

    def _wait(self) -> None:
        """Store and rest in time, if nothing arrives."""
        assert self._loop is not None
        self._turned, self._rests = self._loop.time(), 0
        if self._rest_timer is None:
            self._rest_timer = self._loop.call_later(IDLE_SECONDS[0], self._rest)
        if self._commit_timer is None and (due := self._core.due()) is not None:
            self._commit_timer = self._loop.call_later(max(0.0, due - time.monotonic()), self._commit)

    def _commit(self) -> None:
        assert self._loop is not None
        self._commit_timer, due = None, self._core.due()
        if self._ended.is_set() or due is None:
            return
        if (left := due - time.monotonic()) > 0:  # another commit came before
            self._commit_timer = self._loop.call_later(left, self._commit)
        else:
            self._guarded(self._core.commit)

    def _rest(self) -> None:
        assert self._loop is not None
        self._rest_timer = None
        if self._ended.is_set() or self._rests == len(IDLE_SECONDS):
            return
        left = self._turned + sum(IDLE_SECONDS[: self._rests + 1]) - self._loop.time()
        if left <= 0:
            self._rests += 1
            self._guarded(self._core.rest)
            left = IDLE_SECONDS[min(self._rests, 1)]
        if self._rests < len(IDLE_SECONDS):
            self._rest_timer = self._loop.call_later(left, self._rest)

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            self._core.fail(error)
