"""How good the judge `examples` is, by labels: `python -m bench.judge WEBS PLOT TASKS…`.

Scout crawls each task of the files TASKS from its words and five example pages, from the words alone, and from words
and one seed. Pages fetched are called relevant by terms (above 0.62), by what was said at the visit, and by all that
was learned (both above 0.5). Prints precision, recall and area under the ROC curve, mean over the tasks of each web,
and the calibration error: how far probability and share of relevant pages are apart, over ten classes of probability.
Then the constants of calibration.py are fitted anew (judge_fit.py). Draws the reliability diagram of all tasks into
the file PLOT, without suffix.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

import msgspec
import numpy as np

from bench.judge_fit import Sample, by_labels, fitted, held_out, highest_f, log_loss
from topicrawl.crawling.core import Crawl
from topicrawl.judge import Seen
from topicrawl.judge.calibration import BOUNDS, Evidence, evidence, reconsidered
from topicrawl.judge.examples import ByExamples
from topicrawl.judge.rocchio import logistic
from topicrawl.model import Topic
from topicrawl.report.standalone import standalone
from topicrawl.scout.strategy import Scout
from topicrawl_lab.auc import page_auc
from topicrawl_lab.cell_runner import TaskWeb
from topicrawl_lab.labels import labels_path, relevant_pages, web_path
from topicrawl_lab.plots.reliability import Floats, calibration_error, reliability, reliability_classes
from topicrawl_lab.tasks import Task, read_tasks
from topicrawl_lab.topics import task_topic

CASES = {"five examples": (5, None), "words alone": (0, None), "words and one seed": (0, 1)}
"""Example pages and seeds, at most."""
TERMS_THRESHOLD, THRESHOLD = 0.62, 0.5


@dataclass(frozen=True, slots=True)
class Judged:
    """The pages that one crawl fetched: what was said of each, and whether it is relevant by its labels."""

    task: Task
    case: str
    truth: Floats
    terms: Floats
    at_visit: Floats
    now: Floats
    places: Floats
    """Where the classifier puts it at the end."""
    unchosen: float
    """The share of the examples needed that nobody chose."""
    evidence: Evidence
    ceiling: Floats
    """What a regression says that was trained on labels."""

    @property
    def alone(self) -> Sample:
        """What the constants ALONE and UNCHOSEN are fitted to."""
        places = np.clip(self.places, *BOUNDS)
        return Sample(
            self.task, np.column_stack([places, self.terms, self.unchosen * self.terms]), self.truth
        )

    @property
    def last(self) -> Sample:
        """What the constants LAST are fitted to."""
        return Sample(self.task, np.column_stack(self.evidence[:3]), self.truth)

    def row(self, values: Floats, threshold: float) -> tuple[float, float, float]:
        """Precision, recall and area."""
        chosen, relevant = values > threshold, self.truth > 0
        hits = float((chosen & relevant).sum())
        return hits / max(chosen.sum(), 1), hits / max(relevant.sum(), 1), page_auc(values, relevant)


def judged(task: Task, case: str, topic: Topic, task_web: TaskWeb) -> Judged:
    """Crawl a task from its first seed set, with as many examples and seeds as `case` says."""
    examples, seeds = CASES[case]
    topic = replace(topic, examples=topic.examples[:examples])
    judge, count = ByExamples(topic), task_web.offline.counter(topic)
    crawl = Crawl(topic, Scout(), task.seed_sets[0][:seeds], judge=judge)
    relevant = relevant_pages(task_web.labels, task)
    visits, seen = [], []
    while crawl.tally.fetched < task.budget and (ask := crawl.ask()):
        outcome = task_web.offline.outcome(ask.url)
        if outcome.page is not None:
            outcome = msgspec.structs.replace(outcome, counts=count(outcome.page))
        visit = crawl.tell(ask, outcome)
        if visit.fetched and outcome.page is not None:
            visits.append(visit)
            seen.append(Seen(outcome.page, visit.term_relevance or 0.0, is_seed=visit.depth == 0))
    truth = np.array([float(visit.url in relevant) for visit in visits])
    terms = np.array([each.term_relevance for each in seen])
    final = judge.concluded().model
    return Judged(
        task,
        case,
        truth=truth,
        terms=terms,
        at_visit=np.array([visit.relevance for visit in visits]),
        now=reconsidered(judge, terms),
        places=final.of_all().places,
        unchosen=final.unchosen,
        evidence=evidence(judge, terms),
        ceiling=by_labels(judge.model.rows(), truth),
    )


def crawls(webs: Path, files: list[str]) -> Iterator[Judged]:
    """Every task of the files in every case."""
    task_webs: dict[str, TaskWeb] = {}
    for task in (task for file in files for task in read_tasks(Path(file))):
        web = task_webs.setdefault(task.web, TaskWeb(web_path(webs, task.web), labels_path(webs, task.web)))
        topic = task_topic(task, "words", web.offline)
        for case in CASES:
            yield judged(task, case, topic, web)
            print(f"\r{task.name}: {case}" + 40 * " ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def main() -> None:
    """Crawl, print the tables and draw the diagram."""
    publish(list(crawls(Path(sys.argv[1]), sys.argv[3:])), sys.argv[2])


def publish(found: list[Judged], plot: str) -> None:
    """Print the tables of some crawls, and draw the diagram."""
    for case in CASES:
        some = [each for each in found if each.case == case]
        print(f"\n{case}, {len(some)} tasks\n")
        print(
            "| web | tasks | relevant | terms: P, R, AUC | at the visit: P, R, AUC | now: P, R, AUC | error |"
        )
        print("|---|--:|--:|--:|--:|--:|--:|")
        for web in sorted({each.task.web for each in some}):
            print(_row(web, [each for each in some if each.task.web == web]))
        print("\nthe last judgement, by its constants fitted to others\n")
        print("| web | the page alone | fitted on other webs | on other subjects too | trained on labels |")
        print("|---|--:|--:|--:|--:|")
        last = [each.last for each in found]
        said = {
            "alone": [logistic(each.evidence.own) for each in found],
            "webs": held_out(last, lambda task: task.web),
            "subjects": held_out(last, lambda task: task.web + re.split("[.-]", task.name)[0]),
            "labels": [each.ceiling for each in found],
        }
        said = {
            name: [v for v, each in zip(values, found, strict=True) if each.case == case]
            for name, values in said.items()
        }
        for web in sorted({each.task.web for each in some}):
            print(_fit_row(web, some, said))
    for name in ("alone", "last"):
        constants = fitted([getattr(each, name) for each in found])
        print(f"{name} fitted anew: {', '.join(f'{value:.2f}' for value in constants)}")
    groups = {
        case: reliability_classes(*_pooled([each for each in found if each.case == case])) for case in CASES
    }
    Path(f"{plot}.svg").write_text(standalone(reliability(groups, 520, 420)), "utf-8")


def _pooled(some: list[Judged]) -> tuple[Floats, Floats]:
    return np.concatenate([each.now for each in some]), np.concatenate([each.truth for each in some])


def _row(web: str, some: list[Judged]) -> str:
    cells = []
    for name, threshold in (("terms", TERMS_THRESHOLD), ("at_visit", THRESHOLD), ("now", THRESHOLD)):
        rows = [each.row(getattr(each, name), threshold) for each in some]
        cells.append(", ".join(f"{fmean(column):.2f}" for column in zip(*rows, strict=True)))
    error = calibration_error(*_pooled(some))
    share = fmean(float(each.truth.mean()) for each in some)
    return f"| {web} | {len(some)} | {share:.0%} | {' | '.join(cells)} | {error:.2f} |"


def _fit_row(web: str, some: list[Judged], said: dict[str, list[Floats]]) -> str:
    """P, R, AUC and the highest F's P, R of each way to judge; for probabilities the logarithmic loss."""
    cells = []
    chosen = [number for number, each in enumerate(some) if each.task.web == web]
    for name, values in said.items():
        rows = [(*some[n].row(values[n], THRESHOLD), *highest_f(values[n], some[n].truth)) for n in chosen]
        means = [f"{fmean(column):.2f}" for column in zip(*rows, strict=True)]
        loss = log_loss([values[n] for n in chosen], [some[n].truth for n in chosen])
        cells.append(f"{', '.join(means)}" + (f"; {loss:.3f}" if name != "labels" else ""))
    return f"| {web} | {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
