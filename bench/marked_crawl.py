"""A crawl of the laboratory during which a person marks pages: the labels answer.

The marks are given in equal parts after `MOMENTS` of the budget, each about pages fetched by then: those worth asking
about (`asked`), some at random (`random`), or those most likely relevant (`best`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
import numpy as np

from topicrawl.crawling.core import Crawl
from topicrawl.frontier import Floats
from topicrawl.judge.calibration import reconsidered
from topicrawl.judge.examples import ByExamples
from topicrawl.model import Instruction, Mark, Page, Topic, Visit
from topicrawl.scout.strategy import Scout
from topicrawl.value.questions import worth_asking
from topicrawl_lab.cell_runner import TaskWeb
from topicrawl_lab.labels import relevant_pages, targets
from topicrawl_lab.tasks import Task

MOMENTS = (0.05, 0.1, 0.2, 0.3, 0.4)
"""Parts of the budget after which marks are given, chosen once: early enough that most of the crawl is to come."""
OFTEN = tuple(part / 25 for part in range(1, 25))
"""The same where every page is marked: the most that marks can bring."""
THRESHOLD = 0.5


class Fetched(NamedTuple):
    """A page that was fetched."""

    visit: Visit
    page: Page


@dataclass(frozen=True, slots=True)
class Marked:
    """How a crawl with marks went."""

    share: float
    """Targets found, relative to those that the oracle finds."""
    precision: float
    recall: float
    """Of the last judgement, over the pages without a mark."""
    marks: int
    relevant: int
    """Marks, and those that say relevant."""


@dataclass
class Marker:
    """A crawl and the person who marks its pages."""

    crawl: Crawl
    judge: ByExamples
    truth: frozenset[str]
    rng: random.Random

    def __post_init__(self) -> None:
        self.fetched: list[Fetched] = []
        self.said: dict[str, bool] = {}

    def mark(self, places: Sequence[int]) -> None:
        """Say of these pages whether they are relevant."""
        pages = [self.fetched[place].page for place in places]
        marks = [Mark(page, page.url in self.truth) for page in pages]
        self.said |= {mark.of: bool(mark.relevant) for mark in marks}
        if marks:
            self.crawl.instruct(Instruction(marks=marks))

    def unmarked(self) -> list[int]:
        """The places of the pages without a mark."""
        return [place for place, each in enumerate(self.fetched) if each.page.url not in self.said]

    def now(self) -> Floats:
        """The probability that each fetched page is relevant, by all that was learned."""
        return reconsidered(self.judge, np.array([each.visit.term_relevance or 0.0 for each in self.fetched]))

    def at_random(self, count: int) -> list[int]:
        """Some pages."""
        left = self.unmarked()
        return self.rng.sample(left, min(count, len(left)))

    def best(self, count: int) -> list[int]:
        """The pages that are most likely relevant."""
        now = self.now()
        return sorted(self.unmarked(), key=lambda place: -now[place])[:count]

    def asked(self, count: int) -> list[int]:
        """The pages that are worth asking about."""
        left, frontier = self.unmarked(), self.crawl.frontier
        links = [frontier.number(self.fetched[place].page.url) for place in left]
        found = worth_asking(
            frontier,
            np.array(links, dtype=np.int64),
            self.now()[left],
            lambda place: self.fetched[left[place]].page,
            count,
        )
        return [left[place] for place in found]


Choose = Callable[[Marker, int], list[int]]
WAYS: dict[str, Choose] = {"asked": Marker.asked, "random": Marker.at_random, "best": Marker.best}


def marked_crawl(
    task: Task,
    topic: Topic,
    task_web: TaskWeb,
    marks: int,
    choose: Choose,
    moments: Sequence[float] = MOMENTS,
    seed_set: int = 0,
) -> Marked:
    """Crawl a task, with `marks` marks on pages that `choose` names."""
    judge, count = ByExamples(topic), task_web.offline.counter(topic)
    crawl = Crawl(topic, Scout(), task.seed_sets[seed_set], judge=judge, threshold=THRESHOLD)
    truth = relevant_pages(task_web.labels, task)
    marker = Marker(crawl, judge, truth, random.Random(seed_set))
    fetches = [round(part * task.budget) for part in moments]
    while crawl.tally.fetched < task.budget and (ask := crawl.ask()):
        outcome = task_web.offline.outcome(ask.url)
        if outcome.page is not None:
            outcome = msgspec.structs.replace(outcome, counts=count(outcome.page))
        visit = crawl.tell(ask, outcome)
        if visit.fetched and outcome.page is not None:
            marker.fetched.append(Fetched(visit, outcome.page))
        if visit.fetched and crawl.tally.fetched in fetches:
            due = round(marks * sum(each <= crawl.tally.fetched for each in fetches) / len(fetches))
            marker.mark(choose(marker, due - len(marker.said)))
    return _result(task, task_web, marker, seed_set)


def _result(task: Task, task_web: TaskWeb, marker: Marker, seed_set: int) -> Marked:
    wanted = targets(task_web.labels, task)
    found = sum(each.visit.url in wanted for each in marker.fetched)
    left, now = marker.unmarked(), marker.now()
    truth = np.array([marker.fetched[place].page.url in marker.truth for place in left])
    said = now[left] > THRESHOLD
    hits = float((said & truth).sum())
    return Marked(
        share=found / task.oracle_at_budget[seed_set],
        precision=hits / max(int(said.sum()), 1),
        recall=hits / max(int(truth.sum()), 1),
        marks=len(marker.said),
        relevant=sum(marker.said.values()),
    )
