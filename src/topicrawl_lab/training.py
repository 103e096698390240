"""Weights of links' texts for a comparison: learned on the other tasks, never on the one that is judged.

No label enters: what is learned is which text of a link tells best how similar the page behind it is to the topic.
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
"""Links to learn from of each task."""
DIGITS = 6
"""Of a similarity, as kept."""
Rows = list[tuple[float, ...]]
Learned = Mapping[tuple[str, str], tuple[float, ...]]
"""Task and spec -> weights."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A task to learn from, with the measure that one spec uses."""

    task: Task
    spec: Spec

    @property
    def key(self) -> tuple[str, str]:
        return (self.task.name, str(self.spec))


@dataclass
class Training:
    """Collects what lessons teach: a breadth-first crawl that notes how good each link's texts were."""

    bench: CellRunner
    links: int = LINKS

    def __call__(self, lesson: Lesson) -> Rows:
        task = msgspec.structs.replace(lesson.task, budget=self.links + len(lesson.task.seed_sets[0]))
        spec = lesson.spec
        strategy = spec.strategy(task.budget, lambdas((0.0, 0.0, 0.0, 0.0)))
        assert isinstance(strategy, McoaCrawler)
        cell = Cell(task, spec, seed_set=0, rng_seed=0)
        crawl(cell, self.bench.shelf(task), self.bench.topic(cell), strategy)
        return strategy.samples[: self.links]

    def close(self) -> None:
        self.bench.close()


def learns_from_others(spec: Spec) -> bool:
    """Whether a spec leaves its weights open."""
    kind = strategy_class(spec.name)
    said = {name for name, _ in spec.settings}
    return issubclass(kind, McoaCrawler) and said.isdisjoint({"weights", *lambdas((0.0,) * 4)})


def weights_from(spec: Spec, *, others: bool) -> str:
    """Where the weights of a spec come from, as results.csv says it; empty where there are none to learn."""
    kind = strategy_class(spec.name)
    if not issubclass(kind, McoaCrawler):
        return ""
    said = dict(spec.settings)
    if said.get("weights", "given") != "given":
        return f"first {said.get('training_pages', kind.training_pages)} pages of the crawl"
    if not learns_from_others(spec):
        return "given"
    return "other tasks" if others else "mean of the published"


def learn(
    tasks: Sequence[Task],
    specs: Iterable[Spec],
    bench: CellRunner,
    folder: Path,
    processes: int,
    remark: Callable[[str], None],
) -> Learned:
    """The weights of each task and strategy that leaves them open; what tasks teach is kept in `folder`."""
    open_specs = sorted({spec for spec in specs if learns_from_others(spec)})
    lessons = [Lesson(task, spec) for spec in open_specs for task in tasks] if len(tasks) > 1 else []
    taught = {each.key: _read(folder, each) for each in lessons}
    missing = [each for each in lessons if taught[each.key] is None]
    if missing:
        remark(f"weights are learned on other tasks: {len(missing)} short crawls first")
    for lesson, rows in ProcessPool(Training(bench), processes).work(missing):
        trace = keep_trace(rows, _place(folder, lesson))
        if isinstance(rows, Failed):
            place = f"; its traceback is in {trace}" if trace else ""
            remark(f"task {lesson.task.name!r} teaches no weights: {rows.why}{place}")
            continue
        taught[lesson.key] = _keep(folder, lesson, rows)
    return {each.key: exact_weights(_others(each, taught)) for each in lessons}


def _others(lesson: Lesson, taught: Mapping[tuple[str, str], Rows | None]) -> Samples:
    """What all tasks but that of the lesson teach its spec."""
    name, spec = lesson.key
    rows = [rows for (other, by), rows in taught.items() if rows and by == spec and other != name]
    return Samples.joined([Samples.of(each) for each in rows])


def _place(folder: Path, lesson: Lesson) -> Path:
    return folder / "weights" / lesson.spec.folder / f"{lesson.task.name}.json"


def _read(folder: Path, lesson: Lesson) -> Rows | None:
    path = _place(folder, lesson)
    if not path.exists():
        return None
    with disk_errors(path):
        return msgspec.json.decode(path.read_bytes(), type=Rows)


def _keep(folder: Path, lesson: Lesson, rows: Rows) -> Rows:
    """The rows as they were written, so that going on later learns the same."""
    path = _place(folder, lesson)
    kept = [tuple(round(value, DIGITS) for value in row) for row in rows]
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, msgspec.json.encode(kept))
    return kept
