"""A multi-objective ant colony with an ontology learned from documents.

Paper: the baseline OLMOACO of FCITS_OH (2022); moaco.py is the search.
Differs: as moaco.py. Of its ontology only one line is published: formal concept analysis, LDA, Apriori, and manual
cleaning. Ours is topic/learned.py, without manual cleaning.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topicrawl.strategies.moaco import AntColony


@dataclass
class LearnedAntColony(AntColony):
    """MOACO over a learned ontology."""

    topic_model: ClassVar[str] = "learned"
