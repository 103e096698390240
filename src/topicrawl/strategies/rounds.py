"""Base class of strategies that crawl in rounds: links are planned, fetched together, and after the last page the next
round is planned.

A strategy sets `plan` (links to fetch, in order) and implements `turn`, which is called when nothing planned can be
fetched and no page is in flight: after the last page of a round, or later if the rest of the round was taken away. The
first round is the seeds. With one fetch in flight the order is the plan's; with more, a round is fetched in parallel,
and a round's plan never depends on which page came first.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from topicrawl.frontier import Frontier, Ids
from topicrawl.strategies import Choice, Observation
from topicrawl.strategies.fcwseo_links import FcwseoLinks


@dataclass
class Rounds(FcwseoLinks):
    """A crawl in rounds over FCWSEO's links."""

    def begin(self, frontier: Frontier) -> None:
        self.seeds: Ids = np.arange(len(frontier))
        self.plan: Ids = self.seeds

    def turn(self, frontier: Frontier, rng: random.Random) -> bool:
        """Plan the next round; False when nothing is left."""
        raise NotImplementedError

    def offers(self, frontier: Frontier) -> bool:
        """Whether a link of this round can be fetched now."""
        return bool(frontier.choosable(self.plan).any())

    def planned(self, frontier: Frontier) -> int:
        """The first link of the plan that can be fetched now."""
        return int(self.plan[frontier.choosable(self.plan).argmax()])

    def fall_back(self, frontier: Frontier, most: int) -> bool:
        """Plan the best remaining links, those above the threshold first; for when the last round leads to none."""
        if self.discarded == "never":
            return False
        if frontier.best() is None and not self._take_back(frontier):
            return False
        keys = frontier.columns["key"]
        left = np.flatnonzero(keys > -np.inf)
        self.plan = left[np.argsort(-keys[left], kind="stable")[:most]]
        return True

    def observe(self, seen: Observation, frontier: Frontier, rng: random.Random) -> int | None:
        selected = super().observe(seen, frontier, rng)
        if not self.peeks and not self._in_flight and not self.offers(frontier):
            self.turn(frontier, rng)
        return selected

    def enter(
        self, links: Ids, frontier: Frontier, rng: random.Random, seen: Observation | None = None
    ) -> None:
        super().enter(links, frontier, rng, seen)
        seeds = links[frontier.seeds(links)]
        self.seeds = np.union1d(self.seeds, seeds)
        self.plan = np.concatenate((self.plan, seeds))

    def _select(self, frontier: Frontier, rng: random.Random) -> Choice | None:
        if self.offers(frontier) or (self.is_idle(frontier) and self.turn(frontier, rng)):
            return self.select(frontier, rng)
        return None
