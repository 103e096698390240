"""SVSM-MCOA: four texts of each link, compared with the topic's pages by meaning, and weights that were learned.

Paper: SVSM-MCOA §3: the SVSM of Eq. (2)–(3) over Lin's similarity, Eq. (1); the weights of MCOA; Eq. (7).
Differs: as `mcoa`. Without WordNet words are like themselves only. `lengths=words` and `least_alike` are ours: as
published, the measure hardly tells pages about a topic from others (docs/evidence/semantics.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topicrawl.model import Topic
from topicrawl.strategies.mcoa import McoaCrawler
from topicrawl.strategies.parameters import parameter
from topicrawl.topic.wordnet import WordNet
from topicrawl.value.page_texts import PageTexts

MEASURES = {"pairs": "svsm", "words": "whole svsm"}


@dataclass
class SvsmMcoa(McoaCrawler):
    """Four learned weights over SVSM."""

    uses_wordnet: ClassVar[bool] = True

    lengths: str = parameter(
        "pairs",
        "what lengthens a text: pairs of alike words, as published; or also words like no other",
        choices=tuple(MEASURES),
    )
    least_alike: float = parameter(
        0.0, "words less alike than this count as not alike; published: 0", symbol="sem", low=0.0, high=1.0
    )

    def compared_with(self, topic: Topic) -> PageTexts:
        return PageTexts(
            topic,
            MEASURES[self.lengths],
            WordNet.load(),
            least_alike=self.least_alike,
            refresh_every=self.refresh_every,
        )
