"""Runs every strategy on every task from every seed set, in parallel processes; resumes where it stopped."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from topicrawl.setup.strategy_inputs import wordnet_note
from topicrawl.web.open import web_info
from topicrawl_lab.cell import Cell
from topicrawl_lab.cell_runner import CellRunner, Thresholds
from topicrawl_lab.judges_table import write_judges
from topicrawl_lab.labels import labels_path, web_path
from topicrawl_lab.process_pool import Failed, ProcessPool, keep_trace
from topicrawl_lab.results import Key, Results, Row
from topicrawl_lab.spec import Spec
from topicrawl_lab.tasks import Task, TaskError
from topicrawl_lab.training import Learned, learn, weights_from

HOSTS_FOR_CAPS = 20
"""Fewest hosts of a web at which per-host caps are compared."""


@dataclass(frozen=True)
class Comparison:
    """What is compared. `repeats` seed sets of each task are used, with `rng_repeats` random seeds each.

    `tasks` are the selected tasks, `all_tasks` those of the whole file (see `CellRunner`).
    """

    tasks: Sequence[Task]
    specs: Sequence[Spec]
    webs: Path
    all_tasks: Sequence[Task] = ()
    repeats: int | None = None
    rng_repeats: int = 1
    caps: Sequence[int | None] = (None,)
    thresholds: Thresholds = field(default_factory=Thresholds)
    jobs: int = 1

    def run(
        self,
        results: Results,
        remark: Callable[[str], None] = lambda text: None,
        on_row: Callable[[Row, Sequence[str]], None] = lambda row, waiting: None,
        only: Container[Key] | None = None,
    ) -> list[Row]:
        """Run the cells that are not finished, or `only` these of them; returns the rows of all.

        `on_row` is called with each new row and the task names of the remaining cells.
        A cell that fails has a row with its error, and is run again by the next comparison into this folder. Its
        traceback is written where its log would be; `remark` gets the path of the first for each strategy and error.
        """
        cells = [cell for cell in self.cells(remark) if only is None or cell.key in only]
        if not cells:
            raise TaskError("no task can be run; see the notes above, or name the folder of webs with --webs")
        if note := wordnet_note(spec.name for spec in self.specs):
            remark(note)
        results.keep_tasks([task for task in self.tasks if any(cell.task is task for cell in cells)])
        rows = results.rows()
        results.write(rows.values())
        todo = [cell for cell in cells if not _finished(cell, rows, results)]
        waiting = [cell.task.name for cell in todo]
        runner = replace(self._runner(), learned=self._learned(todo, results, remark))
        named: set[tuple[str, str]] = set()
        for cell, answer in ProcessPool(Crawling(runner, results), self.jobs).work(todo):
            row = _failed(cell, answer.why) if isinstance(answer, Failed) else answer
            trace = keep_trace(answer, results.log(cell))
            rows[cell.key] = row
            results.append(row)
            waiting.remove(cell.task.name)
            on_row(row, waiting)
            if trace and (row.strategy, row.error) not in named:
                named.add((row.strategy, row.error))
                remark(f"the traceback of {row.strategy} on {row.task} is in {trace}")
        return self._finish(results, rows, cells)

    def rejudge(self, results: Results, remark: Callable[[str], None] = lambda text: None) -> list[Row]:
        """Judge the existing logs again, without crawling; the costs in results.csv are kept."""
        cells = list(self.cells(remark))
        results.keep_tasks(self.tasks, replace=True)
        rows = results.rows()
        with closing(self._runner()) as runner:
            for cell in cells:
                if _finished(cell, rows, results):
                    judged = runner.judge(cell, *results.read_log(cell))
                    rows[cell.key] = _with_costs(judged, rows[cell.key])
        return self._finish(results, rows, cells)

    def cells(self, remark: Callable[[str], None] = lambda text: None) -> Iterator[Cell]:
        """All cells whose web is present, grouped by task; skipped tasks are reported to `remark`."""
        for task in self.tasks:
            if missing := _missing(self.webs, task.web):
                remark(f"task {task.name!r} is skipped: {missing} is absent; name its folder with --webs")
                continue
            for cap in self._caps(task, remark):
                for spec in self.specs:
                    for seed_set in range(min(self.repeats or len(task.seed_sets), len(task.seed_sets))):
                        for repeat in range(self.rng_repeats):
                            rng_seed = seed_set + repeat * len(task.seed_sets)
                            yield Cell(task, spec, seed_set, rng_seed, cap)

    def _caps(self, task: Task, remark: Callable[[str], None]) -> Sequence[int | None]:
        if not any(self.caps):
            return self.caps
        hosts = len(web_info(web_path(self.webs, task.web)).hosts)
        if hosts >= HOSTS_FOR_CAPS:
            return self.caps
        remark(f"task {task.name!r}: its web has too few hosts ({hosts}) for a per-host cap; it runs without")
        return (None,)

    def _learned(self, todo: Sequence[Cell], results: Results, remark: Callable[[str], None]) -> Learned:
        """The weights of link texts for each cell, learned on the tasks other than its own."""
        present = [task for task in self.all_tasks or self.tasks if not _missing(self.webs, task.web)]
        specs = {cell.spec for cell in todo}
        return learn(present, specs, self._runner(), results.folder, self.jobs, remark)

    def _runner(self) -> CellRunner:
        return CellRunner(self.webs, self.all_tasks or self.tasks, self.thresholds)

    def _finish(self, results: Results, rows: dict[Key, Row], cells: Sequence[Cell]) -> list[Row]:
        """Sort results.csv (the cells of this comparison first) and write judges.csv."""
        own = [rows[cell.key] for cell in cells if cell.key in rows]
        keys = {row.key for row in own}
        results.write([*own, *(row for key, row in sorted(rows.items()) if key not in keys)])
        done = [cell for cell in cells if _finished(cell, rows, results)]
        write_judges(results, done, self.webs, self.thresholds)
        return own


@dataclass(frozen=True)
class Crawling:
    """The handler of a comparison's worker processes: crawls a cell, writes its log, judges it."""

    runner: CellRunner
    results: Results

    def __call__(self, cell: Cell) -> Row:
        crawled = self.runner.crawl(cell)
        similarities = self.runner.similarities(cell.task, crawled.visits)
        self.results.write_log(cell, crawled.visits, similarities)
        row = self.runner.row(cell, crawled, similarities)
        others = (cell.task.name, str(cell.spec)) in self.runner.learned
        return replace(row, weights_from=weights_from(cell.spec, others=others))

    def close(self) -> None:
        self.runner.close()


def _failed(cell: Cell, error: str) -> Row:
    """The row of a cell that failed."""
    return Row(*cell.key, stop_reason="error", error=" ".join(error.split()))


def _finished(cell: Cell, rows: Mapping[Key, Row], results: Results) -> bool:
    """Whether a cell has a row without error, and a log."""
    return cell.key in rows and not rows[cell.key].error and results.log(cell).exists()


def _with_costs(row: Row, old: Row) -> Row:
    return replace(
        row,
        seconds=old.seconds,
        pages_per_cpu_second=old.pages_per_cpu_second,
        generations=old.generations,
        weights_from=old.weights_from,
        stop_reason=old.stop_reason,
    )


def _missing(webs: Path, web: str) -> Path | None:
    """The first file of a web that does not exist."""
    return next((path for path in (web_path(webs, web), labels_path(webs, web)) if not path.exists()), None)
