"""Web space evolution with an ontology as the topic: wse.py is the search.

Paper: FCWSEO, Algorithm 1.
Differs: as wse.py. The ontology is in the weights of the topic, so the strategy itself is `fcwse`'s.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topicrawl.strategies.wse import WebSpaceEvolution


@dataclass
class Fcwseo(WebSpaceEvolution):
    """Web space evolution and ontology."""

    topic_model: ClassVar[str] = "ontology"
