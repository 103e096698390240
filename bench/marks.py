"""What marks of a person are worth: `python -m bench.marks WEBS TASKS OUT [EVERY [PROCESSES]]`.

Scout crawls each task of the file TASKS (with EVERY only every so many), on the webs of the folder WEBS, in PROCESSES
(1) at once, from its words alone and from its words and twenty examples, with no marks and with 5, 10, 30 and 100 that
are given during the crawl (marked_crawl.py): on the pages worth asking about, at random, and on the pages most likely
relevant; then with a mark on every page. Prints the share of the oracle, precision and recall of the last judgement
over pages without a mark, and how likely a difference as large as that between ways to choose is by chance (paired by
task). OUT is a file with a line for each crawl: run it again to resume.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from bench.marked_crawl import MOMENTS, OFTEN, WAYS, Marked, marked_crawl
from topicrawl.model import Topic
from topicrawl_lab.cell_runner import TaskWeb
from topicrawl_lab.labels import labels_path, web_path
from topicrawl_lab.process_pool import Failed, ProcessPool
from topicrawl_lab.statistics import permutation_test
from topicrawl_lab.tasks import Task, read_tasks
from topicrawl_lab.topics import task_topic

STARTS = {"words": 0, "twenty examples": 20}
NUMBERS = (30, 10, 100, 5)
"""Of marks, in the order of passes over the tasks: the goals are about the first."""
NONE, EVERY = "none", "every"
ALL = 1_000
"""Marks where every page gets one: more than there are pages."""


class Plan(NamedTuple):
    """A crawl to be made: what it starts from, how many marks it gets, and how their pages are chosen."""

    start: str
    marks: int
    way: str


def plans() -> list[list[Plan]]:
    """All crawls of a task, in the order of passes over the tasks."""
    return [
        [Plan(start, 0, NONE) for start in STARTS],
        *([Plan(start, number, way) for start in STARTS for way in WAYS] for number in NUMBERS),
        [Plan(start, ALL, EVERY) for start in STARTS],
    ]


Job = tuple[Task, Plan]


@dataclass
class Marking:
    """Makes one crawl after the other, in a process of its own; webs and topics stay open."""

    webs: Path
    _task_webs: dict[str, TaskWeb] = field(default_factory=dict)
    _topics: dict[str, Topic] = field(default_factory=dict)

    def __call__(self, job: Job) -> Marked:
        task, plan = job
        web = self._task_webs.setdefault(
            task.web, TaskWeb(web_path(self.webs, task.web), labels_path(self.webs, task.web))
        )
        if task.name not in self._topics:
            self._topics = {task.name: task_topic(task, "words", web.offline)}
        topic = self._topics[task.name]
        begun = replace(topic, examples=topic.examples[: STARTS[plan.start]])
        moments = OFTEN if plan.way == EVERY else MOMENTS
        return marked_crawl(task, begun, web, plan.marks, WAYS.get(plan.way, WAYS["random"]), moments)

    def close(self) -> None:
        for web in self._task_webs.values():
            web.close()


class Crawls:
    """The crawls that were made, kept in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.known: dict[tuple[str, Plan], Marked] = {}
        if path.exists():
            with path.open(encoding="utf-8", newline="") as file:
                for task, start, marks, way, share, precision, recall, given, relevant in csv.reader(file):
                    self.known[task, Plan(start, int(marks), way)] = Marked(
                        float(share), float(precision), float(recall), int(given), int(relevant)
                    )

    def make(self, webs: Path, tasks: Sequence[Task], processes: int) -> None:
        """Make the crawls that are missing."""
        jobs = [(task, plan) for some in plans() for task in tasks for plan in some]
        missing = [job for job in jobs if (job[0].name, job[1]) not in self.known]
        pool = ProcessPool[Job, Marked](Marking(webs), processes)
        for number, ((task, plan), found) in enumerate(pool.work(missing), 1):
            if isinstance(found, Failed):
                raise SystemExit(f"{task.name}, {plan}: {found.why}\n{found.trace}")
            self.known[task.name, plan] = found
            with self._path.open("a", encoding="utf-8", newline="") as file:
                values = found.share, found.precision, found.recall, found.marks, found.relevant
                csv.writer(file).writerow([task.name, *plan, *values])
            print(f"\r{number} of {len(missing)} crawls", end="", file=sys.stderr, flush=True)


def table(crawls: Crawls, tasks: Sequence[Task]) -> Iterator[str]:
    """The lines of the tables, one for each start."""
    webs = sorted({task.web for task in tasks})
    for start in STARTS:
        yield f"\nFrom {start}, {len(tasks)} tasks.\n"
        yield f"| marks | chosen | share | {' | '.join(webs)} | precision | recall | relevant | p |"
        yield "|--:|---|--:|" + "--:|" * (len(webs) + 4)
        numbered = [Plan(start, number, way) for number in sorted(NUMBERS) for way in WAYS]
        for plan in (Plan(start, 0, NONE), *numbered, Plan(start, ALL, EVERY)):
            yield _row(crawls, tasks, webs, plan)


def _row(crawls: Crawls, tasks: Sequence[Task], webs: Sequence[str], plan: Plan) -> str:
    made = [task for task in tasks if (task.name, plan) in crawls.known]
    if len(made) < len(tasks):
        return f"| {plan.marks} | {plan.way} | {len(made)} of {len(tasks)} tasks |"
    found = [(task.web, crawls.known[task.name, plan]) for task in made]
    by_web = [fmean(each.share for of, each in found if of == web) for web in webs]
    asked = Plan(plan.start, plan.marks, "asked")
    other = asked if plan.marks in NUMBERS and plan != asked else Plan(plan.start, 0, NONE)
    p = "" if plan.way == NONE else f"{_p(crawls, made, plan, other):.3f}"
    values = [fmean(each.share for _, each in found), *by_web]
    judged = fmean(each.precision for _, each in found), fmean(each.recall for _, each in found)
    marked = fmean(each.relevant for _, each in found)
    cells = [f"{value:.3f}" for value in values] + [f"{value:.2f}" for value in judged]
    return f"| {plan.marks} | {plan.way} | {' | '.join(cells)} | {marked:.0f} | {p} |"


def _p(crawls: Crawls, tasks: Sequence[Task], first: Plan, second: Plan) -> float:
    """How likely so large a difference between two plans is by chance; 1 where one is not complete."""
    if any((task.name, plan) not in crawls.known for task in tasks for plan in (first, second)):
        return 1.0
    shares = [[crawls.known[task.name, plan].share for task in tasks] for plan in (first, second)]
    return permutation_test(*shares)


def main() -> None:
    """Crawl, and print the tables."""
    webs, file, out = map(Path, sys.argv[1:4])
    every, processes = (int(value) for value in [*sys.argv[4:6], "1", "1"][:2])
    tasks = read_tasks(file)[::every]
    crawls = Crawls(out)
    crawls.make(webs, tasks, processes)
    print("\n".join(table(crawls, tasks)))


if __name__ == "__main__":
    main()
