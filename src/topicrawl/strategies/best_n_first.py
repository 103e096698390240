"""Best-N-first: the N links whose pages are most like the query, fetched together; then the frontier is ranked anew.

Paper: the crawler SemXDM is compared with (§4.3); only its name is given there. Cosine of terms and batches of N are
the usual reading. It is SemXDM less labels, layers and learning: the query stays what it was.
Differs: nothing that is published.
"""

from __future__ import annotations

from dataclasses import dataclass

from topicrawl.knowledge.learner import Settings
from topicrawl.strategies.cross_reference import CrossReference

NEVER = 1.0
"""No relevance exceeds it: nothing joins the query."""


@dataclass
class BestNFirst(CrossReference):
    """Likeness to the query alone."""

    @property
    def settings(self) -> Settings:
        return Settings(
            relevance=NEVER,
            layers=1,
            item_terms=self.item_terms,
            ordinary=self.ordinary_texts,
            labels=False,
            maintenance=False,
        )
