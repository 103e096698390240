"""The value of links in IELP.

Paper: IELP Eq. (5). The threshold r2 belongs to IELP alone (ielp.py): ELP has none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from topicrawl.strategies.parameters import parameter
from topicrawl.strategies.valued import Valued
from topicrawl.value.valuation import Weights

IELP = Weights(
    anchor=0.7, parents=0.2, rank=0.1, threshold=0.12, form="tfidf",
    symbols=("", "R(P_i)", "R(AR_i)", "PR(P_next)", "E(link_i)"),
)  # fmt: skip


@dataclass
class IelpLinks(Valued):
    """A strategy over links valued by E(link_i), without a threshold."""

    anchor_weight: float = parameter(IELP.anchor, "weight of the anchor", symbol="α", low=0.0)
    parents_weight: float = parameter(IELP.parents, "weight of the containing pages", symbol="β", low=0.0)
    rank_weight: float = parameter(IELP.rank, "weight of PageRank", symbol="χ", low=0.0)

    @property
    def weights(self) -> Weights:
        return replace(
            IELP,
            anchor=self.anchor_weight,
            parents=self.parents_weight,
            rank=self.rank_weight,
            threshold=-np.inf,
        )
