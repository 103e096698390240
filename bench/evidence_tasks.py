"""The tasks that the pages in docs/evidence/ are measured on: `python -m bench.evidence_tasks WEBS FILE`.

Drawn as `topicrawl tasks make` draws them, from the labels of two recorded webs in the folder WEBS: 36 subjects of
`wikispeedia` (one host) and four kinds of pages of `webkb` (many hosts), each of these drawn three times with other
examples and other seeds. Three different seed sets for each task.
"""

from __future__ import annotations

import csv
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from topicrawl_lab.cell_runner import TaskWeb
from topicrawl_lab.labels import labels_path, web_path
from topicrawl_lab.make_tasks import make_tasks
from topicrawl_lab.tasks import Task, write_tasks

SUBJECTS = 36
LARGEST_BUDGET = 400
KINDS = ("course", "faculty", "project", "staff")
DRAWS = 3
SEED_SETS = 3
OTHER_UNIVERSITIES = "univ:misc"
"""Label of pages outside the four completely recorded universities; few of them can be reached."""


def main() -> None:
    """Draw the tasks and write the file."""
    webs, out = map(Path, sys.argv[1:])
    tasks = evidence_tasks(webs)
    write_tasks(tasks, out)
    print(f"{out}: {len(tasks)} tasks, {sum(task.budget for task in tasks):,} pages for a seed set of each")


def evidence_tasks(webs: Path) -> list[Task]:
    """The tasks of both webs."""
    return [first_seed_sets(task) for task in (*_subjects(webs), *_kinds(webs))]


def _subjects(webs: Path) -> list[Task]:
    """The subjects with most pages whose budget is not above the largest."""
    task_web = TaskWeb(web_path(webs, "wikispeedia"), labels_path(webs, "wikispeedia"))
    fitting = [task for task in make_tasks(task_web) if task.budget <= LARGEST_BUDGET]
    kept = {task.name for task in sorted(fitting, key=lambda task: -task.relevant)[:SUBJECTS]}
    return [task for task in fitting if task.name in kept]


def _kinds(webs: Path) -> Iterator[Task]:
    with tempfile.TemporaryDirectory() as folder:
        labels = Path(folder) / "labels.csv"
        _without_other_universities(labels_path(webs, "webkb"), labels)
        task_web = TaskWeb(web_path(webs, "webkb"), labels)
        for draw in range(DRAWS):
            for task in make_tasks(task_web, seed=draw):
                if task.name in KINDS:
                    name = f"{task.name}-{draw + 1}"
                    yield msgspec.structs.replace(task, name=name, excluded_label=OTHER_UNIVERSITIES)


def _without_other_universities(labels: Path, out: Path) -> None:
    with labels.open(newline="") as file:
        header, *rows = csv.reader(file)
    others = {url for url, label in rows if label == OTHER_UNIVERSITIES}
    with out.open("w", newline="") as file:
        csv.writer(file).writerows([header, *(row for row in rows if row[0] not in others)])


def first_seed_sets(task: Task) -> Task:
    """The task with `SEED_SETS` of its seed sets."""
    return msgspec.structs.replace(
        task, seed_sets=task.seed_sets[:SEED_SETS], oracle_at_budget=task.oracle_at_budget[:SEED_SETS]
    )


if __name__ == "__main__":
    main()
