"""One cell of a comparison: a strategy crawls a task once. No threads, no database, no archive: only the log."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import msgspec

from topicrawl.crawling.core import Crawl
from topicrawl.crawling.offline import OfflinePages
from topicrawl.frontier.scope import Scope
from topicrawl.model import Topic, Visit
from topicrawl.strategies import Strategy
from topicrawl_lab.spec import Spec
from topicrawl_lab.tasks import Task


@dataclass(frozen=True, slots=True)
class Cell:
    """A task, the strategy that crawls it, and its seeds. `cap` is the most pages of one host; None means no limit."""

    task: Task
    spec: Spec
    seed_set: int
    rng_seed: int
    cap: int | None = None

    @property
    def key(self) -> tuple[str, str, int, int, str]:
        """Identifies this cell, in the columns of results.csv."""
        return (self.task.name, str(self.spec), self.seed_set, self.rng_seed, cap_text(self.cap))


@dataclass(frozen=True, slots=True)
class Crawled:
    """The log of a cell and its cost; `reads` is the number of pages whose content was read from the web."""

    visits: list[Visit]
    taken: list[Visit]
    """The visits of pages that the strategy took, in that order: all fetched ones but peeks that it did not accept."""
    stop_reason: str
    seconds: float
    cpu_seconds: float
    reads: int
    generations: int | None
    """Generations that ended, where the strategy has generations."""
    own_seconds: float = 0.0
    """Part of `cpu_seconds` for valuing and choosing links: without making, parsing and matching pages."""


def crawl(
    cell: Cell,
    offline: OfflinePages,
    topic: Topic,
    strategy: Strategy | None = None,
    *,
    peeks_are_free: bool = False,
) -> Crawled:
    """Crawl until the budget is fetched or no link is left. Peeks are charged, unless `peeks_are_free`: then only pages
    taken are.

    `strategy` replaces the cell's own where it needs more than parameters, such as a training set.
    """
    task, count = cell.task, offline.counter(topic)
    state = Crawl(
        topic,
        strategy or cell.spec.strategy(task.budget),
        task.seed_sets[cell.seed_set],
        scope=Scope(max_per_host=cell.cap),
        rng_seed=cell.rng_seed,
    )
    visits: list[Visit] = []
    taken: list[Visit] = []
    peeks: dict[str, Visit] = {}
    reads, clock, cpu, pages_cpu = offline.reads, time.perf_counter(), time.process_time(), 0.0
    while (len(taken) if peeks_are_free else state.tally.fetched) < task.budget and (ask := state.ask()):
        asked = time.process_time()
        outcome = offline.outcome(ask.url)
        if outcome.page is not None:
            outcome = msgspec.structs.replace(outcome, counts=count(outcome.page))
        pages_cpu += time.process_time() - asked
        visit = state.tell(ask, outcome)
        visits.append(visit)
        if visit.fetched and ask.peek:
            peeks[visit.url] = visit
        elif visit.fetched:
            taken.append(visit)
        taken += (peeks[each.url] for each in state.accepted)
    spent = time.process_time() - cpu
    return Crawled(
        visits,
        taken,
        "pages" if state.tally.fetched >= task.budget else "frontier empty",
        seconds=time.perf_counter() - clock,
        cpu_seconds=spent,
        reads=offline.reads - reads,
        generations=_ended(state.strategy.evolution()),
        own_seconds=spent - pages_cpu,
    )


def _ended(evolution: list[dict[str, Any]] | None) -> int | None:
    """How many generations have ended; the last one is in progress."""
    return None if evolution is None else max(len(evolution) - 1, 0)


def cap_text(cap: int | None) -> str:
    """A per-host cap as written in flags and results."""
    return "none" if cap is None else str(cap)
