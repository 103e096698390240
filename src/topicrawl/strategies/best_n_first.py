"""Best-N-first: fetch the N links on the pages most similar to the query, then rank the frontier again.

Paper: the crawler SemXDM is compared with (§4.3); only its name is given there. Cosine of terms and batches of N are
the usual reading. It is SemXDM without labels, layers and learning: the query does not change.
Differs: nothing that is published.
"""

from __future__ import annotations

from dataclasses import dataclass

from topicrawl.knowledge.settings import Settings
from topicrawl.strategies.cross_reference import CrossReference

NEVER = 1.0
"""A threshold that no relevance exceeds: no page joins the query."""


@dataclass
class BestNFirst(CrossReference):
    """Similarity to the query alone."""

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
