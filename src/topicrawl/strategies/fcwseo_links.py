"""The value of links in FCWSEO: its weights, its threshold τ, and whether R(p_l) is predicted or peeked at.

Paper: FCWSEO §5.4, Eq. (10).
Differs: assumed for FCSA, On-ITS and MOACO too, whose papers were not available.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from topicrawl.strategies.parameters import parameter
from topicrawl.strategies.peeks import Peeking
from topicrawl.value.valuation import Weights

FCWSEO = Weights(
    target=0.3, parents=0.15, anchor=0.35, rank=0.2, threshold=0.2, form="tfidf",
    symbols=("R(p_l)", "Σ R(p_i)/h", "R(a_l)", "PR(p_l)", "E(l)"),
)  # fmt: skip


@dataclass
class FcwseoLinks(Peeking):
    """A strategy over links valued by E(l)."""

    target_weight: float = parameter(FCWSEO.target, "weight of the target page", symbol="λ1", low=0.0)
    parents_weight: float = parameter(FCWSEO.parents, "weight of the containing pages", symbol="λ2", low=0.0)
    anchor_weight: float = parameter(FCWSEO.anchor, "weight of the anchor", symbol="λ3", low=0.0)
    rank_weight: float = parameter(FCWSEO.rank, "weight of PageRank", symbol="λ4", low=0.0)
    link_threshold: float = parameter(FCWSEO.threshold, "links must be worth more", symbol="τ")
    target_relevance: str = parameter(
        "predict", "relevance of a page before it is fetched", choices=("predict", "peek")
    )

    @property
    def weights(self) -> Weights:
        return replace(
            FCWSEO,
            target=self.target_weight,
            parents=self.parents_weight,
            anchor=self.anchor_weight,
            rank=self.rank_weight,
            threshold=self.link_threshold,
        )

    @property
    def peeks(self) -> bool:
        return self.target_relevance == "peek"
