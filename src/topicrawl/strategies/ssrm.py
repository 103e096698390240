"""SSRM crawler: best-first by how alike the words of page and anchor are, on average, to those of the topic's pages.

Paper: the SSRM crawler of SVSM-MCOA §4.1.1.
Differs: as VSM; the measure itself is reconstructed (value/measures.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topicrawl.model import Topic
from topicrawl.strategies.text_links import TwoTexts
from topicrawl.topic.wordnet import WordNet
from topicrawl.value.page_texts import PageTexts


@dataclass
class SsrmCrawler(TwoTexts):
    """Words count as much as they are alike."""

    uses_wordnet: ClassVar[bool] = True

    def compared_with(self, topic: Topic) -> PageTexts:
        return PageTexts(topic, "ssrm", WordNet.load(), refresh_every=self.refresh_every)
