"""A crawl in shards on one machine: a process for each shard, coordinator and teacher in this one.

A shard that dies is started again and goes on from its log; one that says nothing for long is killed first. When this
process dies, the shards save and end.
"""

from __future__ import annotations

import asyncio
import math
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from topicrawl import errors
from topicrawl.crawling.event_loop import signals
from topicrawl.crawling.speed import Speed
from topicrawl.errors import RunError, TopicrawlError
from topicrawl.shards.coordinator import Coordinator, total
from topicrawl.shards.forked import Forked, fork, may_fork
from topicrawl.shards.frames import frame, read
from topicrawl.shards.hub import Hub
from topicrawl.shards.messages import Failed, Order, Report, Stopped
from topicrawl.shards.process import crawl_shard, prepare
from topicrawl.shards.teacher import Teacher

COMMAND = (sys.executable, "-P", "-m", "topicrawl.shards.process")
PATIENCE = 1.0
"""Seconds for which the links that a shard has offered count after its report."""
ENDING = 0.1
"""Seconds between two looks, at the end, for shards that have not been told to stop."""
SILENCE = 300.0
"""Seconds without a report, or at the end without an exit, after which a shard is killed and started again."""
DEATHS = 5
"""Deaths of a shard without a report in between, after which the crawl is given up."""
LEAST_AT_ONCE, AHEAD = 8, 0.2
"""Asks granted in a turn: so many for each shard, and as many as are answered in so many seconds."""
LIMIT = 1 << 24
"""Bytes that a pipe may hold before the other side waits."""
INTERRUPTED = "interrupted"


@dataclass(eq=False)
class Worker:
    """The process of one shard."""

    name: str
    folder: Path
    process: Process | Forked | None = None
    forked: Forked | None = None
    """Its first process, where that was forked."""
    report: Report | None = None
    """Not answered yet."""
    reported_at: float = -math.inf
    """When it was answered last."""
    is_heard: bool = False
    """Whether it has reported since it was started."""
    patience: asyncio.Timeout | None = None
    """How long its next message is waited for."""
    deaths: int = 0
    has_ended: bool = False

    async def start(self) -> None:
        """Start the process, in a session of its own: an interrupt at the terminal is for this one alone."""
        if self.forked is not None:
            self.process, self.forked = self.forked, None
            await self.process.connect(LIMIT)
            return
        self.process = await asyncio.create_subprocess_exec(
            *COMMAND, str(self.folder), stdin=PIPE, stdout=PIPE, limit=LIMIT, start_new_session=True
        )

    async def send(self, order: Order) -> None:
        """Send an order; a process that is gone is noticed by its reader."""
        assert self.process is not None
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(frame(order))
            await self.process.stdin.drain()
        except (ConnectionError, RuntimeError):
            return

    def terminate(self) -> None:
        """Have it save and end."""
        with suppress(ProcessLookupError):
            if self.process is not None:
                self.process.terminate()

    def kill(self) -> None:
        """End it at once."""
        with suppress(ProcessLookupError):
            if self.process is not None and self.process.returncode is None:
                self.process.kill()


