"""SSRM crawler: best-first by the mean semantic similarity of page and anchor words to the topic's pages.

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
    """SSRM similarity of full text and anchor."""

    uses_wordnet: ClassVar[bool] = True

    def compared_with(self, topic: Topic) -> PageTexts:
        return PageTexts(topic, "ssrm", WordNet.load(), refresh_every=self.refresh_every)
