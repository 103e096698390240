"""Breadth-first search: every link in the order it was found. The baseline that ignores the topic.

Paper: the BFS (BF) rows of all five systems; none of them filters its links.
Differs: nothing. First in, first out equals "least depth first, the one known longest among equals".
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from topicrawl.frontier import Frontier, Ids
from topicrawl.model import Topic
from topicrawl.strategies import Choice, Observation, Strategy


@dataclass
class BreadthFirst(Strategy):
    """First in, first out."""

    def start(self, topic: Topic, frontier: Frontier, seeds: Ids, rng: random.Random) -> None:
        frontier.prioritise(seeds, np.zeros(len(seeds)))

    def choose(self, frontier: Frontier, rng: random.Random) -> Choice | None:
        link = frontier.best()
        return None if link is None else Choice(link)

    def observe(self, seen: Observation, frontier: Frontier, rng: random.Random) -> None:
        if seen.peek:
            self.keep_peeked(seen, frontier)
        self.enter(seen.links, frontier, rng)

    def enter(
        self, links: Ids, frontier: Frontier, rng: random.Random, seen: Observation | None = None
    ) -> None:
        frontier.prioritise(links, -frontier.columns["depth"][links].astype(np.float64))

    @property
    def in_shards(self) -> bool:
        return True

    def explain(self, frontier: Frontier, link: int) -> dict[str, float]:
        return {"depth": float(frontier.columns["depth"][link])}
