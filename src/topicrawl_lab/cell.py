"""One cell of a comparison: a strategy crawls a task once. No threads, no database, no archive: only the log."""

from __future__ import annotations

import time
from dataclasses import dataclass

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
    """What is crawled, and by whom. `cap` is the most pages of one host; None means no such limit."""

    task: Task
    spec: Spec
    seed_set: int
    rng_seed: int
    cap: int | None = None

    @property
    def key(self) -> tuple[str, str, int, int, str]:
        """What tells this cell from all others, as results.csv spells it."""
        return (self.task.name, str(self.spec), self.seed_set, self.rng_seed, said_cap(self.cap))


@dataclass(frozen=True, slots=True)
class Crawled:
    """The log of a cell and what it cost; `reads` are the pages whose content the web handed out meanwhile."""

    visits: list[Visit]
    stop_reason: str
    seconds: float
    cpu_seconds: float
    reads: int


def crawl(cell: Cell, shelf: OfflinePages, topic: Topic, strategy: Strategy | None = None) -> Crawled:
    """Crawl until the budget is fetched (peeks are charged) or no link is left.

    `strategy` is that of the cell, where what it is to know beside its parameters was given to it already.
    """
    task, count = cell.task, shelf.counter(topic)
    machine = Crawl(
        topic,
        strategy or cell.spec.strategy(task.budget),
        task.seed_sets[cell.seed_set],
        scope=Scope(max_per_host=cell.cap),
        rng_seed=cell.rng_seed,
    )
    visits: list[Visit] = []
    reads, clock, cpu = shelf.reads, time.perf_counter(), time.process_time()
    while machine.tally.fetched < task.budget and (ask := machine.ask()):
        outcome = shelf.outcome(ask.url)
        if outcome.page is not None:
            outcome = msgspec.structs.replace(outcome, counts=count(outcome.page))
        visits.append(machine.tell(ask, outcome))
    return Crawled(
        visits,
        "pages" if machine.tally.fetched >= task.budget else "frontier empty",
        seconds=time.perf_counter() - clock,
        cpu_seconds=time.process_time() - cpu,
        reads=shelf.reads - reads,
    )


def said_cap(cap: int | None) -> str:
    """A per-host cap as flags and results spell it."""
    return "none" if cap is None else str(cap)
