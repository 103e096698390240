"""Optimal priority search, or best-first: always the waiting link of highest priority.

Paper: the OPS rows of FCWSEO, FCITS_OH and IELP, greedy over each paper's own link priority with its threshold.
Differs: `priority=simple` is ours: the anchor's cosine with the topic and the mean relevance of all pages that contain
the link, weighted; no threshold, no PageRank. Seeds have priority 1, so that they come first.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from topicrawl.frontier import Frontier
from topicrawl.strategies import Choice
from topicrawl.strategies.fcits_links import DOMAINS, FCITS
from topicrawl.strategies.fcwseo_links import FCWSEO
from topicrawl.strategies.ielp_links import IELP
from topicrawl.strategies.parameters import parameter
from topicrawl.strategies.peeks import Peeking
from topicrawl.value.valuation import Weights

PUBLISHED = {"fcwseo": FCWSEO, "fcits": FCITS, "ielp": IELP}


@dataclass
class BestFirst(Peeking):
    """Best link first."""

    priority: str = parameter("simple", "how links are valued", choices=("simple", *PUBLISHED))
    anchor_weight: float = parameter(
        0.5,
        "with priority=simple: share of anchor relevance; the rest is the containing pages'",
        low=0.0,
        high=1.0,
    )
    domain: str = parameter(
        "none", "with priority=fcits: sets β as published for it", choices=("none", *DOMAINS)
    )
    target_relevance: str = parameter(
        "predict",
        "with priority=fcwseo: relevance of a page before it is fetched",
        choices=("predict", "peek"),
    )

    @property
    def weights(self) -> Weights:
        simple = Weights(parents=1 - self.anchor_weight, anchor=self.anchor_weight, form="plain")
        weights = PUBLISHED.get(self.priority, simple)
        if self.priority == "fcits" and self.domain in DOMAINS:
            return replace(weights, threshold=DOMAINS[self.domain]["link_threshold"])
        return weights

    @property
    def peeks(self) -> bool:
        return self.priority == "fcwseo" and self.target_relevance == "peek"

    @property
    def in_shards(self) -> bool:
        return self.priority == "simple"

    def select(self, frontier: Frontier, rng: random.Random) -> Choice:
        link = frontier.best()
        assert link is not None
        return Choice(link)
