"""Reads a results folder: every cell's row, the path of its log, and the judges' verdicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from topicrawl.errors import RunError, TopicrawlError
from topicrawl_lab.cell import Cell
from topicrawl_lab.cell_runner import Thresholds
from topicrawl_lab.judges import Verdict
from topicrawl_lab.judges_table import verdicts
from topicrawl_lab.labels import Labels, labels_path, read_labels, targets
from topicrawl_lab.results import Results, Row
from topicrawl_lab.spec import parse_specs
from topicrawl_lab.tasks import Task, read_tasks

LABELS, OWN, SIMILARITY = "labels", "own", "similarity"
JUDGES = (LABELS, OWN, SIMILARITY)
NO_CAP = "none"


@dataclass(frozen=True, slots=True)
class Run:
    """One cell: its row, the path of its log (relative to the report), and the verdicts available."""

    row: Row
    log: str
    judged: Mapping[str, Verdict] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Gathered:
    """All cells without error under one per-host cap, and the rows of the others."""

    cells: Mapping[tuple[str, str], Sequence[Run]]
    """By task and strategy, in the order of seeds."""
    failed: tuple[Row, ...]
    other_caps: tuple[Row, ...]
    cap: str
    tasks: tuple[str, ...]
    strategies: tuple[str, ...]
    budgets: Mapping[str, int]
    starts: Mapping[str, Sequence[int]]
    """For each seed set of a task, the first seed set with the same pages: equal starts are not independent."""

    def of(self, task: str, strategy: str) -> Sequence[Run]:
        """The cells of a strategy in a task."""
        return self.cells.get((task, strategy), ())

    @property
    def runs(self) -> list[Run]:
        """All cells."""
        return [run for several in self.cells.values() for run in several]

    def start(self, run: Run) -> int:
        """The number of its start; crawls with the same start count as one in tests."""
        starts = self.starts.get(run.row.task, ())
        return starts[run.row.seed_set] if run.row.seed_set < len(starts) else run.row.seed_set

    def mean(self, task: str, strategy: str, value: Callable[[Run], float]) -> float | None:
        """The mean of `value` over those cells; None where there is none."""
        found = [value(run) for run in self.of(task, strategy)]
        return sum(found) / len(found) if found else None

    def per_request(self, tasks: Sequence[str], strategy: str) -> float | None:
        """Mean over tasks of the share of the oracle by requests; None where a row of an older version lacks it."""
        means = []
        for task in tasks:
            found = [run.row.share_per_request for run in self.of(task, strategy)]
            known = [value for value in found if value is not None]
            if not known or len(known) < len(found):
                return None
            means.append(sum(known) / len(known))
        return sum(means) / len(means) if means else None

    @property
    def judges(self) -> tuple[str, ...]:
        """The judges with a verdict on every cell."""
        runs = self.runs
        return tuple(name for name in JUDGES if runs and all(name in run.judged for run in runs))


def gather(folder: Path, webs: Path | None = None, thresholds: Thresholds | None = None) -> Gathered:
    """Read a results folder. `webs` is the folder of labels; without it, the labels' verdicts are missing."""
    results = Results(folder) if folder.is_dir() else None
    rows = list(results.rows().values()) if results else []
    if results is None or not rows:
        raise RunError(f"{folder} holds no results; run: topicrawl compare tasks.json --out {folder}")
    tasks = _tasks(folder)
    good = sorted((row for row in rows if not row.error), key=_order(rows))
    cap = _main_cap(good)
    read = _Reader(results, tasks, webs, thresholds or Thresholds())
    runs = [read(row) for row in good if row.cap == cap]
    cells: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        cells.setdefault((run.row.task, run.row.strategy), []).append(run)
    return Gathered(
        cells=cells,
        failed=tuple(row for row in rows if row.error),
        other_caps=tuple(row for row in good if row.cap != cap),
        cap=cap,
        tasks=tuple(dict.fromkeys(run.row.task for run in runs)),
        strategies=tuple(dict.fromkeys(run.row.strategy for run in sorted(runs, key=_strategy_order(rows)))),
        budgets=_budgets(runs, tasks),
        starts={name: _starts(task) for name, task in tasks.items()},
    )


class _Reader:
    """Turns rows into runs; each file of labels is read once."""

    def __init__(
        self, results: Results, tasks: Mapping[str, Task], webs: Path | None, thresholds: Thresholds
    ) -> None:
        self._results = results
        self._tasks = tasks
        self._webs = webs
        self._thresholds = thresholds
        self._labels: dict[str, Labels | None] = {}
        self._targets: dict[str, frozenset[str] | None] = {}

    def __call__(self, row: Row) -> Run:
        task = self._tasks.get(row.task)
        if task is None:
            return Run(row, "")
        wanted = self._wanted(task)
        try:
            cap = None if row.cap == NO_CAP else int(row.cap)
            cell = Cell(task, parse_specs(row.strategy)[0], row.seed_set, row.rng_seed, cap)
            given = verdicts(self._results, cell, wanted or frozenset(), self._thresholds)
            judged = {judge: verdict for judge, _, verdict in given if judge != LABELS or wanted is not None}
        except (TopicrawlError, ValueError):  # the log was deleted, or the strategy is not installed
            return Run(row, "")
        return Run(row, self._results.log(cell).relative_to(self._results.folder).as_posix(), judged)

    def _wanted(self, task: Task) -> frozenset[str] | None:
        """The targets of a task; None where the labels cannot be found."""
        if task.name not in self._targets:
            labels = self._read(task.web)
            self._targets[task.name] = None if labels is None else targets(labels, task)
        return self._targets[task.name]

    def _read(self, web: str) -> Labels | None:
        if web not in self._labels:
            path = labels_path(self._webs, web) if self._webs else None
            self._labels[web] = read_labels(path) if path and path.exists() else None
        return self._labels[web]


def _tasks(folder: Path) -> dict[str, Task]:
    path = folder / "tasks.json"
    return {task.name: task for task in read_tasks(path)} if path.exists() else {}


def _strategy_order(rows: Sequence[Row]) -> Callable[[Run], int]:
    """Strategies in the order of results.csv."""
    names = {name: place for place, name in enumerate(dict.fromkeys(row.strategy for row in rows))}
    return lambda run: names[run.row.strategy]


def _order(rows: Sequence[Row]) -> Callable[[Row], tuple[int, int, int, int]]:
    """Tasks and strategies in the order of results.csv, then by seed."""
    tasks = {name: place for place, name in enumerate(dict.fromkeys(row.task for row in rows))}
    names = {name: place for place, name in enumerate(dict.fromkeys(row.strategy for row in rows))}
    return lambda row: (tasks[row.task], names[row.strategy], row.seed_set, row.rng_seed)


def _main_cap(rows: Sequence[Row]) -> str:
    """No cap if there are such cells, else the largest cap."""
    caps = {row.cap for row in rows} or {NO_CAP}
    return NO_CAP if NO_CAP in caps else max(caps, key=int)


def _budgets(runs: Sequence[Run], tasks: Mapping[str, Task]) -> dict[str, int]:
    fetched: dict[str, int] = {}
    for run in runs:
        fetched[run.row.task] = max(fetched.get(run.row.task, 1), run.row.fetches)
    return {name: tasks[name].budget if name in tasks else most for name, most in fetched.items()}


def _starts(task: Task) -> list[int]:
    pages = [frozenset(seeds) for seeds in task.seed_sets]
    return [pages.index(each) for each in pages]
