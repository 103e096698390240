"""A pool of processes that work through jobs; a job that fails does not disturb the others.

A process that dies loses only its current job, and is replaced. An exception becomes the answer of its job.
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


class Handler(Protocol[Job_contra, Answer_co]):
    """Does a job. It is pickled to each process once, and may cache there what later jobs need."""

    def __call__(self, job: Job_contra, /) -> Answer_co: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Failed:
    """The answer of a job that failed.

    `trace` is the traceback of an unexpected exception; empty for a `TopicrawlError` and for a process that died.
    """

    why: str
    trace: str = ""


class ProcessPool(Generic[Job, Answer]):
    """`processes` worker processes, each with a copy of `handler`."""

    def __init__(self, handler: Handler[Job, Answer], processes: int) -> None:
        self._handler = handler
        self._processes = processes

    def work(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Answer | Failed]]:
        """Each job with its answer, in the order of completion."""
        waiting = iter(jobs)
        busy = {worker.pipe: worker for _ in range(self._processes) if (worker := self._start(waiting))}
        try:
            while busy:
                for ready in wait(list(busy)):
                    assert isinstance(ready, Connection)
                    worker = busy.pop(ready)
                    job, answer = worker.job, worker.answer()
                    yield job, Failed(worker.exit_message()) if answer is None else answer
                    next_worker = self._start(waiting) if answer is None else self._send_next(worker, waiting)
                    if next_worker:
                        busy[next_worker.pipe] = next_worker
        finally:
            for worker in busy.values():
                worker.process.terminate()
                worker.process.join()

    def _start(self, waiting: Iterator[Job]) -> _Worker[Job, Answer] | None:
        """Start a worker on the next job; None when no job is left."""
        job = next(waiting, None)
        if job is None:
            return None
        pipe, worker_end = _START.Pipe()
        process = _START.Process(target=_serve, args=(worker_end, self._handler), daemon=True)
        process.start()
        worker_end.close()
        worker = _Worker[Job, Answer](process, pipe, job)
        worker.send(job)
        return worker

    def _send_next(self, worker: _Worker[Job, Answer], waiting: Iterator[Job]) -> _Worker[Job, Answer] | None:
        """Send the next job to a worker; when no job is left the worker is stopped, and None returned."""
        job = next(waiting, None)
        worker.send(job)
        if job is None:
            worker.process.join()
            worker.pipe.close()
        return worker if job is not None else None


@dataclass
class _Worker(Generic[Job, Answer]):
    process: BaseProcess
    pipe: Connection
    job: Job

    def send(self, job: Job | None) -> None:
        self.job = self.job if job is None else job
        with suppress(BrokenPipeError, ConnectionResetError):  # `answer` notices that the process died
            self.pipe.send(job)

    def answer(self) -> Answer | Failed | None:
        """The answer of its job; None when the process died."""
        try:
            answer: Answer | Failed = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            return None
        return answer

    def exit_message(self) -> str:
        self.process.join()
        self.pipe.close()
        return f"the process of this cell ended with code {self.process.exitcode}"


def _serve(pipe: Connection, handler: Handler[Job, Answer]) -> None:
    """Run jobs until None is received: the main function of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the parent
    with closing(handler), suppress(EOFError, BrokenPipeError):  # the parent ended
        while (job := pipe.recv()) is not None:
            pipe.send(_try(handler, job))


def _try(handler: Handler[Job, Answer], job: Job) -> Answer | Failed:
    try:
        return handler(job)
    except TopicrawlError as error:
        return Failed(str(error))
    except Exception as error:
        return Failed(f"{type(error).__name__}: {error}", traceback.format_exc())


def trace_file(file: Path) -> Path:
    """The path of the traceback of a job whose answer would be in `file`."""
    return file.with_suffix(".traceback.txt")


def keep_trace(answer: object, file: Path) -> Path | None:
    """Write the traceback of a failed job beside `file`, the file of its answer; returns its path.

    Where there is no traceback to write, an older one is deleted and None returned.
    """
    path = trace_file(file)
    with disk_errors(path):
        if isinstance(answer, Failed) and answer.trace:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, answer.trace.encode("utf-8", "backslashreplace"))
            return path
        path.unlink(missing_ok=True)
    return None
