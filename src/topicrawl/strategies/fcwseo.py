"""Web space evolution with an ontology: the best links found replace the seeds, judged by four objectives at once.

Paper: FCWSEO, Algorithm 1; wse.py is the search.
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