@dataclass
class LocalCrawl:
    """The shards in these folders, by name, as processes."""

    folders: Mapping[str, Path]
    limits: Mapping[str, int]
    seconds: float | None = None
    """How long the session may last."""
    teacher: Teacher | None = None
    say: Callable[[str], None] = lambda sentence: None
    show: Callable[[Hub], None] = lambda hub: None
    """Called after each turn."""
    follow: Callable[[], tuple[Mapping[str, int], float | None] | None] = lambda: None
    """Limits and seconds, if a person has changed them since it was called last."""
    silence: float = SILENCE
    reason: str = ""
    _error: TopicrawlError | None = None
    _lessons: list[tuple[str, bytes]] = field(default_factory=list)
    _known: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._workers = {name: Worker(name, folder) for name, folder in self.folders.items()}

    def fork(self, web: str) -> None:
        """Start all shards of a crawl of `web` as forks of this process, if that is possible; call it before `run`."""
        if not may_fork():
            return
        prepare(web, looks_up_words=self.teacher is not None)
        made = list[Forked]()
        for worker in self._workers.values():
            worker.forked = fork(partial(crawl_shard, worker.folder), made)
            made.append(worker.forked)

    def stop(self, reason: str) -> None:
        """End the crawl; may be called more than once."""
        self.reason = self.reason or reason
        self._arrived.set()

    async def run(self) -> str:
        """Crawl until the budget is spent, no link is left, or `stop` is called; returns the reason."""
        self._arrived, self._taught = asyncio.Event(), asyncio.Event()
        self.hub = Hub(self.folders, Coordinator(self.limits, LEAST_AT_ONCE * len(self.folders)))
        began = time.monotonic()
        self._speed = Speed()
        with signals(self.stop):
            readers = [asyncio.create_task(self._follow(worker)) for worker in self._workers.values()]
            teaching = asyncio.create_task(self._teach()) if self.teacher else None
            try:
                while not self.reason:
                    await self._wait_for_reports()
                    if self.seconds is not None and time.monotonic() - began >= self.seconds:
                        self.stop("time")
                    if not self.reason and any(worker.report for worker in self._workers.values()):
                        await self._turn()
                await self._end(readers)
            finally:
                for task in (*readers, *([teaching] if teaching else [])):
                    task.cancel()
                self._kill()
        if self._error is not None:
            raise self._error
        return self.reason

    async def _follow(self, worker: Worker) -> None:
        """Start a shard, take its reports, and start it again when it dies."""
        while not worker.has_ended:
            self.hub.started(worker.name)
            worker.is_heard = False
            await worker.start()
            assert worker.process is not None
            while (message := await self._message(worker)) is not None:
                if isinstance(message, Failed):
                    self._fail(message)
                    continue
                if isinstance(message, Stopped):
                    self.stop(message.reason)
                    continue
                worker.deaths, worker.is_heard = 0, True
                worker.report = message
                self._arrived.set()
            code = await worker.process.wait()
            worker.report = None
            if self.reason:
                worker.has_ended = code == 0
                if code == 0 or worker.deaths:
                    return
            worker.deaths += 1
            if worker.deaths > DEATHS:
                self._error = RunError(f"shard {worker.name} died {DEATHS} times; see {worker.folder}")
                self.stop("error")
                return
            self.say(f"shard {worker.name} ended unexpectedly ({_how(code)}) and is started again")

    async def _message(self, worker: Worker) -> Report | Failed | Stopped | None:
        """What a shard says next; None when it is gone. One that is silent for too long is killed.

        Until its first report it replays its log, which may take long; at the end nobody waits for that.
        """
        assert worker.process is not None
        assert worker.process.stdout is not None
        is_bounded = worker.is_heard or self.reason
        said: Report | Failed | Stopped | None = None
        try:
            async with asyncio.timeout(self.silence if is_bounded else None) as worker.patience:
                said = await read(worker.process.stdout, Report | Failed | Stopped)  # type: ignore[arg-type]
        except TimeoutError:
            self.say(f"shard {worker.name} has said nothing for {self.silence:g} s and is killed")
            worker.kill()
        worker.patience = None
        return said

    def _fail(self, failed: Failed) -> None:
        kind = getattr(errors, failed.kind, TopicrawlError)
        self._error = self._error or kind(failed.error)
        self.stop("error")

    async def _wait_for_reports(self) -> None:
        """Wait until a shard has reported, for a moment at most."""
        if not any(worker.report for worker in self._workers.values()):
            self._arrived.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._arrived.wait(), PATIENCE)

    async def _turn(self) -> None:
        """Answer the reports of a turn."""
        now = time.monotonic()
        reported = {name: worker.report for name, worker in self._workers.items() if worker.report}
        busy = [name for name, worker in self._workers.items() if now - worker.reported_at < PATIENCE]
        for name, report in reported.items():
            self._workers[name].report, self._workers[name].reported_at = None, now
            self.hub.reported(name, report)
            for sentence in report.said:
                self.say(f"shard {name}: {sentence}")
            if report.lessons and self.teacher is not None:
                self._lessons.append((name, report.lessons))
                self._taught.set()
        ahead = round(self._speed.at(now, total(self.hub.offers.values()).visits) * AHEAD)
        self.hub.coordinator.at_once = LEAST_AT_ONCE * len(self._workers) + ahead
        if (changed := self.follow()) is not None:
            self.hub.coordinator.limits, self.seconds = changed
        known = {name: self._known.get(name, 0) for name in reported} if self.teacher else {}
        orders = self.hub.turn(reported, known, busy)
        if self.hub.coordinator.reason is not None:
            self.stop(self.hub.coordinator.reason)
        for name, order in orders.items():
            await self._workers[name].send(order)
        self.show(self.hub)

    async def _teach(self) -> None:
        """Have the teacher learn, in a thread of its own."""
        assert self.teacher is not None
        while True:
            await self._taught.wait()
            self._taught.clear()
            lessons, self._lessons = self._lessons, []
            if (model := await asyncio.to_thread(self._learn, lessons)) is not None:
                self.hub.teach(model)

    def _learn(self, lessons: list[tuple[str, bytes]]) -> bytes | None:
        assert self.teacher is not None
        for name, some in lessons:
            self.teacher.learn(name, some)
            self._known[name] = self.teacher.known(name)
        return self.teacher.model()

    async def _end(self, readers: list[asyncio.Task[None]]) -> None:
        """Tell every shard to stop, and wait until all have saved."""
        order = Order(stop=self.reason)
        for worker in self._workers.values():
            if worker.process is not None and not self.hub.has_reported(worker.name):
                worker.terminate()  # it replays its log
                if worker.patience is not None:
                    worker.patience.reschedule(asyncio.get_running_loop().time() + self.silence)
        while not all(reader.done() for reader in readers):
            for worker in self._workers.values():
                if worker.report is not None:
                    worker.report = None
                    await worker.send(order)
            await asyncio.wait(readers, timeout=ENDING)

    def _kill(self) -> None:
        for worker in self._workers.values():
            worker.kill()


def _how(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
