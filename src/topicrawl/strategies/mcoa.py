"""MCOA crawler: a weighted sum of the similarities of four texts of each link (VSM), with learned weights.

Paper: the MCOA crawler of SVSM-MCOA §4.1.1; the weights of §3.2.
Differs: the weights are learned before the crawl (`topicrawl weights learn`), as published, or during it
(`weights=exact`, `weights=mcoa`) from the links that led to its first pages. Otherwise they are the mean of those that
the paper prints for its ten topics.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from topicrawl.floats import dot
from topicrawl.frontier import WAITING, Floats, Frontier, Ids
from topicrawl.model import Topic
from topicrawl.strategies import Marked, Observation
from topicrawl.strategies.parameters import parameter
from topicrawl.strategies.text_links import FOUR, TextLinks
from topicrawl.value.page_texts import Similar

PUBLISHED_MEAN = (0.5106, 0.2045, 0.1895, 0.2779)
"""Means of the columns of the paper's Table 3."""
LEARNED = ("exact", "mcoa")


def lambdas(weights: Sequence[float]) -> dict[str, str]:
    """Four weights as parameters of the strategy."""
    return {f"{name}_weight": str(weight) for name, weight in zip(FOUR, weights, strict=True)}


@dataclass
class McoaCrawler(TextLinks):
    """Four learned weights over VSM."""

    full_weight: float = parameter(
        PUBLISHED_MEAN[0], "weight of the containing page's text", symbol="λ1", low=0.0
    )
    anchor_weight: float = parameter(PUBLISHED_MEAN[1], "weight of the anchor", symbol="λ2", low=0.0)
    title_weight: float = parameter(
        PUBLISHED_MEAN[2], "weight of the containing page's title", symbol="λ3", low=0.0
    )
    context_weight: float = parameter(
        PUBLISHED_MEAN[3], "weight of the anchor and the words around it", symbol="λ4", low=0.0
    )
    weights: str = parameter(
        "given",
        "the weights given, or learned from the first pages of the crawl: exactly, or by MCOA",
        choices=("given", *LEARNED),
    )
    training_pages: int = parameter(200, "pages to learn from, if weights are learned in the crawl", low=4)

    @property
    def lambdas(self) -> Floats:
        return np.array([self.full_weight, self.anchor_weight, self.title_weight, self.context_weight])

    def start(self, topic: Topic, frontier: Frontier, seeds: Ids, rng: random.Random) -> None:
        self.samples: list[tuple[float, ...]] = []
        """Similarities of the four texts of fetched links, and of their target pages (Sim_t)."""
        self._pages: list[int] = []
        """The page of each sample."""
        self._similarities: dict[int, float] = {}
        """Sim_t of samples that a person gave another."""
        super().start(topic, frontier, seeds, rng)

    def learn(self, seen: Observation, similar: Similar, frontier: Frontier, rng: random.Random) -> None:
        if self.weights != "given" and len(self.samples) >= self.training_pages:
            return
        target = self.target_similarity(seen, similar)
        if not seen.visit.parent:
            return
        link = frontier.number(seen.visit.asked)
        assert link is not None
        guesses = (float(frontier.columns[name][link]) for name in FOUR)
        self.samples.append((*guesses, target))
        self._pages.append(seen.link)
        if self.weights != "given" and len(self.samples) == self.training_pages:
            self._weigh_anew(frontier, rng)

    def _weigh_anew(self, frontier: Frontier, rng: random.Random) -> None:
        """Learn the weights, and value all waiting links by them."""
        self._set_weights(self._learned(rng))
        waiting = np.flatnonzero(
            (frontier.columns["state"] == WAITING) & np.isfinite(frontier.columns["priority"])
        )
        waiting = waiting[~frontier.seeds(waiting)]
        table = np.column_stack([frontier.columns[name][waiting] for name in FOUR])
        frontier.prioritise(waiting, dot(table.astype(np.float64), self.lambdas))

    @property
    def uses_marks(self) -> bool:
        """Whether weights are learned in the crawl."""
        return self.weights != "given"

    def mark(self, marks: Sequence[Marked], frontier: Frontier, rng: random.Random) -> None:
        """Learn to predict what a person said of pages, instead of their similarity."""
        sampled = {page: place for place, page in enumerate(self._pages)}
        found = {sampled[mark.link]: mark.relevant for mark in marks if mark.link in sampled}
        for place, relevant in found.items():
            similarity = self._similarities.setdefault(place, self.samples[place][-1])
            target = similarity if relevant is None else float(relevant)
            self.samples[place] = (*self.samples[place][:-1], target)
        if found and self.uses_marks and len(self.samples) == self.training_pages:
            self._weigh_anew(frontier, rng)

    def target_similarity(self, seen: Observation, similar: Similar) -> float:
        """Sim_t of Eq. (4), which the weights learn to predict: how similar the page of a link is."""
        return similar.full

    def _learned(self, rng: random.Random) -> tuple[float, ...]:
        from topicrawl.strategies.weights.exact import exact_weights
        from topicrawl.strategies.weights.membranes import Membranes, optimise
        from topicrawl.strategies.weights.samples import Samples

        samples = Samples.of(self.samples)
        if self.weights == "exact":
            return exact_weights(samples)
        return optimise(samples, Membranes(generations=GENERATIONS, seed=rng.getrandbits(32))).weights

    def _set_weights(self, weights: tuple[float, ...]) -> None:
        self.full_weight, self.anchor_weight, self.title_weight, self.context_weight = weights


GENERATIONS = 100
"""Generations of each membrane and round during a crawl: as good as the published 3,000, in a thirtieth of the time."""
