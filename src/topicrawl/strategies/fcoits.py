"""Improved tabu search over a topic whose weights come from an ontology.

Paper: FCITS_OH §4.7, Algorithm A2 (reconstructed).
Differs: the search is `fcits`; the ontology only sets the weights of the topic (`topicrawl topic`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topicrawl.strategies.fcits import Fcits


@dataclass
class Fcoits(Fcits):
    """Focused crawler with ontology and improved tabu search."""

    topic_model: ClassVar[str] = "ontology"
