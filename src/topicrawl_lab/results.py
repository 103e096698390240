"""The folder of a comparison: `results.csv`, the logs in `visits/`, and its tasks.

A row is appended after its log is complete, so a comparison that was killed can resume; an incomplete last line is
ignored. A cell that failed has a row with its error and no log.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import msgspec

from topicrawl.errors import RunError
from topicrawl.model import Visit
from topicrawl.store.disk import disk_errors, write_atomically
from topicrawl.store.line_files import visit_line
from topicrawl_lab.cell import Cell
from topicrawl_lab.tasks import Task, read_tasks, write_tasks

Key = tuple[str, str, int, int, str]
DIGITS = 6
"""Decimals of measures in results.csv."""
_read_visit = msgspec.json.Decoder(Visit).decode


@dataclass(frozen=True, slots=True)
class Row:
    """A line of results.csv. Truth, harvest rate and recall are by labels, AR and SD by the crawler's own relevance,
    the average similarity by similarity to the examples. `weights_from` is the source of learned weights, if any."""

    task: str
    strategy: str
    seed_set: int
    rng_seed: int
    cap: str
    fetches: int = 0
    peeks: int = 0
    failures: int = 0
    relevant_truth: int = 0
    oracle_share: float = 0.0
    harvest_rate: float = 0.0
    recall: float = 0.0
    average_relevance: float = 0.0
    standard_deviation: float = 0.0
    average_similarity_relevant: float = 0.0
    hosts: int = 0
    generations: int = -1
    """Generations that ended; −1 for a strategy without generations, or where it was not noted."""
    seconds: float = 0.0
    pages_per_cpu_second: float = 0.0
    weights_from: str = ""
    stop_reason: str = ""
    error: str = ""
    share_per_request: float | None = None
    """As `oracle_share`, when as many requests are made as the budget has pages; None in a row of an older version."""

    @property
    def key(self) -> Key:
        return (self.task, self.strategy, self.seed_set, self.rng_seed, self.cap)


COLUMNS = tuple(field.name for field in fields(Row))
KEYS = 5
"""Columns that identify a cell; a table of an older version may lack others."""
BLANK = ("share_per_request",)
"""Columns that may be empty: rows of older versions have no value for them."""


class Results:
    """A results folder, created if it does not exist."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with disk_errors(folder):
            (folder / "visits").mkdir(parents=True, exist_ok=True)

    @property
    def table(self) -> Path:
        return self.folder / "results.csv"

    def rows(self) -> dict[Key, Row]:
        """All complete rows; the last one where a cell has several."""
        return {row.key: row for row in read_rows(self.table)} if self.table.exists() else {}

    def append(self, row: Row) -> None:
        """Append a row and sync it to disk."""
        with disk_errors(self.table), self.table.open("a", encoding="utf-8", newline="") as file:
            file.write(_lines([row]) if file.tell() else _lines([row], head=True))
            file.flush()
            os.fsync(file.fileno())

    def write(self, rows: Iterable[Row]) -> None:
        """Replace the table by these rows."""
        self.write_table(self.table.name, _lines(rows, head=True))

    def write_table(self, name: str, text: str) -> None:
        """Write another table beside results.csv."""
        _replace(self.folder / name, text.encode())

    def log(self, cell: Cell) -> Path:
        """The path of a cell's log."""
        capped = f"~max_per_host={cell.cap}" if cell.cap is not None else ""
        further = "" if cell.rng_seed == cell.seed_set else f".{cell.rng_seed}"
        folder = self.folder / "visits" / cell.task.name / f"{cell.spec.folder}{capped}"
        return folder / f"{cell.seed_set}{further}.jsonl"

    def write_log(self, cell: Cell, visits: Iterable[Visit], similarities: Sequence[float]) -> None:
        """Write the log of a cell, and beside it the similarity of each page fetched (see `ExampleSimilarity`)."""
        path = self.log(cell)
        with disk_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        rounded = [round(value, DIGITS) for value in similarities]
        _replace(_similarity_file(path), msgspec.json.encode(rounded))
        _replace(path, b"".join(map(visit_line, visits)))

    def read_log(self, cell: Cell) -> tuple[list[Visit], list[float]]:
        """The log of a cell and the similarities of its pages."""
        path = self.log(cell)
        with disk_errors(path):
            visits = [_read_visit(line) for line in path.read_bytes().splitlines()]
            return visits, msgspec.json.decode(_similarity_file(path).read_bytes(), type=list[float])

    def keep_tasks(self, tasks: Sequence[Task], *, replace: bool = False) -> None:
        """Write the tasks beside their results; `RunError` when a task of that name differs, unless `replace`."""
        path = self.folder / "tasks.json"
        kept = {task.name: task for task in read_tasks(path)} if path.exists() else {}
        for task in tasks:
            if not replace and kept.get(task.name, task) != task:
                raise RunError(
                    f"{self.folder} holds results of another task {task.name!r}; give a new --out, or rename the task"
                )
        kept.update((task.name, task) for task in tasks)
        write_tasks(kept.values(), path)


def read_rows(path: Path) -> list[Row]:
    """The rows of a results.csv."""
    with disk_errors(path):
        text = path.read_bytes().decode("utf-8", "replace")
    whole = text[: text.rfind("\n") + 1]
    table = csv.DictReader(io.StringIO(whole, newline=""))
    if whole and not set(COLUMNS[:KEYS]) <= set(table.fieldnames or ()) <= set(COLUMNS):
        raise RunError(f"{path} has other columns than a results.csv of this version; give a new --out")
    return [msgspec.convert(_without_blanks(row), Row, strict=False) for row in table]


def _without_blanks(row: dict[str, str]) -> dict[str, str]:
    """A row without the columns that it has no value for."""
    return {name: value for name, value in row.items() if value or name not in BLANK}


def _replace(path: Path, content: bytes) -> None:
    with disk_errors(path):
        write_atomically(path, content)


def _lines(rows: Iterable[Row], *, head: bool = False) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    if head:
        writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow(_rounded(value) for value in asdict(row).values())
    return text.getvalue()


def _rounded(value: object) -> object:
    return round(value, DIGITS) if isinstance(value, float) else value


def _similarity_file(log: Path) -> Path:
    return log.with_suffix(".similarity.json")
