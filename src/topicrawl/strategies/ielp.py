"""Improved energy landscape paving: better links always, worse links sometimes, and only links above a threshold.

Paper: IELP §3.2, Steps 1–10: (i) a link of higher value than the current page is accepted unconditionally, (ii) H
of a link changes only when it is accepted, (iii) links at or below r2 are discarded.
Differs: as ELP. A page is fetched once, so H is 1 for the current page and 0 for the links drawn, and the penalty
favours the step by a factor exp(k / k_B T). With `allow_revisit` fetched links are drawn too: the walk moves to an
accepted one without a fetch, its H increases, and the penalty drives the walk away from pages visited often. Discarded
links are taken, best first, when no other waits (`discarded=never`: the crawl ends).
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import ClassVar

from topicrawl.frontier import VISITED, Frontier
from topicrawl.strategies.elp import EnergyLandscapePaving, Walk
from topicrawl.strategies.ielp_links import IELP
from topicrawl.strategies.parameters import parameter
from topicrawl.value.valuation import Weights

MOVES = 50
"""Fetched pages revisited before one choice, at most; then the best link of the queue is taken."""


@dataclass
class ImprovedEnergyLandscapePaving(EnergyLandscapePaving):
    """IELP."""

    behaviour: ClassVar[int] = 1
    allow_revisit: bool = parameter(default=False, help="whether the walk may return to a fetched page")
    link_threshold: float = parameter(IELP.threshold, "links must be worth more", symbol="r2", where="§4")

    @property
    def weights(self) -> Weights:
        return replace(super().weights, threshold=self.link_threshold)

    def along_links(self, walk: Walk, frontier: Frontier, rng: random.Random) -> int | None:
        """The first accepted link that is not fetched yet; with `allow_revisit` the walk passes over fetched pages."""
        for _ in range(MOVES):
            link = super().along_links(walk, frontier, rng)
            if link is None or frontier.columns["state"][link] != VISITED:
                return link
            frontier.columns["histogram"][link] += 1
            walk.head, walk.sub_links = link, frontier.graph.targets(link).tolist()
        return None

    def may_step(self, link: int, frontier: Frontier) -> bool:
        columns = frontier.columns
        again = self.allow_revisit and columns["state"][link] == VISITED
        return super().may_step(link, frontier) or bool(
            again and columns["value"][link] > self.link_threshold
        )

    def accepts(self, head: int, link: int, frontier: Frontier, rng: random.Random) -> bool:
        values = frontier.columns["value"]
        if values[link] > values[head]:  # Step 8
            return True
        return rng.random() < self.probability(head, link, frontier)  # Step 9
