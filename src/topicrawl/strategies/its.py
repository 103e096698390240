"""The improved tabu search: try random better links; if none is accepted, take the best link on the pages with Plink.

    draw up to five of C(Plink), one after the other; accept the first
        that is tabu and better than Hlink (it is released), or
        that is not tabu and better than Plink
    if none was accepted: Plink becomes tabu, and the search continues at the best link of E(Plink) that is not

E(Plink) are the links above the threshold on the pages where Plink was found, without Plink; those not fetched yet
come first. Where E(Plink) is empty the best link of the queue is taken.

Paper: FCITS_OH §4.3–4.6, Algorithm A1 (reconstructed).
Aspiration, the first case, hardly ever happens: a tabu link was Plink once and Hlink is the best Plink, so its value
would have to rise in the meantime (docs/strategies/fcits.md).
Differs: fewer than five candidates are all tried. Of the pages that contain Plink only the latest ten are used.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from topicrawl.frontier import Frontier
from topicrawl.frontier.graph import Numbers
from topicrawl.strategies.parameters import parameter
from topicrawl.strategies.tabu import TabuSearch

FOUND_ON = 10
"""Pages containing Plink that E(Plink) is made from."""


@dataclass
class ImprovedTabuSearch(TabuSearch):
    """ITS(Q_wait)."""

    tries: int = parameter(5, "candidates tried before Plink becomes tabu", where="§4.5", low=1)

    def step(self, frontier: Frontier, position: int, rng: random.Random) -> int:
        accepted = self.uphill(frontier, position, rng)
        if accepted is not None:
            return accepted
        found = self.best_free(frontier, self.extended(frontier, position))
        self.tabu.add(position)
        return self.jump(frontier) if found is None else found

    def uphill(self, frontier: Frontier, position: int, rng: random.Random) -> int | None:
        """A candidate of C(Plink) that is accepted, or None."""
        candidates = self.links_on(frontier, [self.page_behind(position)]).tolist()
        for link in rng.sample(candidates, min(self.tries, len(candidates))):
            if link in self.tabu:
                if self.best is not None and self.is_better(frontier, link, self.best):
                    self.tabu.release(link)
                    return int(link)
            elif self.is_better(frontier, link, position):
                return int(link)
        return None

    def extended(self, frontier: Frontier, position: int) -> Numbers:
        """E(Plink)."""
        links = self.links_on(frontier, frontier.graph.sources(position, FOUND_ON))
        others: Numbers = links[links != position]
        return others
