"""Checks tasks against their webs and labels."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from topicrawl.web.recorded import RecordedWeb
from topicrawl_lab.labels import Labels, labels_path, read_labels, relevant_pages, targets, web_path
from topicrawl_lab.tasks import Task


def faults(tasks: Sequence[Task], webs: Path) -> Iterator[str]:
    """One line for each fault, beginning with its task; none when all tasks can be run and judged."""
    opened: dict[str, tuple[Collection[str], Labels]] = {}
    for task in tasks:
        missing = [
            path for path in (web_path(webs, task.web), labels_path(webs, task.web)) if not path.exists()
        ]
        if missing:
            yield f"task {task.name!r}: unknown web {task.web!r}: there is no {missing[0]}"
            continue
        if task.web not in opened:
            opened[task.web] = (_pages(webs, task.web), read_labels(labels_path(webs, task.web)))
        for fault in _faults(task, *opened[task.web]):
            yield f"task {task.name!r}: {fault}"


def _faults(task: Task, pages: Collection[str], labels: Labels) -> Iterator[str]:
    for number, seeds in enumerate(task.seed_sets):
        for url in seeds:
            if url not in pages:
                yield f"seed set {number}: {url} is not in the web"
    relevant = relevant_pages(labels, task)
    for url in task.examples:
        if url not in pages:
            yield f"example {url} is not in the web"
        elif url not in relevant:
            yield f"example {url} is not relevant by its labels"
    present = sum(url in pages for url in relevant)
    if not any(url in pages for url in targets(labels, task)):
        yield f"no relevant page: relevant_label {task.relevant_label!r} leaves none beside the examples"
    elif present != task.relevant:
        yield f"relevant is {task.relevant}, but the labels say {present}"
    best = min(task.budget, present)
    for number, found in enumerate(task.oracle_at_budget):
        if not 0 < found <= best:
            yield f"seed set {number}: oracle_at_budget {found} is not between 1 and {best}"


def _pages(webs: Path, web: str) -> Collection[str]:
    answers = RecordedWeb(web_path(webs, web)).answers
    return {url for url, answer in answers.items() if answer.status < 400}
