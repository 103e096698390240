"""Tasks on all webs, to choose weights on some and judge them on others: `python -m bench.fold_tasks WEBS OUT`.

OUT becomes a folder of webs (links to those of WEBS, and recordings of invented ones) with a file `tasks.json`. The
tasks of wikispeedia and webkb are those of `bench.evidence_tasks`; the others are drawn in the same way from the labels
named here, none of which is in `tasks-more.json`. No budget is above `LARGEST_BUDGET` but for courses. Tasks with fewer
than `FEWEST_FOUND` relevant pages within reach are left out.
"""

from __future__ import annotations

import csv
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import msgspec

from bench.evidence_tasks import LARGEST_BUDGET, evidence_tasks, first_seed_sets
from bench.whole_web import ROOT
from topicrawl.web.invented import InventedWeb
from topicrawl.web.invented.shape import SHAPES
from topicrawl_lab.cell_runner import TaskWeb, oracle
from topicrawl_lab.labels import labels_path, web_path
from topicrawl_lab.make_tasks import make_tasks
from topicrawl_lab.tasks import Task, write_tasks

sys.path.insert(0, str(ROOT / "tests"))

LABELS = {
    "archwiki": "under:(Internet applications|Command-line|Web|Protocols|Input|DeveloperWiki|Lenovo|Virtualization"
    "|Gaming|Boot process)",
    "zhdocs": "app:(basic|writer|impress)|tag:(svg|canvas|webgl|dom)|mod:sdatabase",
    "debdocs": "subject:(web|graphics|networking|cloud|databases|numerics|security|biology)",
}
"""What the tasks of a web look for: a regular expression of whole labels."""
FEWEST_FOUND = 15
"""Fewest targets that the oracle finds from each seed set. Where the seeds lead to fewer, a crawl finds more of them by
the links of the examples than the oracle by those of the seeds, and its share says nothing."""
FAULTLESS = {"aliased": 0, "dead": 0, "failing": 0, "cut": 0, "slow": 0}
INVENTED = {
    "many_hosts": (11, replace(SHAPES[""], **FAULTLESS)),
    "one_host": (12, replace(SHAPES["site"], sentences=(30, 60))),
    "vague": (13, replace(SHAPES[""], **FAULTLESS, generic=700, misleading=150, locality=250, stray=150)),
}
"""Seed and shape of each invented web."""
SUBJECTS = {
    "many_hosts": ("astronomy", "medicine"),
    "one_host": ("football", "finance"),
    "vague": ("cooking", "gardening"),
}


def main() -> None:
    """Make the folder."""
    webs, out = map(Path, sys.argv[1:])
    out.mkdir(parents=True, exist_ok=True)
    tasks = list(evidence_tasks(webs))
    for name, pattern in LABELS.items():
        tasks += [first_seed_sets(task) for task in _drawn(webs, name, pattern)]
    for name in ("wikispeedia", "webkb", *LABELS):
        for path in (web_path(webs, name), labels_path(webs, name)):
            (out / path.name).unlink(missing_ok=True)
            (out / path.name).symlink_to(path.resolve())
    for name, (seed, shape) in INVENTED.items():
        record(InventedWeb(seed, shape), out, name)
        tasks += [first_seed_sets(task) for task in _drawn(out, name, "|".join(SUBJECTS[name]))]
    tasks = within_reach(tasks)
    write_tasks(tasks, out / "tasks.json")
    print(f"{out}: {len(tasks)} tasks, {sum(task.budget for task in tasks):,} pages for a seed set of each")


def within_reach(tasks: Iterable[Task]) -> list[Task]:
    """The tasks whose oracle finds enough from each seed set; the others are named on standard error."""
    kept = []
    for task in tasks:
        if min(task.oracle_at_budget) >= FEWEST_FOUND:
            kept.append(task)
        else:
            print(f"{task.name} is left out: its oracle finds {min(task.oracle_at_budget)}", file=sys.stderr)
    return kept


def _drawn(webs: Path, name: str, pattern: str) -> Iterator[Task]:
    """A task for each label that the pattern matches, called after web and label."""
    with tempfile.TemporaryDirectory() as folder:
        labels = Path(folder) / "labels.csv"
        with labels_path(webs, name).open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        with labels.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([header, *(row for row in rows if re.fullmatch(pattern, row[1]))])
        task_web = TaskWeb(web_path(webs, name), labels)
        for task in make_tasks(task_web):
            yield _cheap(msgspec.structs.replace(task, name=f"{name}-{task.name}"), task_web)
        task_web.close()


def _cheap(task: Task, task_web: TaskWeb) -> Task:
    """The task with a budget of at most `LARGEST_BUDGET`."""
    if task.budget <= LARGEST_BUDGET:
        return task
    task = msgspec.structs.replace(task, budget=LARGEST_BUDGET)
    sets = range(len(task.seed_sets))
    found = tuple(oracle(task, number, task_web.graph, task_web.labels) for number in sets)
    return msgspec.structs.replace(task, oracle_at_budget=found)


def record(web: InventedWeb, folder: Path, name: str) -> None:
    """Write the pages that can be reached in an invented web, labelled with what most of their text is about."""
    from web.warcs import Recorder

    known = dict.fromkeys(url for topic in web.topics() for url in web.seeds(topic, 3))
    waiting = list(known)
    with (
        Recorder(web_path(folder, name)) as recorder,
        labels_path(folder, name).open("w", encoding="utf-8", newline="") as file,
    ):
        labels = csv.writer(file)
        labels.writerow(("url", "label"))
        while waiting:
            url = waiting.pop()
            answer = web.exchange(url)
            recorder.answer(url, answer.content, "200 OK", ("Content-Type", answer.header("Content-Type")))
            labels.writerows((url, topic) for topic, share in web.truth(url).items() if share >= 0.5)
            new = [link for link in web.links(url) if link not in known]
            known.update(dict.fromkeys(new))
            waiting += new


if __name__ == "__main__":
    main()
