"""Improved energy landscape paving: uphill always, downhill sometimes, and only links worth something.

Paper: IELP §3.2, Steps 1–10: (i) a link of higher value than the page at hand is accepted unconditionally, (ii) H
of a link changes only when it is accepted, (iii) links at or below r2 are discarded.
Differs: as ELP. A page is fetched once, so H is 1 for the page at hand and 0 for the links drawn, and the penalty
favours the step: exp(k / k_B T) times. Links discarded are taken, best first, when no other waits
(`discarded=never`: the end).
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from topicrawl.frontier import Frontier
from topicrawl.relevance.valuation import Weights
from topicrawl.strategies.elp import EnergyLandscapePaving
from topicrawl.strategies.parameters import parameter
from topicrawl.strategies.valued import IELP


@dataclass
class ImprovedEnergyLandscapePaving(EnergyLandscapePaving):
    """IELP."""

    link_threshold: float = parameter(IELP.threshold, "links must be worth more", symbol="r2", where="§4")

    @property
    def weights(self) -> Weights:
        return replace(super().weights, threshold=self.link_threshold)

    def accepts(self, head: int, link: int, frontier: Frontier, rng: random.Random) -> bool:
        values = frontier.columns["value"]
        if values[link] > values[head]:  # Step 8
            return True
        return rng.random() < self.probability(head, link, frontier)  # Step 9
