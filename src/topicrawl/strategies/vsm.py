"""VSM crawler: best-first by the cosine similarity (TF*IDF) of page and anchor to the topic's pages.

Paper: the VSM crawler of SVSM-MCOA §4.1.1.
Differs: the paper mentions both four equal weights and two texts; here two texts have half each.
"""

from __future__ import annotations

from dataclasses import dataclass

from topicrawl.strategies.text_links import TwoTexts


@dataclass
class VsmCrawler(TwoTexts):
    """Cosine similarity of full text and anchor."""
