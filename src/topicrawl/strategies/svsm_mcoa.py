"""SVSM-MCOA: four texts of each link, compared with the topic's pages by meaning, and weights that were learned.

Paper: SVSM-MCOA §3: the SVSM of Eq. (2)–(3) over Lin's similarity, Eq. (1); the weights of MCOA; Eq. (7).
Differs: as `mcoa`. Without WordNet words are like themselves only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topicrawl.strategies.mcoa import McoaCrawler


@dataclass
class SvsmMcoa(McoaCrawler):
    """Four learned weights over SVSM."""

    measure: ClassVar[str] = "svsm"
