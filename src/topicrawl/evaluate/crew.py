"""Processes that work through cells: what one cell does to its process does not touch the others.

A process that dies takes only the cell it was at, whose row says so, and is replaced.
"""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from topicrawl.errors import TopicrawlError
from topicrawl.evaluate.bench import Bench
from topicrawl.evaluate.cell import Cell
from topicrawl.evaluate.results import Results, Row

_START = get_context("spawn")


@dataclass(frozen=True)
class Crew:
    """`processes` workers with a bench each, who write logs into `results`."""

    bench: Bench
    results: Results
    processes: int

    def work(self, cells: Iterable[Cell]) -> Iterator[tuple[Cell, Row]]:
        """Each cell with its row, as they come."""
        waiting = iter(cells)
        busy = {worker.pipe: worker for _ in range(self.processes) if (worker := self._hire(waiting))}
        try:
            while busy:
                for ready in wait(list(busy)):
                    assert isinstance(ready, Connection)
                    worker = busy.pop(ready)
                    cell, row = worker.cell, worker.answer()
                    yield cell, row or failed(cell, worker.obituary())
                    next_worker = self._hand_on(worker, waiting) if row else self._hire(waiting)
                    if next_worker:
                        busy[next_worker.pipe] = next_worker
        finally:
            for worker in busy.values():
                worker.process.terminate()
                worker.process.join()

    def _hire(self, waiting: Iterator[Cell]) -> _Worker | None:
        """A new worker at the next cell, if there is one."""
        cell = next(waiting, None)
        if cell is None:
            return None
        pipe, far = _START.Pipe()
        process = _START.Process(target=_serve, args=(far, self.bench, self.results), daemon=True)
        process.start()
        far.close()
        worker = _Worker(process, pipe, cell)
        worker.take(cell)
        return worker

    def _hand_on(self, worker: _Worker, waiting: Iterator[Cell]) -> _Worker | None:
        """The same worker at the next cell; without one it goes home."""
        cell = next(waiting, None)
        worker.take(cell)
        if cell is None:
            worker.process.join()
            worker.pipe.close()
        return worker if cell else None


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    cell: Cell

    def take(self, cell: Cell | None) -> None:
        self.cell = cell or self.cell
        with suppress(
            BrokenPipeError, ConnectionResetError
        ):  # that it died is noticed when its answer is read
            self.pipe.send(cell)

    def answer(self) -> Row | None:
        """The row of its cell; None when it died over it."""
        try:
            row: Row = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            return None
        return row

    def obituary(self) -> str:
        self.process.join()
        self.pipe.close()
        return f"the process of this cell ended with code {self.process.exitcode}"


def run_cell(cell: Cell, bench: Bench, results: Results) -> Row:
    """Crawl, judge, keep the log; whatever a strategy does, it fills its own cell only."""
    try:
        crawled = bench.crawl(cell)
        similarities = bench.similarities(cell.task, crawled.visits)
        results.write_log(cell, crawled.visits, similarities)
        return bench.row(cell, crawled, similarities)
    except TopicrawlError as error:
        return failed(cell, str(error))
    except Exception as error:
        return failed(cell, f"{type(error).__name__}: {error}")


def failed(cell: Cell, error: str) -> Row:
    """The row of a cell that came to nothing."""
    return Row(*cell.key, stop_reason="error", error=" ".join(error.split()))


def _serve(pipe: Connection, bench: Bench, results: Results) -> None:
    """The life of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who hands out cells
    with closing(bench), suppress(EOFError, BrokenPipeError):  # or that one is gone
        while (cell := pipe.recv()) is not None:
            pipe.send(run_cell(cell, bench, results))
