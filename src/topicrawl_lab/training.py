"""Weights of link texts for a comparison, learned on the tasks other than the one that is judged.

Labels are not used: the weights predict from a link's texts how similar its page is to the topic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from topicrawl.store.disk import disk_errors, write_atomically
from topicrawl.strategies.mcoa import McoaCrawler, lambdas
from topicrawl.strategies.registry import strategy_class
from topicrawl.strategies.weights.exact import exact_weights
from topicrawl.strategies.weights.samples import Samples
from topicrawl_lab.cell import Cell, crawl
from topicrawl_lab.cell_runner import CellRunner
from topicrawl_lab.process_pool import Failed, ProcessPool, keep_trace
from topicrawl_lab.spec import Spec
from topicrawl_lab.tasks import Task

LINKS = 200
"""Number of links to learn from in each task."""
DIGITS = 6
"""Decimals of stored similarities."""
Rows = list[tuple[float, ...]]
Learned = Mapping[tuple[str, str], tuple[float, ...]]
"""Task and spec -> weights."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A task to learn from, with the spec whose similarity measure is used."""

    task: Task
    spec: Spec

    @property
    def key(self) -> tuple[str, str]:
        return (self.task.name, str(self.spec))


@dataclass
class Training:
    """Collects training samples for a lesson: the similarities of each link's texts, by a breadth-first crawl."""

    runner: CellRunner
    links: int = LINKS

    def __call__(self, lesson: Lesson) -> Rows:
        task = msgspec.structs.replace(lesson.task, budget=self.links + len(lesson.task.seed_sets[0]))
        spec = lesson.spec
        strategy = spec.strategy(task.budget, lambdas((0.0, 0.0, 0.0, 0.0)))
        assert isinstance(strategy, McoaCrawler)
        cell = Cell(task, spec, seed_set=0, rng_seed=0)
        crawl(cell, self.runner.offline(task), self.runner.topic(cell), strategy)
        return strategy.samples[: self.links]

    def close(self) -> None:
        self.runner.close()


def learns_from_others(spec: Spec) -> bool:
    """Whether a spec has learnable weights and does not set them."""
    kind = strategy_class(spec.name)
    given = {name for name, _ in spec.settings}
    return issubclass(kind, McoaCrawler) and given.isdisjoint({"weights", *lambdas((0.0,) * 4)})


def weights_from(spec: Spec, *, others: bool) -> str:
    """The column `weights_from` of results.csv: the source of a spec's weights; empty for strategies without."""
    kind = strategy_class(spec.name)
    if not issubclass(kind, McoaCrawler):
        return ""
    given = dict(spec.settings)
    if given.get("weights", "given") != "given":
        return f"first {given.get('training_pages', kind.training_pages)} pages of the crawl"
    if not learns_from_others(spec):
        return "given"
    return "other tasks" if others else "mean of the published"


def learn(
    tasks: Sequence[Task],
    specs: Iterable[Spec],
    runner: CellRunner,
    folder: Path,
    processes: int,
    remark: Callable[[str], None],
) -> Learned:
    """Learned weights for each task and each spec that does not set its own; samples are kept in `folder`."""
    open_specs = sorted({spec for spec in specs if learns_from_others(spec)})
    lessons = [Lesson(task, spec) for spec in open_specs for task in tasks] if len(tasks) > 1 else []
    samples = {each.key: _read(folder, each) for each in lessons}
    missing = [each for each in lessons if samples[each.key] is None]
    if missing:
        remark(f"weights are learned on other tasks: {len(missing)} short crawls first")
    for lesson, rows in ProcessPool(Training(runner), processes).work(missing):
        trace = keep_trace(rows, _samples_file(folder, lesson))
        if isinstance(rows, Failed):
            where = f"; its traceback is in {trace}" if trace else ""
            remark(f"no weights are learned on task {lesson.task.name!r}: {rows.why}{where}")
            continue
        samples[lesson.key] = _keep(folder, lesson, rows)
    return {each.key: exact_weights(_others(each, samples)) for each in lessons}


def _others(lesson: Lesson, samples: Mapping[tuple[str, str], Rows | None]) -> Samples:
    """The samples of all tasks except that of the lesson, for its spec."""
    name, spec = lesson.key
    rows = [rows for (other, by), rows in samples.items() if rows and by == spec and other != name]
    return Samples.joined([Samples.of(each) for each in rows])


def _samples_file(folder: Path, lesson: Lesson) -> Path:
    return folder / "weights" / lesson.spec.folder / f"{lesson.task.name}.json"


def _read(folder: Path, lesson: Lesson) -> Rows | None:
    path = _samples_file(folder, lesson)
    if not path.exists():
        return None
    with disk_errors(path):
        return msgspec.json.decode(path.read_bytes(), type=Rows)


def _keep(folder: Path, lesson: Lesson, rows: Rows) -> Rows:
    """Write the rows; returns them rounded as written, so that a resumed comparison learns the same weights."""
    path = _samples_file(folder, lesson)
    kept = [tuple(round(value, DIGITS) for value in row) for row in rows]
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, msgspec.json.encode(kept))
    return kept
