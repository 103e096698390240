"""SemXDM: cross-references items along a context graph, with a classifier that learns its labels while it crawls.

A link is worth as much as the best item that contains it. An item is worth its largest similarity, by terms and
labels, to the relevant items (layer 0), to those that link to relevant ones (layer 1), or to those that link to these
(layer 2). Items sufficiently similar to layer 0 join it, so the search continues from what it found.

Paper: Hassan, Cruz and Bertaux 2017, §3 and §4: relevance score (1)–(3), three layers, θ = 0.5, rounds of 2,000.
Differs: thresholds of the classifier are not published (see knowledge/thresholds.py). Phrases are terms for labels,
not for similarity. A rule gives a label only to an item that mentions it (`mentions`). A label counts in scores when
half of its items proved similar to layer 0 by their terms (`proof`). A layer's vector is the mean of its members'
vectors. θ is compared with layer 0 as it grows (§3.5), not with the initial item (§4.2.1); items stay in it. The
query's own page is no item; its out-links count from when it is fetched. A link's priority is the best item's score; of
equal ones the nearer layer's comes first, then the link known longer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topicrawl.knowledge.phrases import PHRASES
from topicrawl.knowledge.settings import Settings
from topicrawl.knowledge.thresholds import Thresholds
from topicrawl.strategies.cross_reference import CrossReference
from topicrawl.strategies.parameters import parameter


@dataclass
class SemXdm(CrossReference):
    """Terms, labels, layers."""

    behaviour: ClassVar[int] = 4

    relevance: float = parameter(
        0.5, "items above it join layer 0", symbol="θ", where="§4.2.1", low=0.0, high=1.0
    )
    layers: int = parameter(
        3, "layers of the context graph; 1: similarity to relevant items only", low=1, high=5
    )
    layer_first: bool = parameter(
        False, "links of nearer layers before all others, as in Diligenti's context graph"
    )
    layer_discount: float = parameter(
        0.5, "factor on the similarity to a layer, for each step further out", low=0.0, high=1.0
    )
    labels: bool = parameter(True, "whether labels count in the score")
    proof: float = parameter(
        0.5,
        "share of a label's items that must be similar by terms for it to count; 0: each counts",
        low=0.0,
        high=1.0,
    )
    maintenance: bool = parameter(True, "whether the classifier keeps learning during the crawl")
    phrases: int = parameter(
        PHRASES, "phrases that describe an item, at most; they count for labels, not for similarity", low=0
    )
    window: int = parameter(0, "number of latest items that the classifier learns from; 0: all", low=0)
    alpha: float = parameter(
        0.8, "P(label | term) from which a term gives a label", symbol="α", low=0.0, high=1.0
    )
    beta: float = parameter(
        0.5, "P(label | term) from which a term counts towards it", symbol="β", low=0.0, high=1.0
    )
    broader: float = parameter(
        0.8, "P(x | y) from which x is broader than y", symbol="t_t", low=0.0, high=1.0
    )
    mentions: int = parameter(
        6, "times an item must say a label, at least, that a rule gives it; 0: the rule suffices", low=0
    )
    own_term: bool = parameter(True, "whether a label is given by its own term too, not only by rules")
    most_labels: int = parameter(200, "labels, at most", low=0)

    @property
    def settings(self) -> Settings:
        return Settings(
            relevance=self.relevance,
            layers=self.layers,
            item_terms=self.item_terms,
            phrases=self.phrases,
            mentions=self.mentions,
            ordinary=self.ordinary_texts,
            labels=self.labels,
            proof=self.proof,
            layer_first=self.layer_first,
            layer_discount=self.layer_discount,
            maintenance=self.maintenance,
            window=self.window or None,
            thresholds=Thresholds(
                alpha=self.alpha,
                beta=min(self.beta, self.alpha),
                broader=self.broader,
                labels=self.most_labels,
                own_term=self.own_term,
                mentioned=self.mentions > 0,
            ),
        )
