"""A strategy that chooses at random: its logs hold choices that no other strategy would make."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from topicrawl.frontier import PEEKED, WAITING, Frontier, Ids
from topicrawl.model import Topic
from topicrawl.strategies import Choice, Observation, Strategy

WALKERS = 12


@dataclass
class Wanderer(Strategy):
    """Any choosable link, any walker; it peeks at some, and accepts some of those that it peeked at."""

    peeks: float = 0.3

    def start(self, topic: Topic, frontier: Frontier, seeds: Ids, rng: random.Random) -> None:
        frontier.prioritise(seeds, np.ones(len(seeds)))

    def choose(self, frontier: Frontier, rng: random.Random) -> Choice | None:
        links = np.flatnonzero(frontier.columns["key"] > -np.inf).tolist()
        if not links:
            return None
        link = rng.choice(links)
        new = frontier.columns["state"][link] == WAITING
        return Choice(link, rng.randrange(WALKERS), peek=bool(new and rng.random() < self.peeks))

    def observe(self, seen: Observation, frontier: Frontier, rng: random.Random) -> int | None:
        if seen.peek:
            self.keep_peeked(seen, frontier)
        frontier.prioritise(seen.links, np.array([rng.random() for _ in seen.links]))
        peeked = np.flatnonzero(frontier.columns["state"] == PEEKED).tolist()
        return rng.choice(peeked) if peeked and rng.random() < 0.5 else None

    def explain(self, frontier: Frontier, link: int) -> dict[str, float]:
        return {"priority": float(frontier.columns["priority"][link])}
