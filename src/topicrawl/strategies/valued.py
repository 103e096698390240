"""Base class of strategies that value links by a weighted sum.

The weights of each paper are in fcwseo_links.py, fcits_links.py and ielp_links.py. A strategy derives from the class
there (`FcwseoLinks`, `FcitsLinks`, `IelpLinks`) and implements three methods:

    begin(frontier)             the crawl starts: set up the state
    select(frontier, rng)       the paper's rule; called only when a link is choosable, and must then choose one
    arrive(seen, frontier)      a fetch was answered or failed: move the walker `seen.walker`, update the state

and, where `select` changes more than the state of the generator, two more for logs of other versions:

    retract(choice, frontier)   a choice of `select` is not made: undo what `select` recorded
    follow(choice, frontier)    a choice is made that `select` did not make: record it as `select` does

Columns to use: `value` (the paper's E or P, current for every link, fetched ones too), `priority` (the same, but 1 for
seeds that wait and −inf for discarded links), `key` (as priority, but −inf for all that cannot be chosen now).
`self.queue` holds waiting links above the threshold, `frontier.graph` the links of pages and the pages of links.
Links at or below the threshold are discarded, and return when a new page or a refresh raises their value.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import PEEKED, Frontier, Ids
from topicrawl.frontier.hosts import TABU
from topicrawl.model import Topic
from topicrawl.strategies import Choice, Marked, Observation, Strategy
from topicrawl.strategies.parameters import parameter
from topicrawl.strategies.queue import Queue
from topicrawl.value.pagerank import VARIANTS, PageRank
from topicrawl.value.valuation import Valuation, Weights

SEED = 1.0
"""Priority of seeds that wait: no weighted sum of normalised factors exceeds it."""
BATCH = 1000
"""Waiting links of which one discarded link is taken back at a time."""


@dataclass
class Valued(Strategy):
    """A strategy over valued links; the module says what subclasses implement."""

    damping: float = parameter(0.85, "damping of PageRank", symbol="d", low=0.0, high=0.999)
    emphasis: float = parameter(
        0.6, "how much a relevant anchor strengthens a link in PageRank", symbol="ω, λ", low=0.0
    )
    pr_norm: str = parameter("max", "divide PageRank by its largest value, or not", choices=("max", "none"))
    pr_variant: str = parameter("literal", "PageRank as published, or one that converges", choices=VARIANTS)
    pr_of: str = parameter(
        "target",
        "PageRank of the page behind a link or of those that contain it",
        choices=("target", "source"),
    )
    refresh_every: int = parameter(200, "fetches between two refreshes of all values", low=1)
    discarded: str = parameter(
        "last",
        "when to take links at or below the threshold: last, best first; or never, as published",
        choices=("last", "never"),
    )

    @property
    def weights(self) -> Weights:
        """The weights of the link value."""
        raise NotImplementedError

    @property
    def peeks(self) -> bool:
        """Whether pages are peeked at before they are chosen (peeks.py)."""
        return False

    def begin(self, frontier: Frontier) -> None:
        """The crawl starts."""

    def select(self, frontier: Frontier, rng: random.Random) -> Choice:
        """The paper's choice."""
        raise NotImplementedError

    def arrive(self, seen: Observation, frontier: Frontier) -> None:
        """A choice was answered; values and queue are up to date."""

    def revise(self, mark: Marked, frontier: Frontier) -> None:
        """A person changed the relevance of a page that arrived."""

    def retract(self, choice: Choice, frontier: Frontier) -> None:
        """A choice of `select` is not made."""

    def follow(self, choice: Choice, frontier: Frontier) -> None:
        """A choice is made that `select` did not make."""

    def keeps(self, frontier: Frontier, links: Ids) -> npt.NDArray[np.bool_]:
        """Which of `links` stay in the queue, or join it, at their present value."""
        return self.valuation.keeps(frontier, links)

    def decide(self, frontier: Frontier, rng: random.Random) -> Choice | None:
        """The next choice."""
        return self._select(frontier, rng)

    def accept(self, seen: Observation, frontier: Frontier, rng: random.Random) -> int | None:
        """The peeked link whose links are added now: without peeks the one that only the log peeked at."""
        return seen.link if seen.peek and seen.visit.fetched else None

    def accepted(self, seen: Observation, frontier: Frontier) -> Observation:
        """A peeked page is observed again because its links were added."""
        self.follow(Choice(seen.link, seen.walker), frontier)
        return seen

    def reopen(self, frontier: Frontier) -> bool:
        """Make links choosable again when none is choosable or in flight; False when that is impossible."""
        return self.discarded == "last" and self._take_back(frontier)

    def start(self, topic: Topic, frontier: Frontier, seeds: Ids, rng: random.Random) -> None:
        rank = PageRank(self.damping, self.emphasis, self.pr_variant, normalised=self.pr_norm == "max")
        self.valuation = Valuation(
            topic,
            self.weights,
            rank,
            rank_of_source=self.pr_of == "source",
            guesses=not self.peeks,
            refresh_every=self.refresh_every,
        )
        self.valuation.start(frontier, seeds)
        self.queue = Queue(frontier)
        self._in_flight: set[int] = set()
        """Links chosen and not answered."""
        self._chosen: Choice | None = None
        """What the last `choose` returned."""
        self._prioritise_seeds(frontier, seeds)
        self.begin(frontier)

    def choose(self, frontier: Frontier, rng: random.Random) -> Choice | None:
        self._chosen = choice = self.decide(frontier, rng)
        if choice is not None:
            self._in_flight.add(choice.link)
        return choice

    def chose(self, choice: Choice, frontier: Frontier) -> None:
        if self._chosen is not None:
            self._in_flight.discard(self._chosen.link)
            if not self._chosen.peek:
                self.retract(self._chosen, frontier)
        self._chosen = None
        self._in_flight.add(choice.link)
        if not choice.peek:
            self.follow(choice, frontier)

    def observe(self, seen: Observation, frontier: Frontier, rng: random.Random) -> int | None:
        if seen.visit.peek and not seen.peek:
            seen = self.accepted(seen, frontier)
        elif (asked := frontier.number(seen.visit.asked)) is not None:
            self._in_flight.discard(asked)
        self._enqueue(frontier, self.valuation.observe(seen, frontier))
        if not seen.peek:
            self.arrive(seen, frontier)
        return self.accept(seen, frontier, rng)

    def enter(
        self, links: Ids, frontier: Frontier, rng: random.Random, seen: Observation | None = None
    ) -> None:
        self.valuation.enter(links, frontier, seen)
        self._prioritise_seeds(frontier, links[frontier.seeds(links)])
        self._enqueue(frontier, links)

    @property
    def uses_marks(self) -> bool:
        return True

    def mark(self, marks: Sequence[Marked], frontier: Frontier, rng: random.Random) -> None:
        for mark in marks:
            self.revise(mark, frontier)
            self._enqueue(frontier, self.valuation.mark(mark, frontier))

    def explain(self, frontier: Frontier, link: int) -> dict[str, float]:
        return self.valuation.explain(frontier, link)

    def _select(self, frontier: Frontier, rng: random.Random) -> Choice | None:
        if self.queue.offers(frontier) or (self.is_idle(frontier) and self.reopen(frontier)):
            return self.select(frontier, rng)
        return None

    def is_idle(self, frontier: Frontier) -> bool:
        """Whether links wait that could be made choosable, and none is in flight.

        Only then may `choose` change anything: an answer of None is not in the log.
        """
        if self._in_flight:
            return False
        columns, held = frontier.columns, frontier.hosts.held & ~np.uint8(TABU)
        waits = (columns["state"] <= PEEKED) & (held[columns["host"]] == 0)
        if self.discarded == "never":
            waits &= columns["priority"] > -np.inf
        return bool(waits.any())

    def _prioritise_seeds(self, frontier: Frontier, seeds: Ids) -> None:
        frontier.prioritise(seeds, np.full(len(seeds), SEED))
        self.queue.add(frontier, seeds)

    def _enqueue(self, frontier: Frontier, links: Ids) -> None:
        columns = frontier.columns
        links = links[~frontier.seeds(links)]  # they keep their priority
        kept = self.keeps(frontier, links)
        frontier.prioritise(links, np.where(kept, columns["value"][links], -np.inf))
        self.queue.add(frontier, links[kept & (columns["state"][links] <= PEEKED)])

    def _take_back(self, frontier: Frontier) -> bool:
        """Make the best discarded links choosable."""
        columns = frontier.columns
        open_hosts = frontier.hosts.held[columns["host"]] == 0
        links = np.flatnonzero((columns["state"] <= PEEKED) & open_hosts)
        values = columns["value"][links]
        best = links[np.argsort(-values, kind="stable")[: 1 + len(links) // BATCH]]
        frontier.prioritise(best, columns["value"][best])
        self.queue.add(frontier, best)
        return len(best) > 0
