"""Simulated annealing over the waiting queue: worse links are accepted with a probability that falls with time.

A link is drawn at random and compared with the last one visited. Hosts that were visited often become tabu.

Paper: FCSA, the baseline of FCWSEO, FCITS_OH and IELP; only its abstract was available: a link value of four
parts (anchor, all containing pages, PageRank, target page), annealing, and a host memory.
Differs: all figures are ours. T starts at 0.1 and falls by 1 % a page, not below 0.001; after 20 rejections the
best link is taken; hosts are remembered as in FCITS_OH, without its refill; links are valued as in FCWSEO, the
target page's relevance being predicted unless `target_relevance=peek`. The first link is a random one.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import islice

from topicrawl.floats import exp1
from topicrawl.frontier import Frontier
from topicrawl.strategies import Choice, Marked, Observation
from topicrawl.strategies.fcwseo_links import FcwseoLinks
from topicrawl.strategies.host_memory import HostMemory
from topicrawl.strategies.parameters import parameter
from topicrawl.strategies.walkers import Walkers, Walking


@dataclass
class Position:
    """The page a walker is at."""

    link: int | None = None


def acceptance(change: float, temperature: float) -> float:
    """The probability of accepting a step that changes the value by `change` (Metropolis): 1 unless it falls."""
    return 1.0 if change >= 0 else exp1(change / temperature)


@dataclass
class SimulatedAnnealing(Walking, FcwseoLinks):
    """Annealing with a host memory."""

    start_temperature: float = parameter(
        0.1, "how readily worse links are accepted at first", symbol="T0", low=1e-9
    )
    cooling: float = parameter(
        0.99, "factor by which the temperature falls after a page", symbol="ρ", low=0.0, high=1.0
    )
    floor: float = parameter(1e-3, "the temperature does not fall below", low=1e-9)
    rejections: int = parameter(20, "draws after which the best link is taken", low=1)
    page_threshold: float = parameter(
        0.62, "pages above it count as good for their host", symbol="α", low=0.0, high=1.0
    )

    def begin(self, frontier: Frontier) -> None:
        self.temperature = self.start_temperature
        self.walkers = Walkers(Position)
        self.memory = HostMemory(self.page_threshold)

    def select(self, frontier: Frontier, rng: random.Random) -> Choice:
        walker = self.walkers.idle()
        link = self._draw(self.walkers[walker].link, frontier, rng)
        self.walkers.send(walker)
        return Choice(link, walker)

    def arrive(self, seen: Observation, frontier: Frontier) -> None:
        walker = self.walkers.back(seen.walker)
        if seen.visit.fetched:
            walker.link = seen.link
            self.temperature = max(self.cooling * self.temperature, self.floor)
            self.memory.observe(seen, frontier)

    def revise(self, mark: Marked, frontier: Frontier) -> None:
        self.memory.mark(mark, frontier)

    def reopen(self, frontier: Frontier) -> bool:
        while self.memory.forget_oldest(frontier):
            if self.queue.offers(frontier):
                return True
        return super().reopen(frontier)

    def _draw(self, current: int | None, frontier: Frontier, rng: random.Random) -> int:
        values = frontier.columns["value"]
        for link in islice(self.queue.draws(frontier, rng), self.rejections):
            if current is None:
                return link
            likely = acceptance(float(values[link] - values[current]), self.temperature)
            if likely == 1.0 or rng.random() < likely:
                return link
        best = frontier.best()
        assert best is not None
        return best
