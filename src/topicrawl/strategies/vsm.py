"""VSM crawler: best-first by how similar page and anchor are to the topic's pages, as plain vectors of words.

Paper: the VSM crawler of SVSM-MCOA §4.1.1.
Differs: the paper speaks of four equal weights, and of two texts; here the two have half each.
"""

from __future__ import annotations

from dataclasses import dataclass

from topicrawl.strategies.text_links import TwoTexts


@dataclass
class VsmCrawler(TwoTexts):
    """Equal words count."""
