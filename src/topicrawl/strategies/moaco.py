"""Multi-objective ant colony optimisation: ants walk from page to page by the value of links and by pheromone; after a
cycle the best links found get pheromone, and the ants start from them.

Paper: the baseline MOACO of FCWSEO (2020); only its abstract was available: three objectives of a link (anchor,
containing pages, target page), an ant colony, an ontology. FCITS_OH says of its successor that it keeps links by
non-dominated sorting and NFCS.
Differs: all figures are ours. A link is fetched once, so no ant repeats a trail: pheromone acts through where ants
start and, since it evaporates, in favour of recently found links. Ants step in turn: the one with fewest steps first.
Seeds are fetched first; when no ant can move, the best remaining links are fetched and ants start from these.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from topicrawl.floats import power
from topicrawl.frontier import Floats, Frontier, Ids
from topicrawl.frontier.graph import Numbers
from topicrawl.strategies import Choice, Observation
from topicrawl.strategies.parameters import parameter
from topicrawl.strategies.pareto import SAMPLES, front_of
from topicrawl.strategies.rounds import Rounds
from topicrawl.value.objectives import objectives

OBJECTIVES = ("anchor", "parents", "target")


@dataclass
class Ant:
    """The page of an ant (None: nowhere yet), its steps in this cycle, and whether it waits for a fetch."""

    page: int | None = None
    steps: int = 0
    waiting: bool = False


def transition(heuristic: Floats, pheromone: Floats, alpha: float = 1.0, beta: float = 2.0) -> Floats:
    """The probability of each link: τ^α η^β, normalised to 1; equal if all are 0."""
    appeal = power(pheromone, alpha) * power(heuristic, beta)
    total = appeal.sum()
    return appeal / total if total > 0 else np.full(len(appeal), 1 / len(appeal))


@dataclass
class AntColony(Rounds):
    """MOACO."""

    topic_model: ClassVar[str] = "ontology"

    ants: int = parameter(10, "ants", low=1)
    steps: int = parameter(10, "pages an ant fetches in a cycle", low=1)
    kept: int = parameter(
        10, "links of a cycle's first front that get pheromone and from which ants start", low=1
    )
    trail_weight: float = parameter(1.0, "how much pheromone counts", symbol="α", low=0.0)
    promise_weight: float = parameter(2.0, "how much the objectives count", symbol="β", low=0.0)
    evaporation: float = parameter(0.1, "share of pheromone lost in a cycle", symbol="ρ", low=0.0, high=1.0)
    least_pheromone: float = parameter(0.01, "pheromone does not fall below", low=0.0)
    most_pheromone: float = parameter(10.0, "pheromone does not rise above", low=0.0)
    selection: str = parameter("nfcs", "how a front that does not fit is sampled", choices=tuple(SAMPLES))

    def begin(self, frontier: Frontier) -> None:
        super().begin(frontier)
        frontier.columns.add("pheromone", np.float32, 1.0)
        self.colony = [Ant() for _ in range(self.ants)]
        self.cycle = 0
        self._landed: list[int] = []
        self._found: list[int] = []
        self._sent: dict[int, Ant] = {}
        self._fates: dict[int, tuple[int, int, bool]] = {}

    def offers(self, frontier: Frontier) -> bool:
        return super().offers(frontier) or self._next_ant(frontier) is not None

    def select(self, frontier: Frontier, rng: random.Random) -> Choice:
        if super().offers(frontier):
            return Choice(self.planned(frontier))
        number = self._next_ant(frontier)
        assert number is not None
        ant = self.colony[number]
        links = self._ahead(frontier, ant)
        chances = transition(
            self.objectives(frontier, links).mean(axis=1),
            frontier.columns["pheromone"][links].astype(np.float64),
            self.trail_weight,
            self.promise_weight,
        )
        ant.steps, ant.waiting = ant.steps + 1, True
        drawn = int(np.searchsorted(np.cumsum(chances), rng.random() * chances.sum(), side="right"))
        link = int(links[min(drawn, len(links) - 1)])
        self._sent[link] = ant
        return Choice(link, number)

    def arrive(self, seen: Observation, frontier: Frontier) -> None:
        chosen = seen.link if seen.visit.peek else frontier.number(seen.visit.asked)
        assert chosen is not None
        ant = self._sent.pop(chosen, None)
        if ant is None:
            self._landed += [seen.link] if seen.visit.fetched else []
            return
        ant.waiting = False
        if seen.visit.fetched:
            ant.page = seen.link
            self._found.append(seen.link)

    def retract(self, choice: Choice, frontier: Frontier) -> None:
        if (ant := self._sent.pop(choice.link, None)) is not None:
            ant.steps, ant.waiting = ant.steps - 1, False

    def follow(self, choice: Choice, frontier: Frontier) -> None:
        """A step of the ant if its page has this link; otherwise the link counts as planned."""
        ant = self.colony[choice.walker] if choice.walker < len(self.colony) else None
        if (
            ant
            and ant.page is not None
            and not ant.waiting
            and choice.link in frontier.graph.targets(ant.page)
        ):
            ant.steps, ant.waiting = ant.steps + 1, True
            self._sent[choice.link] = ant

    def turn(self, frontier: Frontier, rng: random.Random) -> bool:
        starts = self._landed or self._end_cycle(frontier, rng)
        self._landed, self._found, self.plan = [], [], self.plan[:0]
        self.cycle += 1
        rng.shuffle(starts)
        for number, ant in enumerate(self.colony):
            ant.page = starts[number % len(starts)] if starts else None
            ant.steps = 0
        return self.offers(frontier) or self.fall_back(frontier, self.ants)

    def explain(self, frontier: Frontier, link: int) -> dict[str, float]:
        return super().explain(frontier, link) | {"pheromone": float(frontier.columns["pheromone"][link])}

    def story(self, frontier: Frontier, link: int) -> list[str]:
        """What the cycle in which a link was fetched made of it."""
        if link not in self._fates:
            return []
        cycle, front, kept = self._fates[link]
        fate = "it got pheromone, ants started from it" if kept else "no ant started from it"
        why = "" if kept or front else " (others of that front were sampled)"
        return [f"cycle {cycle}: front {front + 1}; {fate}{why}"]

    def objectives(self, frontier: Frontier, links: Ids | Numbers) -> Floats:
        """Anchor, containing pages and target page."""
        return objectives(self.valuation, frontier, links.astype(np.int64), OBJECTIVES)

    def _end_cycle(self, frontier: Frontier, rng: random.Random) -> list[int]:
        """Evaporate all pheromone, and add some to the best links found; returns these."""
        pheromone = frontier.columns["pheromone"]
        pheromone *= 1 - self.evaporation
        found = np.array(self._found, dtype=np.int64)
        points = self.objectives(frontier, found)
        fronts = front_of(points)
        first = np.flatnonzero(fronts == 0)
        chosen = first[SAMPLES[self.selection](points[first], self.kept, rng)]
        pheromone[found[chosen]] += points[chosen].mean(axis=1)
        np.clip(pheromone, self.least_pheromone, self.most_pheromone, out=pheromone)
        kept = set(found[chosen].tolist())
        self._fates |= {
            link: (self.cycle, front, link in kept)
            for link, front in zip(found.tolist(), fronts.tolist(), strict=True)
        }
        links: list[int] = found[chosen].tolist()
        return links

    def _next_ant(self, frontier: Frontier) -> int | None:
        """The ant with fewest steps that can move now; planned links come before all ants."""
        order = sorted(range(len(self.colony)), key=lambda number: self.colony[number].steps)
        return next((number for number in order if len(self._ahead(frontier, self.colony[number]))), None)

    def _ahead(self, frontier: Frontier, ant: Ant) -> Numbers:
        """The links of its page an ant can go to now: none while it waits for a fetch, or after its last step."""
        if ant.page is None or ant.waiting or ant.steps >= self.steps:
            return np.empty(0, dtype=np.int32)
        links = frontier.graph.targets(ant.page)
        return links[frontier.columns["key"][links] > -np.inf]
