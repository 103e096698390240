"""Processes that work through jobs: what one job does to its process does not touch the others.

A process that dies takes only the job it was at, and is replaced; whatever a job raises is its own.
"""

from __future__ import annotations

import signal
import traceback
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from topicrawl.errors import TopicrawlError
from topicrawl.store.disk import disk_errors, write_atomically

Job = TypeVar("Job")
Answer = TypeVar("Answer")
Job_contra = TypeVar("Job_contra", contravariant=True)
Answer_co = TypeVar("Answer_co", covariant=True)
_START = get_context("spawn")


class Craft(Protocol[Job_contra, Answer_co]):
    """What every worker can do. It is sent to each process once and may keep there what later jobs need again."""

    def __call__(self, job: Job_contra, /) -> Answer_co: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Failed:
    """In the place of an answer: why there is none.

    `trace` is the traceback of an exception that nobody raised on purpose; empty for an error that explains itself,
    and for a process that died.
    """

    why: str
    trace: str = ""


class ProcessPool(Generic[Job, Answer]):
    """`processes` workers with one craft."""

    def __init__(self, craft: Craft[Job, Answer], processes: int) -> None:
        self._craft = craft
        self._processes = processes

    def work(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Answer | Failed]]:
        """Each job with its answer, as they come."""
        waiting = iter(jobs)
        busy = {worker.pipe: worker for _ in range(self._processes) if (worker := self._hire(waiting))}
        try:
            while busy:
                for ready in wait(list(busy)):
                    assert isinstance(ready, Connection)
                    worker = busy.pop(ready)
                    job, answer = worker.job, worker.answer()
                    yield job, Failed(worker.obituary()) if answer is None else answer
                    next_worker = self._hire(waiting) if answer is None else self._hand_on(worker, waiting)
                    if next_worker:
                        busy[next_worker.pipe] = next_worker
        finally:
            for worker in busy.values():
                worker.process.terminate()
                worker.process.join()

    def _hire(self, waiting: Iterator[Job]) -> _Worker[Job, Answer] | None:
        """A new worker at the next job, if there is one."""
        job = next(waiting, None)
        if job is None:
            return None
        pipe, far = _START.Pipe()
        process = _START.Process(target=_serve, args=(far, self._craft), daemon=True)
        process.start()
        far.close()
        worker = _Worker[Job, Answer](process, pipe, job)
        worker.take(job)
        return worker

    def _hand_on(self, worker: _Worker[Job, Answer], waiting: Iterator[Job]) -> _Worker[Job, Answer] | None:
        """The same worker at the next job; without one it goes home."""
        job = next(waiting, None)
        worker.take(job)
        if job is None:
            worker.process.join()
            worker.pipe.close()
        return worker if job is not None else None


@dataclass
class _Worker(Generic[Job, Answer]):
    process: BaseProcess
    pipe: Connection
    job: Job

    def take(self, job: Job | None) -> None:
        self.job = self.job if job is None else job
        with suppress(
            BrokenPipeError, ConnectionResetError
        ):  # that it died is noticed when its answer is read
            self.pipe.send(job)

    def answer(self) -> Answer | Failed | None:
        """What came of its job; None when it died over it."""
        try:
            answer: Answer | Failed = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            return None
        return answer

    def obituary(self) -> str:
        self.process.join()
        self.pipe.close()
        return f"the process of this cell ended with code {self.process.exitcode}"


def _serve(pipe: Connection, craft: Craft[Job, Answer]) -> None:
    """The life of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who hands out jobs
    with closing(craft), suppress(EOFError, BrokenPipeError):  # or that one is gone
        while (job := pipe.recv()) is not None:
            pipe.send(_tried(craft, job))


def _tried(craft: Craft[Job, Answer], job: Job) -> Answer | Failed:
    try:
        return craft(job)
    except TopicrawlError as error:
        return Failed(str(error))
    except Exception as error:
        return Failed(f"{type(error).__name__}: {error}", traceback.format_exc())


def trace_file(file: Path) -> Path:
    """Where the traceback lies of a job whose answer would lie in `file`."""
    return file.with_suffix(".traceback.txt")


def keep_trace(answer: object, file: Path) -> Path | None:
    """Keep the traceback of a job that failed beside `file`, where its answer would lie; returns where.

    A job that now has an answer, or failed without a traceback, leaves none there.
    """
    path = trace_file(file)
    with disk_errors(path):
        if isinstance(answer, Failed) and answer.trace:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, answer.trace.encode("utf-8", "backslashreplace"))
            return path
        path.unlink(missing_ok=True)
    return None
