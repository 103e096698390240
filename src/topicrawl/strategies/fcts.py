"""Tabu search: from each page to its best link that is not tabu, even if it is worse.

The baseline of FCITS_OH's improved search. It never goes back: when a page has links above the threshold it follows
the best of them, even if that is worse than the current position.

Paper: FCITS_OH §4.1, §4.4 (traditional tabu search) and §5.3 (FCTS), links valued by Eq. (9).
Differs: links not fetched yet come before those that were; where a page has no such link, the best link of the queue
is taken. The rest as in tabu.py.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import ClassVar

from topicrawl.frontier import Frontier
from topicrawl.strategies import Choice
from topicrawl.strategies.fcits_links import FcitsLinks
from topicrawl.strategies.tabu import TabuSearch, highest


@dataclass
class Fcts(TabuSearch, FcitsLinks):
    """Focused crawler with tabu search."""

    topic_model: ClassVar[str] = "words"

    def step(self, frontier: Frontier, position: int, rng: random.Random) -> int:
        links = self.links_on(frontier, [self.page_behind(position)])
        link = highest(frontier, links)
        if link is None or (self.best is not None and not self.is_better(frontier, link, self.best)):
            link = self.best_free(frontier, links)
        if link is None:
            link = self.jump(frontier)
        self.tabu.add(link)
        return link

    def follow(self, choice: Choice, frontier: Frontier) -> None:
        super().follow(choice, frontier)
        self.tabu.add(choice.link)
