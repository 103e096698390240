"""Base class of strategies that value links by a weighted sum, with each paper's weights.

A strategy derives from the class of its paper (`FcwseoLinks`, `FcitsLinks`, `IelpLinks`) and implements three methods:

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
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import PEEKED, WAITING, Frontier, Ids
from topicrawl.frontier.hosts import TABU
from topicrawl.model import Topic
from topicrawl.strategies import Choice, Observation, Strategy
from topicrawl.strategies.parameters import parameter
from topicrawl.strategies.peeks import Peeks
from topicrawl.strategies.queue import Queue
from topicrawl.value.pagerank import VARIANTS, PageRank
from topicrawl.value.valuation import Valuation, Weights

SEED = 1.0
"""Priority of seeds that wait: no weighted sum of normalised factors exceeds it."""
BATCH = 1000
"""Waiting links of which one discarded link is taken back at a time."""

FCWSEO = Weights(
    target=0.3, parents=0.15, anchor=0.35, rank=0.2, threshold=0.2, form="tfidf",
    symbols=("R(p_l)", "Σ R(p_i)/h", "R(a_l)", "PR(p_l)", "E(l)"),
)  # fmt: skip
FCITS = Weights(
    anchor=0.55, parents=0.25, rank=0.2, threshold=0.15, form="bm25",
    symbols=("", "Σ R(p_i)/m", "R(A_l)", "PR(p_l)", "P(l)"),
)  # fmt: skip
IELP = Weights(
    anchor=0.7, parents=0.2, rank=0.1, threshold=0.12, form="tfidf",
    symbols=("", "R(P_i)", "R(AR_i)", "PR(P_next)", "E(link_i)"),
)  # fmt: skip
DOMAINS = {
    "tourism": {"page_threshold": 0.70, "link_threshold": 0.19},
    "rainstorm": {"page_threshold": 0.62, "link_threshold": 0.15},
}
"""FCITS_OH's α and β."""


@dataclass
class Valued(Strategy):
    """A strategy over valued links; the module says what subclasses implement."""

    damping: float = parameter(0.85, "damping of PageRank", symbol="d", low=0.0, high=1.0)
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
        """Whether pages are peeked at before they are chosen."""
        return False

    def begin(self, frontier: Frontier) -> None:
        """The crawl starts."""

    def select(self, frontier: Frontier, rng: random.Random) -> Choice:
        """The paper's choice."""
        raise NotImplementedError

    def arrive(self, seen: Observation, frontier: Frontier) -> None:
        """A choice was answered; values and queue are up to date."""

    def retract(self, choice: Choice, frontier: Frontier) -> None:
        """A choice of `select` is not made."""

    def follow(self, choice: Choice, frontier: Frontier) -> None:
        """A choice is made that `select` did not make."""

    def keeps(self, frontier: Frontier, links: Ids) -> npt.NDArray[np.bool_]:
        """Which of `links` stay in the queue, or join it, at their present value."""
        return self.valuation.keeps(frontier, links)

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
        self._peeks = Peeks()
        self._in_flight: set[int] = set()
        """Links chosen and not answered."""
        self._chosen: Choice | None = None
        """What the last `choose` returned."""
        self._decided: Choice | None = None
        """With peeks: the choice that follows those of links to peek at."""
        self._observed = False
        self._prioritise_seeds(frontier, seeds)
        self.begin(frontier)

    def choose(self, frontier: Frontier, rng: random.Random) -> Choice | None:
        self._chosen = choice = self._next(frontier, rng)
        if choice is not None:
            self._in_flight.add(choice.link)
        return choice

    def chose(self, choice: Choice, frontier: Frontier) -> None:
        if self._chosen is not None:
            self._in_flight.discard(self._chosen.link)
            if not self._chosen.peek:
                self.retract(self._chosen, frontier)
        self._chosen = None
        self._drop_decision(frontier)
        self._in_flight.add(choice.link)
        if not choice.peek:
            self.follow(choice, frontier)

    def observe(self, seen: Observation, frontier: Frontier, rng: random.Random) -> int | None:
        self._observed = True
        if seen.visit.peek and not seen.peek:
            seen = self._accepted(seen, frontier)
        elif (asked := frontier.number(seen.visit.asked)) is not None:
            self._in_flight.discard(asked)
        self._enqueue(frontier, self.valuation.observe(seen, frontier))
        if not seen.peek:
            self.arrive(seen, frontier)
        if self.peeks:
            return self._decide(seen, frontier, rng)
        return seen.link if seen.peek and seen.visit.fetched else None  # it was not to be peeked at

    def enter(
        self, links: Ids, frontier: Frontier, rng: random.Random, seen: Observation | None = None
    ) -> None:
        self.valuation.enter(links, frontier, seen)
        self._prioritise_seeds(frontier, links[frontier.seeds(links)])
        self._enqueue(frontier, links)
        if self.peeks:
            self._peeks.add(frontier, links)

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
        if self.peeks:
            kept |= columns["state"][links] == WAITING  # compared with the threshold after the peek
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

    def _next(self, frontier: Frontier, rng: random.Random) -> Choice | None:
        """The next choice: with peeks, links to peek at come before the one decided."""
        if not self.peeks or not self._observed:
            return self._select(frontier, rng)
        link = self._peeks.next(frontier)
        if link is not None:
            return Choice(link, peek=True)
        decided, self._decided = self._decided, None
        if decided is not None and not frontier.columns["key"][decided.link] > -np.inf:
            self.retract(decided, frontier)
            decided = None
        if (
            decided is None and not self._in_flight
        ):  # the log did not do what was decided, or links were entered
            return self._select(frontier, rng)
        return decided

    def _accepted(self, seen: Observation, frontier: Frontier) -> Observation:
        """A peeked page that is observed again, with the walker that selected it."""
        decided, self._decided = self._decided, None
        if decided is not None and decided.link == seen.link:
            return replace(seen, walker=decided.walker)
        if decided is not None:
            self.retract(decided, frontier)
        self.follow(Choice(seen.link, seen.walker), frontier)
        return seen

    def _drop_decision(self, frontier: Frontier) -> None:
        if self._decided is not None:
            self.retract(self._decided, frontier)
            self._decided = None

    def _decide(self, seen: Observation, frontier: Frontier, rng: random.Random) -> int | None:
        """The peeked link whose links are added now; None while pages are in flight or links are to be peeked at."""
        self._peeks.add(frontier, seen.links)
        if self._in_flight or self._peeks.next(frontier) is not None:
            return None
        self._drop_decision(frontier)
        self._decided = choice = self._select(frontier, rng)
        if choice is not None and frontier.columns["state"][choice.link] == PEEKED:
            return choice.link
        return None


