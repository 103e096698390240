"""SSRM crawler: best-first by how alike the words of page and anchor are, on average, to those of the topic's pages.

Paper: the SSRM crawler of SVSM-MCOA §4.1.1.
Differs: as VSM; the measure itself is reconstructed (relevance/measures.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topicrawl.strategies.text_links import TwoTexts


@dataclass
class SsrmCrawler(TwoTexts):
    """Words count as much as they are alike."""

    measure: ClassVar[str] = "ssrm"
