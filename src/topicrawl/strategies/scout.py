"""Scout: learns from its own crawl which words of a link lead to relevant pages, and which to pages that link to them.

Ours. A judge made from example pages tells how relevant a page is; regressions over the words of links (anchor, URL,
heading, neighbourhood) predict the relevance of the page behind a link and what it will show; the outcomes of links
that stand together, and a correction learnt from its own errors, do the rest. docs/scout.md tells it whole.

Paper: none.
Differs: nothing to differ from.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from topicrawl.frontier import PEEKED, Frontier, Ids
from topicrawl.model import Topic
from topicrawl.strategies import Choice, Observation
from topicrawl.strategies.parameters import parameter
from topicrawl.strategies.scouting import Scouting

SEED = 100.0
"""Priority of seeds: no prediction comes near."""
STEP = 5
"""Pages between two looks at all links, at least."""
SPACING = 50
"""And at least so many parts of the crawl: looking costs as much as the crawl is long."""


@dataclass
class Scout:
    """Best predicted link first; predictions are learnt while crawling."""

    topic_model: ClassVar[str] = "pages"

    learn: bool = parameter(True, "correct the weights of features by what came of earlier choices")
    boldness: float = parameter(
        0.5, "how far weights are drawn from what is believed of them, in deviations", low=0.0
    )

    def start(self, topic: Topic, frontier: Frontier, seeds: Ids, rng: random.Random) -> None:
        self.scouting = Scouting(topic, frontier, self.boldness if self.learn else None)
        self._looked = 0
        frontier.prioritise(seeds, np.full(len(seeds), SEED))

    def choose(self, frontier: Frontier, rng: random.Random) -> Choice | None:
        link = frontier.best()
        if link is None:
            return None
        self.scouting.chosen(link)
        return Choice(link)

    def observe(self, seen: Observation, frontier: Frontier, rng: random.Random) -> None:
        page = seen.outcome.page
        if page is None:
            return
        self.scouting.take_in(seen, page, frontier)
        told = self.scouting.told
        if told - self._looked >= max(STEP, told // SPACING):
            self._looked = told
            self.scouting.look(frontier, rng)
            waiting = np.flatnonzero(frontier.columns["state"] <= PEEKED)
        else:
            self.scouting.glance(frontier, seen.links)
            waiting = seen.links
        waiting = waiting[frontier.columns["parent"][waiting] >= 0]  # seeds keep theirs
        frontier.prioritise(waiting, self.scouting.scores(waiting))

    def explain(self, frontier: Frontier, link: int) -> dict[str, float]:
        return self.scouting.explain(link)
