"""The value of links in FCITS_OH: its weights, its thresholds α and β, and those of its two domains.

Paper: FCITS_OH Eq. (9); k and b are those of BM25.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from topicrawl.strategies.parameters import parameter
from topicrawl.strategies.valued import Valued
from topicrawl.value.valuation import Weights

FCITS = Weights(
    anchor=0.55, parents=0.25, rank=0.2, threshold=0.15, form="bm25",
    symbols=("", "Σ R(p_i)/m", "R(A_l)", "PR(p_l)", "P(l)"),
)  # fmt: skip
DOMAINS = {
    "tourism": {"page_threshold": 0.70, "link_threshold": 0.19},
    "rainstorm": {"page_threshold": 0.62, "link_threshold": 0.15},
}
"""α and β as published for each domain."""


@dataclass
class FcitsLinks(Valued):
    """A strategy over links valued by P(l)."""

    presets: ClassVar[Mapping[str, Mapping[str, Mapping[str, float]]]] = {"domain": DOMAINS}
    """`make_strategy` applies them, because only it knows which values were given explicitly."""

    domain: str = parameter(
        "none", "sets α and β as published for it, where they are not given", choices=("none", *DOMAINS)
    )
    anchor_weight: float = parameter(FCITS.anchor, "weight of the anchor", symbol="r1", low=0.0)
    parents_weight: float = parameter(FCITS.parents, "weight of the containing pages", symbol="r2", low=0.0)
    rank_weight: float = parameter(FCITS.rank, "weight of PageRank", symbol="r3", low=0.0)
    link_threshold: float = parameter(FCITS.threshold, "links must be worth more", symbol="β")
    page_threshold: float = parameter(0.62, "pages above it count as good", symbol="α", low=0.0, high=1.0)
    saturation: float = parameter(FCITS.k, "BM25: how slowly repetitions saturate", symbol="k", low=0.0)
    length_norm: float = parameter(
        FCITS.b, "BM25: how much long pages are discounted", symbol="b", low=0.0, high=1.0
    )

    @property
    def weights(self) -> Weights:
        return replace(
            FCITS,
            anchor=self.anchor_weight,
            parents=self.parents_weight,
            rank=self.rank_weight,
            threshold=self.link_threshold,
            k=self.saturation,
            b=self.length_norm,
        )
