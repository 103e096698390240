"""Web space evolution with words: FCWSEO without its ontology, to measure what that contributes.

Paper: FCWSEO §7.2, Table 4.
Differs: as wse.py. How the paper weighed its words is not published; here the topic has the weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topicrawl.strategies.wse import WebSpaceEvolution


@dataclass
class Fcwse(WebSpaceEvolution):
    """Web space evolution without an ontology."""

    topic_model: ClassVar[str] = "words"
