"""Parse workers: processes that parse pages, so that no page can block or crash the crawler.

A page that exceeds the deadline or crashes its worker fails alone; the worker is replaced. Workers are also
replaced after a number of pages, to bound memory leaks. The deadline of a page counts from when its worker can have
begun to parse it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from types import TracebackType
from typing import Self

import msgspec

from topicrawl.crawling.parsing.process import COMMAND, Waiting, WorkerProcess
from topicrawl.crawling.parsing.protocol import Job, Setup, frame
from topicrawl.errors import FetchError, TopicrawlError
from topicrawl.model import Page, TermCounts

CLOSE_SECONDS = 1.0
"""Seconds that workers get to exit before they are killed."""
PATIENCE = 0.5
"""Seconds a page waits before one more worker is started: a start costs as much as parsing 200 pages."""

STARTS = 3
"""Workers that may die one after the other before they are ready; then none can start."""

_decode_page = msgspec.msgpack.Decoder(Page).decode
_decode_counts = msgspec.msgpack.Decoder(TermCounts).decode


class Parsed(msgspec.Struct, frozen=True):
    """A parsed page; `packed` is `page` in msgpack, as it is stored."""

    page: Page
    counts: TermCounts
    packed: bytes


class ParseWorkers:
    """Up to `count` worker processes that parse pages and count `terms` in them.

    `memory` is in bytes of address space, `deadline` in seconds per page, `recycle` in pages per worker. One worker
    is mostly fast enough for one crawler; a second is started when it is not, or hangs.
    """

    def __init__(
        self,
        terms: Sequence[str],
        *,
        count: int = 2,
        deadline: float = 5.0,
        memory: int = 1 << 30,
        recycle: int = 5000,
        documents: Sequence[str] = (),
    ) -> None:
        self._count = count
        self._deadline = deadline
        self._recycle = recycle
        self._setup = frame(Setup(list(terms), memory, alarm=5 * deadline + 1, documents=list(documents)))
        self._workers: list[WorkerProcess] = []
        self._launches: set[asyncio.Task[None]] = set()
        self._waiting: deque[Waiting] = deque()
        self._wanted = 1
        self._failed_starts, self._cause = 0, ""
        """Workers that died one after the other before they were ready, and why the last did."""
        self._alarm: asyncio.TimerHandle | None = None

    @property
    def pids(self) -> list[int]:
        """Process ids of the workers that are ready."""
        return [worker.pid for worker in self._workers if worker.ready]

    async def start(self) -> None:
        """Start a worker and wait until it is ready."""
        while not self.pids:
            self._start_workers()
            await asyncio.gather(*(worker.started for worker in self._workers))
            self._forget_gone()
            if self._failed_starts >= STARTS:
                raise TopicrawlError(
                    f"no parse worker can start: {self._cause}; free memory, allow more open files, or see what "
                    f"{' '.join(COMMAND)} says"
                )

    async def parse(
        self,
        url: str,
        content: bytes,
        content_type: str = "",
        x_robots_tag: str = "",
        truncated: bool = False,
    ) -> Parsed | None:
        """The page in `content`; None if it is no page; `FetchError` if parsing failed."""
        job = frame(Job(url, content, content_type, x_robots_tag, truncated))
        waiting = Waiting(job, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._start_workers()
        self._dispatch()
        if self._waiting and self._wanted < self._count and not self._alarm:
            self._alarm = asyncio.get_running_loop().call_later(
                PATIENCE, self._add_worker_if_stuck, self._waiting[0]
            )
        answer = await waiting.answer
        if answer.error:
            raise FetchError("parse-crash", answer.error)
        if not answer.page:
            return None
        return Parsed(_decode_page(answer.page), _decode_counts(answer.counts), answer.page)

    async def close(self) -> None:
        """End the workers; queued pages fail, and no more are accepted."""
        self._count = self._wanted = 0
        if self._alarm:
            self._alarm.cancel()
        self._fail_all("the parse workers were closed")
        await asyncio.gather(*self._launches)
        workers = [worker for worker in self._workers if not worker.gone.done()]
        for worker in workers:
            worker.retire()
        if workers:
            await asyncio.wait([worker.gone for worker in workers], timeout=CLOSE_SECONDS)
        for worker in workers:
            worker.kill()
        await asyncio.gather(*(worker.gone for worker in workers))

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _start_workers(self) -> None:
        """Start workers until `_wanted` run, not counting retired ones."""
        self._forget_gone()
        for _ in range(self._wanted - sum(not worker.retired for worker in self._workers)):
            worker = WorkerProcess(
                self._setup, self._deadline, self._recycle, self._worker_changed, self._waiting.appendleft
            )
            self._workers.append(worker)
            launch = asyncio.get_running_loop().create_task(worker.launch())
            self._launches.add(launch)
            launch.add_done_callback(self._launches.discard)

    def _forget_gone(self) -> None:
        """Forget workers that are gone, and count those that were never ready."""
        gone = [worker for worker in self._workers if worker.gone.done()]
        for worker in gone:
            self._workers.remove(worker)
            self._failed_starts = 0 if worker.ready else self._failed_starts + 1
            self._cause = worker.cause
        if self.pids:
            self._failed_starts = 0

    def _add_worker_if_stuck(self, first: Waiting) -> None:
        """If `first` is still queued, the workers are too slow or hang: start one more."""
        self._alarm = None
        if self._waiting and self._waiting[0] is first:
            self._wanted = min(self._count, self._wanted + 1)
            self._start_workers()

    def _worker_changed(self) -> None:
        """Called when a worker is free or gone."""
        self._forget_gone()
        if self._waiting and self._failed_starts < STARTS:
            self._start_workers()
        self._dispatch()

    def _dispatch(self) -> None:
        """Send queued jobs to free workers, the least busy first."""
        while self._waiting and (free := [worker for worker in self._workers if worker.free]):
            waiting = self._waiting.popleft()
            if not waiting.answer.done():
                min(free, key=lambda worker: len(worker.jobs)).send(waiting)
        if self._waiting and not self._workers:
            self._fail_all("there is no parse worker")

    def _fail_all(self, reason: str) -> None:
        while self._waiting:
            self._waiting.popleft().fail("parse-crash", reason)
