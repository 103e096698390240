"""Improved tabu search over a topic of weighted words.

Paper: FCITS_OH §4.6 and §5.3 (FCITS): Algorithm A1 without ontology and host memory; links by Eq. (9).
Differs: see its.py and tabu.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topicrawl.strategies.fcits_links import FcitsLinks
from topicrawl.strategies.its import ImprovedTabuSearch


@dataclass
class Fcits(ImprovedTabuSearch, FcitsLinks):
    """Focused crawler with improved tabu search."""

    topic_model: ClassVar[str] = "words"
