"""Optimal priority search, or best-first: always the waiting link of highest priority.

Paper: the OPS rows of FCWSEO, FCITS_OH and IELP, greedy over each paper's own link priority.
Differs: `priority=simple` is ours: the anchor's cosine with the topic and the mean relevance of all pages that contain
the link, weighted; no threshold, no PageRank. Seeds have priority 1, so that they come first.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from topicrawl.frontier import Floats, Frontier, Ids
from topicrawl.model import Topic
from topicrawl.strategies import Choice, Observation
from topicrawl.strategies.parameters import parameter


@dataclass
class BestFirst:
    """Best link first."""

    priority: str = parameter("simple", "how links are valued", choices=("simple",))
    anchor_weight: float = parameter(
        0.5, "share of anchor relevance in the priority; the rest is the containing pages'", low=0.0, high=1.0
    )

    def start(self, topic: Topic, frontier: Frontier, seeds: Ids, rng: random.Random) -> None:
        frontier.prioritise(seeds, np.ones(len(seeds)))

    def choose(self, frontier: Frontier, rng: random.Random) -> Choice | None:
        link = frontier.best()
        return None if link is None else Choice(link)

    def observe(self, seen: Observation, frontier: Frontier, rng: random.Random) -> None:
        links = seen.links[frontier.columns["parent"][seen.links] >= 0]  # seeds keep theirs
        frontier.prioritise(links, self._value(frontier, links))

    def explain(self, frontier: Frontier, link: int) -> dict[str, float]:
        one = np.array([link])
        return {
            "anchor relevance": float(frontier.columns["anchor"][link]),
            "mean relevance of containing pages": float(frontier.parents_mean(one)[0]),
            "containing pages": float(frontier.columns["parents_count"][link]),
        }

    def _value(self, frontier: Frontier, links: Ids) -> Floats:
        anchor = frontier.columns["anchor"][links].astype(np.float64)
        value: Floats = self.anchor_weight * anchor + (1 - self.anchor_weight) * frontier.parents_mean(links)
        return value
