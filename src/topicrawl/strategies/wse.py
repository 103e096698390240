"""Web space evolution: all links of k seed pages above a threshold are fetched, and the best of the fetched pages
compete with the nearest seeds for their places, within a radius that grows.

    S_seed      k pages; their links are the generation to fetch       `bank.links`
    S_retrieve  all links fetched in generations                       column `retrieved`
    S_evolve    2k of them, unmarked: by fronts, the last one sampled
    S_test      k of these with the most relevant anchors; they are marked and try to become seeds

Paper: FCWSEO §6.3, Algorithm 1.
Differs: docs/papers.md, E1–E4. Seeds are fetched first and belong to no generation. Fewer seeds than k: the bank is
filled with the best of the first generations. A generation that fetches nothing: the whole bank is replaced by the k
best links not marked yet, and when there are none, by the best remaining links. A link's E is compared with τ when it
is chosen. `target_relevance=peek` fetches every link of a generation before it is compared with τ, as published.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import PEEKED, WAITING, Floats, Frontier, Ids
from topicrawl.frontier.distance import FAR, Edges
from topicrawl.strategies import Choice, Observation
from topicrawl.strategies.generation import Ledger
from topicrawl.strategies.parameters import parameter
from topicrawl.strategies.pareto import SAMPLES, best, front_of
from topicrawl.strategies.rounds import Rounds
from topicrawl.strategies.seed_bank import SeedBank
from topicrawl.value.objectives import objectives

NOT_YET, RETRIEVED, MARKED = range(3)
"""States of a link in S_retrieve."""
WIDEST = FAR - 1.0
"""Upper bound of the radius: only unreachable pages are beyond it."""


@dataclass
class WebSpaceEvolution(Rounds):
    """The evolution; FCWSEO and FCWSE differ in the topic they are given."""

    bank_size: int = parameter(
        30, "seeds in the bank; more if the crawl has more", symbol="k", where="§7.1", low=1
    )
    lenience: float = parameter(
        0.1, "probability that a seed is replaced by a link it dominates", symbol="P_t", low=0.0, high=1.0
    )
    space_growth: float = parameter(
        2.0, "factor by which the radius grows after a generation", where="Algorithm 1, step 10", low=1.0
    )
    selection: str = parameter(
        "nfcs", "how a front that does not fit is sampled", where="§6.2", choices=tuple(SAMPLES)
    )

    def begin(self, frontier: Frontier) -> None:
        super().begin(frontier)
        frontier.columns.add("retrieved", np.uint8, NOT_YET)
        self.bank = SeedBank([], np.empty((0, 4)), self.lenience)
        self.radius = 0.0
        self.ledger = Ledger(frontier)
        self._downloads: list[int] = []
        self._led_to: dict[int, int] = {}

    @property
    def size(self) -> int:
        """k."""
        return max(self.bank_size, len(self.seeds))

    def keeps(self, frontier: Frontier, links: Ids) -> npt.NDArray[np.bool_]:
        """Step 6 of Algorithm 1: E(child-link) > τ. With `peek` a link is fetched first and then compared.

        A link at or below τ cannot be chosen until its E rises.
        """
        above = frontier.columns["value"][links] > self.link_threshold  # E > τ
        return above | self.unread(frontier, links)

    def select(self, frontier: Frontier, rng: random.Random) -> Choice:
        """Step 6: download the next child-link that `keeps` admits."""
        link = self.planned(frontier)
        fresh = frontier.columns["state"][link] == WAITING and frontier.columns["depth"][link] > 0
        return Choice(link, peek=self.peeks and bool(fresh))

    def decide(self, frontier: Frontier, rng: random.Random) -> Choice | None:
        """The next choice: peeks are part of the generation's plan."""
        return self._select(frontier, rng)

    def accept(self, seen: Observation, frontier: Frontier, rng: random.Random) -> int | None:
        """Step 6 with `peek`: the next child-link that was fetched and has E > τ; its links are added now."""
        if not self.peeks:
            return super().accept(seen, frontier, rng)
        if not self._in_flight and not self.offers(frontier):
            self.turn(frontier, rng)
        peeked = self.plan[frontier.choosable(self.plan) & (frontier.columns["state"][self.plan] != WAITING)]
        return int(peeked[0]) if len(peeked) else None

    def enter(
        self, links: Ids, frontier: Frontier, rng: random.Random, seen: Observation | None = None
    ) -> None:
        super().enter(links, frontier, rng, seen)
        if seen is not None and seen.link in self.bank.links:
            self.plan = np.concatenate((self.plan, links))

    def arrive(self, seen: Observation, frontier: Frontier) -> None:
        asked = frontier.number(seen.visit.asked)
        if asked is not None and asked != seen.link:
            self._led_to[asked] = seen.link
        if seen.visit.fetched:
            self._downloads.append(seen.link)

    def turn(self, frontier: Frontier, rng: random.Random) -> bool:
        """End a generation: steps 7 to 10, then step 5."""
        downloads, self._downloads = np.array(self._downloads, dtype=np.int64), []
        if not self.ledger.generations:
            self._settle(frontier, downloads)
        elif len(downloads):
            frontier.columns["retrieved"][downloads] = RETRIEVED
            self._evolve(frontier, rng, len(downloads))
        while not self.offers(frontier):
            if not self._restart(frontier):
                return self.fall_back(frontier, self.size)
        return True

    def explain(self, frontier: Frontier, link: int) -> dict[str, float]:
        return super().explain(frontier, link) | self.ledger.facts(frontier, link)

    def story(self, frontier: Frontier, link: int) -> list[str]:
        """What became of a link in the evolution, one sentence an event."""
        return self.ledger.story(frontier, link, self.bank.links)

    def evolution(self) -> list[dict[str, Any]]:
        """The generations so far, for summary.json and the report."""
        return [generation.summary() for generation in self.ledger.generations]

    def objectives(self, frontier: Frontier, links: Ids) -> Floats:
        """F1 to F4 of links as of now."""
        return objectives(self.valuation, frontier, links)

    def _settle(self, frontier: Frontier, pages: Ids) -> None:
        """Begin after the seeds are fetched: they are the bank, and half their mean distance is the radius.

        Other pages of the log come after the seeds; those that do not fit count as fetched in a generation.
        """
        pages = pages[np.argsort(~frontier.seeds(pages), kind="stable")]
        frontier.columns["retrieved"][pages[self.size :]] = RETRIEVED
        self.bank.links = pages[: self.size].tolist()
        self.bank.points = self.objectives(frontier, pages[: self.size])
        self.radius = self.bank.mean_distance(self._edges(frontier)) / 2
        self.ledger.open(frontier, self.bank.links, self.radius)
        self._plan_children(frontier)

    def _evolve(self, frontier: Frontier, rng: random.Random, downloads: int) -> None:
        """Steps 7 to 10 of Algorithm 1."""
        candidates = np.flatnonzero(frontier.columns["retrieved"] == RETRIEVED)
        points = self.objectives(frontier, candidates)
        wanted = 2 * self.size + self._vacant
        rows, fronts = best(points, wanted, rng, SAMPLES[self.selection])  # step 7
        self.ledger.sorted(frontier, candidates, fronts, downloads)
        self.bank.points = self.objectives(frontier, np.array(self.bank.links, dtype=np.int64))
        joined, evolve = candidates[rows[: self._vacant]], candidates[rows[self._vacant :]]
        self._join(frontier, joined)
        tests = self._most_relevant_anchors(frontier, evolve)  # step 8
        frontier.columns["retrieved"][tests] = MARKED
        trials = self.bank.update(  # step 9
            tests.tolist(), self.objectives(frontier, tests), self._edges(frontier), self.radius, rng
        )
        self.ledger.tried(joined, trials)
        self.radius = min(self.radius * self.space_growth, WIDEST)  # step 10
        self.ledger.open(frontier, self.bank.links, self.radius)
        self._plan_children(frontier)

    @property
    def _vacant(self) -> int:
        return self.size - len(self.bank.links)

    def _join(self, frontier: Frontier, links: Ids) -> None:
        """Fill the bank while it holds fewer than k."""
        frontier.columns["retrieved"][links] = MARKED
        self.bank.links += links.tolist()
        self.bank.points = np.concatenate((self.bank.points, self.objectives(frontier, links)))

    def _most_relevant_anchors(self, frontier: Frontier, links: Ids) -> Ids:
        """S_test: by F3, of equal ones by E, then by URL."""
        anchors, values = frontier.columns["anchor"], frontier.columns["value"]
        order = sorted(links.tolist(), key=lambda link: (-anchors[link], -values[link], frontier.urls[link]))
        return np.array(order[: self.size], dtype=np.int64)

    def _plan_children(self, frontier: Frontier) -> None:
        """Step 5: the links of the seeds' pages that are not fetched, each once, in document order."""
        found = [frontier.graph.targets(page).tolist() for page in self.bank.links]
        links = np.fromiter(dict.fromkeys(link for links in found for link in links), np.int64)
        self.plan = links[frontier.columns["state"][links] <= PEEKED]

    def _restart(self, frontier: Frontier) -> bool:
        """Replace all seeds, whose links are exhausted, by the best k links not marked yet."""
        candidates = np.flatnonzero(frontier.columns["retrieved"] == RETRIEVED)
        if not len(candidates):
            return False
        points = self.objectives(frontier, candidates)
        fronts = front_of(points)
        chosen = np.lexsort((-frontier.columns["anchor"][candidates], fronts))[: self.size]
        frontier.columns["retrieved"][candidates[chosen]] = MARKED
        self.bank.links, self.bank.points = candidates[chosen].tolist(), points[chosen]
        self.ledger.restarted(frontier, candidates, fronts, self.bank.links)
        self._plan_children(frontier)
        return True

    def _edges(self, frontier: Frontier) -> Edges:
        return Edges(frontier.graph, len(frontier), self.seeds.tolist(), self._led_to)