@dataclass
class FcwseoLinks(Valued):
    """Links valued as in FCWSEO Eq. (10); assumed for FCSA and On-ITS too."""

    target_weight: float = parameter(FCWSEO.target, "weight of the target page", symbol="λ1", low=0.0)
    parents_weight: float = parameter(FCWSEO.parents, "weight of the containing pages", symbol="λ2", low=0.0)
    anchor_weight: float = parameter(FCWSEO.anchor, "weight of the anchor", symbol="λ3", low=0.0)
    rank_weight: float = parameter(FCWSEO.rank, "weight of PageRank", symbol="λ4", low=0.0)
    link_threshold: float = parameter(FCWSEO.threshold, "links must be worth more", symbol="τ")
    target_relevance: str = parameter(
        "predict", "relevance of a page before it is fetched", choices=("predict", "peek")
    )

    @property
    def weights(self) -> Weights:
        return replace(
            FCWSEO,
            target=self.target_weight,
            parents=self.parents_weight,
            anchor=self.anchor_weight,
            rank=self.rank_weight,
            threshold=self.link_threshold,
        )

    @property
    def peeks(self) -> bool:
        return self.target_relevance == "peek"


@dataclass
class FcitsLinks(Valued):
    """Links valued as in FCITS_OH Eq. (9)."""

    presets: ClassVar[Mapping[str, Mapping[str, Mapping[str, float]]]] = {"domain": DOMAINS}
    """`make_strategy` applies them, because only it knows which values were given explicitly."""

    domain: str = parameter(
        "none", "sets α and β as published for it, where they are not given", choices=("none", *DOMAINS)
    )
    anchor_weight: float = parameter(FCITS.anchor, "weight of the anchor", symbol="r1", low=0.0)
    parents_weight: float = parameter(FCITS.parents, "weight of the containing pages", symbol="r2", low=0.0)
    rank_weight: float = parameter(FCITS.rank, "weight of PageRank", symbol="r3", low=0.0)
    link_threshold: float = parameter(FCITS.threshold, "links must be worth more", symbol="β")
    page_threshold: float = parameter(0.62, "pages above it count as good", symbol="α", low=0.0, high=1.0)
    saturation: float = parameter(FCITS.k, "BM25: how slowly repetitions saturate", symbol="k", low=0.0)
    length_norm: float = parameter(
        FCITS.b, "BM25: how much long pages are discounted", symbol="b", low=0.0, high=1.0
    )

    @property
    def weights(self) -> Weights:
        return replace(
            FCITS,
            anchor=self.anchor_weight,
            parents=self.parents_weight,
            rank=self.rank_weight,
            threshold=self.link_threshold,
            k=self.saturation,
            b=self.length_norm,
        )


@dataclass
class IelpLinks(Valued):
    """Links valued as in IELP Eq. (5), without a threshold: ELP has none."""

    anchor_weight: float = parameter(IELP.anchor, "weight of the anchor", symbol="α", low=0.0)
    parents_weight: float = parameter(IELP.parents, "weight of the containing pages", symbol="β", low=0.0)
    rank_weight: float = parameter(IELP.rank, "weight of PageRank", symbol="χ", low=0.0)

    @property
    def weights(self) -> Weights:
        return replace(
            IELP,
            anchor=self.anchor_weight,
            parents=self.parents_weight,
            rank=self.rank_weight,
            threshold=-np.inf,
        )
