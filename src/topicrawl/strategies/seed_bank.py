"""The seed bank of a web space evolution: the pages whose links are fetched next, and how test links replace them.

Paper: FCWSEO §6.3: S_seed, the two cases of its update.
Differs: P_t is not published. Of equally near seeds the first in the bank is taken.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from topicrawl.frontier.distance import Edges, Hops, Search, hops
from topicrawl.strategies.pareto import Points, dominates, front_of

FARTHER, DOMINATES, DOMINATED, NEITHER = "farther", "dominates", "dominated", "neither"
"""Relation of a test link to its nearest seed: outside the radius; or inside it, by the objectives."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Result of a test link: its nearest seed and the distance, how they compare, and the seed it replaced (if any)."""

    nearest: int
    distance: int
    radius: float
    case: str
    replaced: int | None


@dataclass
class SeedBank:
    """The seeds and their objectives, row by row; `links` keeps its length when a seed is replaced."""

    links: list[int]
    points: Points
    lenience: float
    """P_t."""

    def mean_distance(self, edges: Edges) -> float:
        """d_ave over all pairs; 2, the distance of seeds without links between them, if there is no pair."""
        pairs = np.triu_indices(len(self.links), 1)
        apart = hops(edges, self.links, self.links)[pairs]
        return float(apart.mean()) if len(apart) else 2.0

    def update(
        self, tests: Sequence[int], points: Points, edges: Edges, radius: float, rng: random.Random
    ) -> dict[int, Trial]:
        """Try test links one after the other.

        One search starts from all seeds and all tests together, because a test may be a seed when the next is tried;
        it stops at the nearest seed.
        """
        sources = list(dict.fromkeys((*self.links, *tests)))
        row = {link: number for number, link in enumerate(sources)}
        search = Search(edges, sources, tests)
        trials = {}
        for number, test in enumerate(tests):
            if test not in self.links:
                apart = search.to(number, [row[link] for link in self.links])
                trials[test] = self._try(test, points[number], apart, radius, rng)
        return trials

    def _try(self, test: int, point: Points, apart: Hops, radius: float, rng: random.Random) -> Trial:
        near = int(apart.argmin())
        nearest, distance = self.links[near], int(apart[near])
        case = self._compare(point, near, distance, radius)
        place = self._place(case, near, rng)
        replaced = None if place is None else self.links[place]
        if place is not None:
            self.links[place], self.points[place] = test, point
        return Trial(nearest, distance, radius, case, replaced)

    def _compare(self, point: Points, near: int, distance: int, radius: float) -> str:
        if distance > radius:
            return FARTHER
        if dominates(point, self.points[near]):
            return DOMINATES
        return DOMINATED if dominates(self.points[near], point) else NEITHER

    def _place(self, case: str, near: int, rng: random.Random) -> int | None:
        """The place in the bank that the test link takes, if any."""
        if case == FARTHER:
            fronts = front_of(self.points)
            return rng.choice(np.flatnonzero(fronts == fronts.max()).tolist())
        if case == DOMINATES:
            return near
        return near if rng.random() < (self.lenience if case == DOMINATED else 0.5) else None
