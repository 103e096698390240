"""Makes tasks from a labelled web: draws examples and seed sets, sets the budget, computes the oracle.

Every label with enough pages makes a task, and so does every group of labels with a common prefix up to a dot
(`subject:Science.Biology` includes `subject:Science.Biology.Birds`). The draws for a label depend only on the label and
the seed, so that other size limits leave the tasks of the other labels unchanged.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import msgspec

from topicrawl.topic.letters import OR
from topicrawl_lab.cell_runner import TaskWeb, oracle
from topicrawl_lab.labels import Labels
from topicrawl_lab.tasks import Task, TaskError
from topicrawl_lab.topics import example_pages, topic_from_examples

EXAMPLES = 20
SEEDS = 3
SEED_SETS = 10
SMALLEST_BUDGET = 200
BUDGET = 2
"""Budget of a task in fetches per relevant page."""
WORDS = 6
"""Most topic words of a task: those of the label, then the heaviest terms of the examples."""
FEWEST_FOUND = 10
"""Fewest targets the oracle must find from every seed set; a label whose pages do not link to each other is dropped."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Limits on a label: at least `least` pages, at most `largest_share` of the web."""

    least: int = 40
    largest_share: float = 1 / 6


def make_tasks(task_web: TaskWeb, *, sizes: Sizes | None = None, seed: int = 0) -> Iterator[Task]:
    """The tasks of a web, sorted by name; `TaskError` when no label has a useful size."""
    groups = useful_groups(task_web, sizes or Sizes())
    if not groups:
        raise TaskError(f"web {task_web.name!r}: no label has a useful number of pages; lower --least")
    named = sorted((name, label) for label, name in _names(groups).items())
    for name, label in named:
        task = _draw(task_web, name, label, groups[label], random.Random(f"{seed}/{label}"))
        found = tuple(oracle(task, number, task_web.graph, task_web.labels) for number in range(SEED_SETS))
        if min(found) >= FEWEST_FOUND:
            yield msgspec.structs.replace(task, oracle_at_budget=found)


def useful_groups(task_web: TaskWeb, sizes: Sizes) -> dict[str, list[str]]:
    """The pages of each label (and label group) of useful size, sorted; of groups with the same pages the shortest."""
    pages: defaultdict[str, set[str]] = defaultdict(set)
    for url, labels in _present(task_web).items():
        for label in labels:
            for group in _groups(label):
                pages[group].add(url)
    most = sizes.largest_share * len(task_web.graph)
    kept: dict[frozenset[str], str] = {}
    for label in sorted(pages, key=lambda label: (len(label), label)):
        if max(sizes.least, EXAMPLES + SEEDS) <= len(pages[label]) <= most:
            kept.setdefault(frozenset(pages[label]), label)
    return {label: sorted(urls) for urls, label in kept.items()}


def _present(task_web: TaskWeb) -> Labels:
    return {url: labels for url, labels in task_web.labels.items() if url in task_web.graph}


def _groups(label: str) -> Iterator[str]:
    """A label and all its prefixes that end before a dot."""
    yield label
    while "." in label:
        label = label.rpartition(".")[0]
        yield label


def _draw(task_web: TaskWeb, name: str, label: str, relevant: list[str], rng: random.Random) -> Task:
    examples = rng.sample(relevant, EXAMPLES)
    targets = sorted(set(relevant) - set(examples))
    task = Task(
        name=name,
        web=task_web.name,
        relevant_label=rf"^{re.escape(label)}(\.|$)",
        topic_words="",
        budget=max(SMALLEST_BUDGET, BUDGET * len(relevant)),
        relevant=len(relevant),
        examples=tuple(examples),
        seed_sets=tuple(tuple(rng.sample(targets, SEEDS)) for _ in range(SEED_SETS)),
        oracle_at_budget=(0,) * SEED_SETS,
    )
    return msgspec.structs.replace(task, topic_words=", ".join(_words(task_web, task, label)))


def _words(task_web: TaskWeb, task: Task, label: str) -> list[str]:
    last = re.split(r"[.:]", label)[-1]
    own = " ".join(re.findall(r"[^\W\d_]+", last)).lower()
    heavy = topic_from_examples(example_pages(task, task_web.offline), name=task.name).terms
    first_forms = (term.partition(OR)[0] for term in heavy)
    return [word for word in dict.fromkeys((own, *first_forms)) if word][:WORDS]


def _names(labels: Mapping[str, object]) -> dict[str, str]:
    """A short name for each label: the part after the colon, or the whole label where that part is not unique."""
    short = {label: _slug(label.partition(":")[2] or label) for label in labels}
    taken = list(short.values())
    return {label: name if taken.count(name) == 1 else _slug(label) for label, name in short.items()}


def _slug(text: str) -> str:
    return re.sub(r"[^\w.]+", "-", text).strip("-").lower()
