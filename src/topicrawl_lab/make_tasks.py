"""Tasks from any labelled web: examples, seed sets and budget are drawn, the oracle is computed.

Every label with enough pages makes a task, and so does every group of labels that begin alike up to a dot
(`subject:Science.Biology` holds `subject:Science.Biology.Birds`). What is drawn for one label depends on the label and
the seed alone, so that a larger web or another limit leaves the other tasks as they were.
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
"""Pages a crawl may fetch for each relevant one."""
WORDS = 6
"""Topic words: those of the label, then the heaviest of the examples."""
SHALLOWEST = 10
"""Targets the oracle must find from every seed set: a subject whose pages do not hang together is no task."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Which labels are of useful size: at least so many pages, at most such a share of the web."""

    least: int = 40
    largest_share: float = 1 / 6


def make_tasks(desk: TaskWeb, *, sizes: Sizes | None = None, seed: int = 0) -> Iterator[Task]:
    """The tasks that the labels of a web give, sorted by name; `TaskError` when there is none."""
    groups = useful_groups(desk, sizes or Sizes())
    if not groups:
        raise TaskError(f"web {desk.web!r}: no label has a useful number of pages; lower --least")
    named = sorted((name, label) for label, name in _names(groups).items())
    for name, label in named:
        task = _draw(desk, name, label, groups[label], random.Random(f"{seed}/{label}"))
        found = tuple(oracle(task, number, desk.graph, desk.labels) for number in range(SEED_SETS))
        if min(found) >= SHALLOWEST:
            yield msgspec.structs.replace(task, oracle_at_budget=found)


def useful_groups(desk: TaskWeb, sizes: Sizes) -> dict[str, list[str]]:
    """The pages of each label (and label group) of useful size, sorted; of groups with the same pages the shortest."""
    pages: defaultdict[str, set[str]] = defaultdict(set)
    for url, labels in _present(desk).items():
        for label in labels:
            for group in _groups(label):
                pages[group].add(url)
    most = sizes.largest_share * len(desk.graph)
    kept: dict[frozenset[str], str] = {}
    for label in sorted(pages, key=lambda label: (len(label), label)):
        if max(sizes.least, EXAMPLES + SEEDS) <= len(pages[label]) <= most:
            kept.setdefault(frozenset(pages[label]), label)
    return {label: sorted(urls) for urls, label in kept.items()}


def _present(desk: TaskWeb) -> Labels:
    return {url: labels for url, labels in desk.labels.items() if url in desk.graph}


def _groups(label: str) -> Iterator[str]:
    """A label, and all its beginnings up to a dot."""
    yield label
    while "." in label:
        label = label.rpartition(".")[0]
        yield label


def _draw(desk: TaskWeb, name: str, label: str, relevant: list[str], dice: random.Random) -> Task:
    examples = dice.sample(relevant, EXAMPLES)
    targets = sorted(set(relevant) - set(examples))
    task = Task(
        name=name,
        web=desk.web,
        relevant_label=rf"^{re.escape(label)}(\.|$)",
        topic_words="",
        budget=max(SMALLEST_BUDGET, BUDGET * len(relevant)),
        relevant=len(relevant),
        examples=tuple(examples),
        seed_sets=tuple(tuple(dice.sample(targets, SEEDS)) for _ in range(SEED_SETS)),
        oracle_at_budget=(0,) * SEED_SETS,
    )
    return msgspec.structs.replace(task, topic_words=", ".join(_words(desk, task, label)))


def _words(desk: TaskWeb, task: Task, label: str) -> list[str]:
    last = re.split(r"[.:]", label)[-1]
    own = " ".join(re.findall(r"[^\W\d_]+", last)).lower()
    heavy = topic_from_examples(example_pages(task, desk.shelf), name=task.name).terms
    spoken = (term.partition(OR)[0] for term in heavy)
    return [word for word in dict.fromkeys((own, *spoken)) if word][:WORDS]


def _names(labels: Mapping[str, object]) -> dict[str, str]:
    """A short name for each label: what follows the colon, or all of it where that is not enough to tell them apart."""
    short = {label: _slug(label.partition(":")[2] or label) for label in labels}
    taken = list(short.values())
    return {label: name if taken.count(name) == 1 else _slug(label) for label, name in short.items()}


def _slug(text: str) -> str:
    return re.sub(r"[^\w.]+", "-", text).strip("-").lower()
