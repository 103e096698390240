"""Energy landscape paving: a random walk along links that penalises links tried before.

A link of the current page is drawn at random. The probability of taking it depends on its energy: its value less a
penalty for every earlier trial. When no link of the page is accepted, the walk continues at the best known link.

Paper: the ELP of IELP §3.1–3.2: no threshold for links, acceptance by the exponential test alone, H counted at
every trial.
Differs: k is not published and taken to be 0.01. Links fetched already are not drawn. When a page cannot be
fetched the walk continues where it was.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from topicrawl.floats import exp1
from topicrawl.frontier import Frontier
from topicrawl.strategies import Choice, Observation
from topicrawl.strategies.ielp_links import IelpLinks
from topicrawl.strategies.parameters import parameter
from topicrawl.strategies.walkers import Walkers, Walking

BOLTZMANN = 1.380649e-23
"""In joule per kelvin; the papers' energies have no unit, so only k_B T matters."""


@dataclass
class Walk:
    """The page a walker is at (`head`), and the links of it that were not tried (`sub_links`)."""

    head: int | None = None
    sub_links: list[int] = field(default_factory=list)


@dataclass
class EnergyLandscapePaving(Walking, IelpLinks):
    """ELP over link values."""

    behaviour: ClassVar[int] = 2
    temperature: float = parameter(
        2e21,
        "in kelvin: how readily links of lower energy are taken",
        symbol="T",
        where="§4",
        low=1.0,
        high=1e30,
    )
    penalty: float = parameter(0.01, "energy lost with every trial", symbol="k", where="§3.1", low=0.0)

    def begin(self, frontier: Frontier) -> None:
        frontier.columns.add("histogram", np.int32, 0)
        self.walkers = Walkers(Walk)

    def select(self, frontier: Frontier, rng: random.Random) -> Choice:
        number = self.walkers.idle()
        link = self.along_links(self.walkers[number], frontier, rng)
        if link is None:
            link = frontier.best()
        assert link is not None
        self.walkers.send(number)
        return Choice(link, number)

    def arrive(self, seen: Observation, frontier: Frontier) -> None:
        walk = self.walkers.back(seen.walker)
        if seen.visit.fetched:
            frontier.columns["histogram"][seen.link] += 1
            walk.head = seen.link
            walk.sub_links = seen.links.tolist()

    def explain(self, frontier: Frontier, link: int) -> dict[str, float]:
        return super().explain(frontier, link) | {"tried H": float(frontier.columns["histogram"][link])}

    def accepts(self, head: int, link: int, frontier: Frontier, rng: random.Random) -> bool:
        """Whether the walk goes from `head` to `link`. A trial counts once: here, or in `arrive` if accepted."""
        accepted = rng.random() < self.probability(head, link, frontier)
        if not accepted:
            frontier.columns["histogram"][link] += 1
        return accepted

    def probability(self, head: int, link: int, frontier: Frontier) -> float:
        """exp((Ẽ(next) − Ẽ(head)) / k_B T), with Ẽ = E − k H, at most 1."""
        values, histogram = frontier.columns["value"], frontier.columns["histogram"]
        gain = float(values[link] - values[head]) - self.penalty * float(histogram[link] - histogram[head])
        return exp1(min(gain / (BOLTZMANN * self.temperature), 0.0))

    def along_links(self, walk: Walk, frontier: Frontier, rng: random.Random) -> int | None:
        """The first link of the page, in random order, that is accepted."""
        untried = walk.sub_links
        while untried and walk.head is not None:
            place = rng.randrange(len(untried))
            untried[place], untried[-1] = untried[-1], untried[place]
            link = untried.pop()
            if self.may_step(link, frontier) and self.accepts(walk.head, link, frontier, rng):
                return link
        return None

    def may_step(self, link: int, frontier: Frontier) -> bool:
        """Whether a link of the page is one to try: it can be fetched now."""
        return bool(frontier.columns["key"][link] > -np.inf)
