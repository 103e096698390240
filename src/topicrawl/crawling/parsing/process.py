"""The crawler's side of one parse worker: a process, the pipe to it, and the jobs sent to it.

    starting ─► ready ─► retired ─► gone        any of them ─► killed ─► gone

A worker processes its jobs in order, so when it dies, the first of its jobs is the one that it was parsing.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import msgspec

from topicrawl.crawling.parsing.protocol import LENGTH, Answer
from topicrawl.errors import FetchError

JOBS_HELD = 4
"""Jobs sent to a worker at a time. With fewer, worker and crawler wake each other for every page; with more, too many
wait for the deadline of a page that hangs."""
START_SECONDS = 60.0
"""A worker that is not ready by then is killed."""
GRACE_SECONDS = 0.05
"""Wait after the deadline for an answer already in the pipe: the crawler itself may have been suspended."""

EXTENSIONS, CROWDED = 3, 2.0
"""Further deadlines that a page gets while the load per processor is above `CROWDED`."""
DEATHS = 2
"""Worker deaths after which a page fails: the first may have had another cause."""

COMMAND = (sys.executable, "-P", "-m", "topicrawl.crawling.parsing.worker")
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
_decode = msgspec.msgpack.Decoder(Answer).decode


@dataclass(slots=True, eq=False)
class Waiting:
    """A framed job and the future of its answer; `deaths` counts the workers that died while parsing it."""

    job: bytearray
    answer: asyncio.Future[Answer]
    deaths: int = 0

    def fail(self, kind: str, detail: str) -> None:
        """Set an error as the result."""
        if not self.answer.done():
            self.answer.set_exception(FetchError(kind, detail))


class WorkerProcess(asyncio.SubprocessProtocol):
    """A worker that is sent `setup` first, given `deadline` seconds a page, and retired after `recycle` pages.

    `changed` is called when it may take a job or is gone, `return_job` with a job it held but did not begin.
    `cause` is why it ended.
    """

    def __init__(
        self,
        setup: bytearray,
        deadline: float,
        recycle: int,
        changed: Callable[[], None],
        return_job: Callable[[Waiting], None],
    ) -> None:
        self.started: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.ready = False
        self.retired = False
        self.cause = ""
        self.jobs: deque[Waiting] = deque()
        self._setup = setup
        self._deadline = deadline
        self._pages_left = recycle
        self._extensions = EXTENSIONS
        self._changed = changed
        self._return_job = return_job
        self._received = bytearray()
        self._timer: asyncio.TimerHandle | None = None

    async def launch(self) -> None:
        """Start the process; `started` is done when it is ready, or gone."""
        try:
            await asyncio.get_running_loop().subprocess_exec(
                lambda: self,
                *COMMAND,
                stderr=asyncio.subprocess.DEVNULL,
                env={**os.environ, **_ONE_THREAD},
                start_new_session=True,
            )
        except (OSError, RuntimeError) as error:
            self._end(str(error))

    @property
    def pid(self) -> int:
        """The process id."""
        return self._transport.get_pid()

    @property
    def free(self) -> bool:
        """Whether it may take another job."""
        return self.ready and not self.retired and len(self.jobs) < JOBS_HELD

    def send(self, waiting: Waiting) -> None:
        """Send it a job."""
        self.jobs.append(waiting)
        self._write(waiting.job)
        if len(self.jobs) == 1:
            self._begin()

    def retire(self) -> None:
        """Let it finish its jobs and exit."""
        self.retired = True
        self._stdin.close()

    def kill(self) -> None:
        """Kill it at once."""
        self.retired = True
        with contextlib.suppress(ProcessLookupError, RuntimeError):
            self._transport.kill()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The process runs: send `setup`."""
        self._transport = cast(asyncio.SubprocessTransport, transport)
        self._stdin = cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0))
        self._start_timer(START_SECONDS, self.kill)
        self._write(self._setup)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Process the complete answers."""
        self._received += data
        while len(self._received) >= LENGTH:
            end = LENGTH + int.from_bytes(self._received[:LENGTH], "little")
            if len(self._received) < end:
                return
            with memoryview(self._received) as received:
                answer = _decode(received[LENGTH:end])
            del self._received[:end]
            self._answered(answer)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """It takes no more jobs."""
        self.retired = True

    def connection_lost(self, exc: Exception | None) -> None:
        """The process has exited and its output has been read."""
        code = self._transport.get_returncode() or 0
        self._transport.close()
        self._end(
            f"the parse worker was ended by signal {-code}"
            if code < 0
            else f"the parse worker exited: {code}"
        )

    def _write(self, message: bytearray) -> None:
        """Write to the process. If it has just died uvloop raises RuntimeError, and `connection_lost` follows."""
        with contextlib.suppress(OSError, RuntimeError):
            self._stdin.write(message)

    def _answered(self, answer: Answer) -> None:
        self._stop_timer()
        if self.jobs:
            self._deliver(answer)
        elif not self.ready:
            self.ready = True
            self.started.set_result(None)
        self._changed()

    def _deliver(self, answer: Answer) -> None:
        waiting = self.jobs.popleft()
        if not waiting.answer.done():
            waiting.answer.set_result(answer)
        self._pages_left -= 1
        if answer.error or self._pages_left <= 0:
            self.retire()
        if self.jobs:
            self._begin()

    def _start_timer(self, seconds: float, on_timeout: Callable[[], None]) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, on_timeout)

    def _begin(self) -> None:
        """Start the deadline of the first job."""
        self._extensions = EXTENSIONS
        self._start_timer(self._deadline, self._deadline_passed)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()

    def _deadline_passed(self) -> None:
        """The deadline has passed; extended on an overloaded machine, as the page may not be the cause."""
        if self._extensions > 0 and _is_overloaded():
            self._extensions -= 1
            self._start_timer(self._deadline, self._deadline_passed)
            return
        self._start_timer(GRACE_SECONDS, self._time_out)

    def _time_out(self) -> None:
        self.jobs.popleft().fail("parse-timeout", f"took more than {self._deadline:g} s to read")
        self.kill()
        self._return_jobs()

    def _end(self, cause: str) -> None:
        if self.gone.done():
            return
        self._stop_timer()
        self.retired = True
        self.cause = cause
        if not self.started.done():
            self.started.set_result(None)
        if self.jobs:
            self.jobs[0].deaths += 1
            if self.jobs[0].deaths >= DEATHS:
                self.jobs.popleft().fail("parse-crash", cause)
        self._return_jobs()
        self.gone.set_result(None)
        self._changed()

    def _return_jobs(self) -> None:
        while self.jobs:
            self._return_job(self.jobs.pop())


def _is_overloaded() -> bool:
    try:
        load = os.getloadavg()[0]
    except (AttributeError, OSError):  # Windows has no such figure; a service or container may be refused it
        return False
    return load > CROWDED * (os.cpu_count() or 1)
