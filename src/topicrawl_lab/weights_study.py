"""`weights learn --tasks`: weights for every task of a file, with the paper's Table 3 and Figs. 3 and 4."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template

from topicrawl.report.page import WIDE, policy, stylesheet
from topicrawl.report.tables import amount, safe
from topicrawl.report.templates import template
from topicrawl.setup.strategy_inputs import wordnet_note
from topicrawl.store.disk import disk_errors, write_atomically
from topicrawl.strategies.weights.learn import Learned, learn_weights
from topicrawl.strategies.weights.membranes import Membranes
from topicrawl.strategies.weights.samples import Samples
from topicrawl_lab import templates
from topicrawl_lab.cell_runner import CellRunner
from topicrawl_lab.comparison.findings import p_text
from topicrawl_lab.comparison.html import key, mean
from topicrawl_lab.plots.files import write_plot
from topicrawl_lab.process_pool import Failed, ProcessPool, keep_trace
from topicrawl_lab.spec import Spec
from topicrawl_lab.statistics import pairing
from topicrawl_lab.tasks import Task, TaskError
from topicrawl_lab.training import Lesson, Training
from topicrawl_lab.weights_figures import (
    EQUAL_NAME,
    HEIGHT,
    LEARNED_NAME,
    NAMES,
    error_curves,
    error_map,
    weights_csv,
    weights_panels,
)
from topicrawl_lab.weights_folder import WeightsFolder


@dataclass
class Learning:
    """The handler of the worker processes: collects the links of a task and learns its weights."""

    training: Training
    by: str
    settings: Membranes

    def __call__(self, lesson: Lesson) -> Learned:
        return learn_weights(Samples.of(self.training(lesson)), self.by, self.settings)

    def close(self) -> None:
        self.training.close()


@dataclass(frozen=True)
class Study:
    """The tasks, the strategy and the optimiser of a study."""

    tasks: Sequence[Task]
    webs: Path
    spec: Spec
    by: str
    settings: Membranes
    links: int

    def learn(
        self, folder: Path, processes: int, on_task: Callable[[int], None], remark: Callable[[str], None]
    ) -> dict[str, Learned]:
        """The weights of each task, in the order of the file; each is written to `folder` as soon as it is learned.

        Tasks already in `folder` are skipped. `on_task` is called with the number of tasks left.
        """
        kept = WeightsFolder(folder, self.description)
        found = kept.known(self.tasks)
        if found:
            remark(f"{len(found)} of {len(self.tasks)} tasks were learned before")
        if note := wordnet_note([self.spec.name]):
            remark(note)
        handler = Learning(Training(CellRunner(self.webs, self.tasks), self.links), self.by, self.settings)
        lessons = [Lesson(task, self.spec) for task in self.tasks if task.name not in found]
        for done, (lesson, learned) in enumerate(ProcessPool(handler, processes).work(lessons), 1):
            on_task(len(lessons) - done)
            trace = keep_trace(learned, kept.file(lesson.task))
            if isinstance(learned, Failed):
                where = f"; its traceback is in {trace}" if trace else ""
                remark(f"task {lesson.task.name!r} teaches nothing: {learned.why}{where}")
            else:
                kept.keep(lesson.task, learned)
                found[lesson.task.name] = learned
        if not found:
            raise TaskError("no task taught any weights; see the notes above")
        return {task.name: found[task.name] for task in self.tasks if task.name in found}

    @property
    def description(self) -> str:
        """The settings in words; results of other settings are not reused."""
        settings = self.settings
        search = f" ({settings.mutation}, {settings.generations:,} generations, seed {settings.seed})"
        return f"{self.spec} by {self.by}{search if self.by == 'mcoa' else ''} from {self.links:,} links"

    def write(self, folder: Path, learned: Mapping[str, Learned]) -> Path:
        """Write weights.csv, the plots and report.html; returns the path of the report."""
        report = folder / "report.html"
        with disk_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
            write_atomically(folder / "weights.csv", weights_csv(learned).encode())
            write_atomically(report, self._page(learned).encode())
        write_plot(folder / "plots", "error-differences", error_map(learned, WIDE))
        write_plot(folder / "plots", "errors", error_curves(learned, WIDE, HEIGHT))
        return report

    def _page(self, learned: Mapping[str, Learned]) -> str:
        style = stylesheet(template("report.css"), template("comparison.css", templates.__name__))
        better = sum(each.error < each.equal_error for each in learned.values())
        return Template(template("comparison.html", templates.__name__)).substitute(
            policy=policy(style),
            style=style,
            kicker="what the texts of links are worth",
            headline=safe(f"Weights of {self.spec} by {self.by}"),
            scope=safe(f"Better than equal quarters on the test links of {better} of {len(learned)} tasks."),
            support=f"<li>{safe(self._method(learned))}</li><li>{safe(_tested(learned))}</li>",
            key=key(NAMES),
            footer="The numbers are in weights.csv, the weights in TASK.toml, the plots as SVG and PNG in plots/.",
            sections="\n".join(weights_panels(learned)),
        )

    def fewer(self, learned: Mapping[str, Learned]) -> int:
        """Number of tasks with fewer links than wanted."""
        return sum(each.links < self.links for each in learned.values())

    def _method(self, learned: Mapping[str, Learned]) -> str:
        settings = self.settings
        method = (
            "Least squares within bounds"
            if self.by == "exact"
            else f"MCOA, {settings.mutation} mutation, {settings.generations:,} generations in each of "
            f"{settings.rounds} rounds"
        )
        fewer = f" (fewer on {self.fewer(learned)} tasks)" if self.fewer(learned) else ""
        return f"{method}; {self.links:,} links a task{fewer}, half to learn, half to test."


def _tested(learned: Mapping[str, Learned]) -> str:
    """The mean errors of learned and equal weights, with the p-value of their difference."""
    errors = [[-each.error for each in learned.values()], [-each.equal_error for each in learned.values()]]
    found = pairing("all tasks", LEARNED_NAME, EQUAL_NAME, (errors[0], errors[1]))
    return (
        f"Mean absolute error {mean(each.error for each in learned.values()):.3f}, with equal quarters "
        f"{mean(each.equal_error for each in learned.values()):.3f}: {p_text(found.p)} over "
        f"{amount(len(learned), 'task')} (paired permutation test)."
    )
