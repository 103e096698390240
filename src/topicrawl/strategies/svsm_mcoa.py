"""SVSM-MCOA: a weighted sum of the semantic similarities of four texts of each link, with learned weights.

Paper: SVSM-MCOA §3: the SVSM of Eq. (2)–(3) over Lin's similarity, Eq. (1); the weights of MCOA; Eq. (7).
Differs: as `mcoa`. By which measure Sim_t of Eq. (4) is taken is not published: `target`. Without WordNet a word is
similar to itself only. `lengths=words` and `least_alike` are ours: as published, the measure hardly separates pages
about a topic from others (docs/evidence/semantics.md).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import ClassVar

from topicrawl.frontier import Frontier, Ids
from topicrawl.model import Topic
from topicrawl.strategies import Observation
from topicrawl.strategies.mcoa import McoaCrawler
from topicrawl.strategies.parameters import parameter
from topicrawl.topic.wordnet import WordNet
from topicrawl.value.page_texts import PageTexts, Similar

TARGETS = ("own", "vsm")
MEASURES = {"pairs": "svsm", "words": "whole svsm"}


@dataclass
class SvsmMcoa(McoaCrawler):
    """Four learned weights over SVSM."""

    uses_wordnet: ClassVar[bool] = True

    lengths: str = parameter(
        "pairs",
        "what counts in the length of a text: pairs of similar words, as published; or also words similar to none",
        choices=tuple(MEASURES),
    )
    least_alike: float = parameter(
        0.0, "similarities of words below this count as 0; published: 0", symbol="sem", low=0.0, high=1.0
    )

    target: str = parameter(
        "own",
        "measure of the pages that the weights learn to predict: SVSM as here, or VSM, by which the paper judges pages",
        symbol="Sim_t",
        choices=TARGETS,
    )

    def start(self, topic: Topic, frontier: Frontier, seeds: Ids, rng: random.Random) -> None:
        self._vsm = None
        """The measure of Sim_t, where it is VSM."""
        if self.target == "vsm":
            self._vsm = PageTexts(topic, "vsm", refresh_every=self.refresh_every)
        super().start(topic, frontier, seeds, rng)

    def target_similarity(self, seen: Observation, similar: Similar) -> float:
        page = seen.outcome.page
        if self._vsm is None or page is None:
            return similar.full
        return self._vsm.observe(page, ()).full

    def compared_with(self, topic: Topic) -> PageTexts:
        return PageTexts(
            topic,
            MEASURES[self.lengths],
            WordNet.load(),
            least_alike=self.least_alike,
            refresh_every=self.refresh_every,
        )
