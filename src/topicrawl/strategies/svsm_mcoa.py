"""SVSM-MCOA: a weighted sum of the semantic similarities of four texts of each link, with learned weights.

Paper: SVSM-MCOA §3: the SVSM of Eq. (2)–(3) over Lin's similarity, Eq. (1); the weights of MCOA; Eq. (7).
Differs: as `mcoa`. Without WordNet a word is similar to itself only. `lengths=words` and `least_alike` are ours:
as published, the measure hardly separates pages about a topic from others (docs/evidence/semantics.md).
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
        "what counts in the length of a text: pairs of similar words, as published; or also words similar to none",
        choices=tuple(MEASURES),
    )
    least_alike: float = parameter(
        0.0, "similarities of words below this count as 0; published: 0", symbol="sem", low=0.0, high=1.0
    )

    def compared_with(self, topic: Topic) -> PageTexts:
        return PageTexts(
            topic,
            MEASURES[self.lengths],
            WordNet.load(),
            least_alike=self.least_alike,
            refresh_every=self.refresh_every,
        )
