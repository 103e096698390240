"""What scout had to choose from at some steps of a crawl, and the truth about it.

For each waiting link its features, whether the page behind it is relevant by its labels, and how many relevant pages
that are not known yet it links to. Links that lead to no page of the recording are left out: they cost no page.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import PEEKED, Floats, Frontier, Ids
from topicrawl.scout.features import FEATURES
from topicrawl.scout.strategy import Scout
from topicrawl.strategies import Choice
from topicrawl_lab.cell import Cell, crawl
from topicrawl_lab.cell_runner import TaskWeb
from topicrawl_lab.labels import targets
from topicrawl_lab.topics import task_topic

STEPS = 14
"""Steps of a crawl that are logged, more at its beginning."""
FIRST = 8
BEST, OTHERS = 120, 120
"""Links logged at a step: those of highest priority, and some of the rest."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The links that waited at one step."""

    features: npt.NDArray[np.float32]
    """A row for each link, a column for each of `FEATURES`."""
    relevant: Floats
    """1 for a relevant page that is to be found."""
    brings: Floats
    """Relevant pages that it links to and that were not known."""
    spent: float
    """Share of the budget that was used up."""


@dataclass(slots=True)
class Step:
    """What a step is logged as during the crawl; `known` links were in the frontier."""

    links: Ids
    urls: list[str]
    features: npt.NDArray[np.float32]
    known: int
    spent: float


@dataclass
class Watched(Scout):
    """Scout that logs what it has to choose from."""

    budget: int = 0
    steps: list[Step] = field(default_factory=list)

    def choose(self, frontier: Frontier, rng: random.Random) -> Choice | None:
        pages = self.features.pages
        if not hasattr(self, "_due"):
            self._due = np.unique(np.geomspace(FIRST, 0.95 * self.budget, STEPS).astype(int)).tolist()
        if self._due and pages >= self._due[0]:
            del self._due[0]
            self._log(frontier, pages / self.budget)
        return super().choose(frontier, rng)

    def _log(self, frontier: Frontier, spent: float) -> None:
        columns = frontier.columns
        waiting = np.flatnonzero((columns["state"] <= PEEKED) & (columns["depth"] > 0))
        ranked = waiting[np.argsort(-columns["priority"][waiting], kind="stable")]
        rest = np.random.default_rng(len(frontier)).permutation(ranked[BEST:])[:OTHERS]
        links = np.append(ranked[:BEST], rest)
        features = np.column_stack([columns[name][links] for name in FEATURES])
        urls = [frontier.urls[link] for link in links.tolist()]
        self.steps.append(Step(links, urls, features, len(frontier), spent))
        self.frontier = frontier


def decisions(cell: Cell, task_web: TaskWeb) -> list[Decision]:
    """Crawl the cell with scout; the decisions in which some links would have brought more than others."""
    strategy = Watched(**dict(cell.spec.strategy().__dict__), budget=cell.task.budget)
    crawl(cell, task_web.offline, task_topic(cell.task, cell.spec.topic, task_web.offline), strategy)
    wanted = targets(task_web.labels, cell.task)
    return [found for step in strategy.steps if (found := _judged(step, strategy, task_web, wanted))]


def _judged(step: Step, strategy: Watched, task_web: TaskWeb, wanted: frozenset[str]) -> Decision | None:
    pages = [task_web.graph.page(url) for url in step.urls]
    led = [place for place, page in enumerate(pages) if page is not None]

    def is_new(url: str) -> bool:
        number = strategy.frontier.number(url)
        return number is None or number >= step.known

    relevant = np.array([pages[place] in wanted for place in led], np.float64)
    brings = np.array(
        [
            sum(url in wanted and is_new(url) for url in task_web.graph.links(pages[place] or ""))
            for place in led
        ],
        np.float64,
    )
    if not (relevant.any() or brings.any()):
        return None
    return Decision(step.features[led], relevant, brings, step.spent)
