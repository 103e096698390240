"""The context-graph crawler: a classifier estimates how far a page is from a relevant one; nearer pages come first.

Paper: Diligenti et al. 2000, from which SemXDM takes its layers: a classifier for each layer, a queue for each layer
and one for all other pages; the next link comes from the queue of the nearest layer, the likeliest page first.
Differs: the paper builds its graph before the crawl from a search engine's backlinks of the examples. There is none
here: as in SemXDM, the layers are built from the pages of the crawl itself, and rebuilt after every round. Constants
(40 terms, three layers) are conventions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topicrawl.knowledge.bayes import BayesLearner
from topicrawl.knowledge.learner import Learner
from topicrawl.knowledge.settings import Settings
from topicrawl.strategies.cross_reference import CrossReference
from topicrawl.strategies.parameters import parameter


@dataclass
class ContextGraph(CrossReference):
    """Naive Bayes over layers, nearest layer first."""

    learner_class: ClassVar[type[Learner]] = BayesLearner

    relevance: float = parameter(0.75, "likelihood above which an item joins layer 0", low=0.0, high=1.0)
    layers: int = parameter(3, "layers of the context graph", low=1, high=5)
    layer_first: bool = parameter(True, "links of nearer layers before all others")
    ordinary: int = parameter(
        100, "ordinary texts added to the items of the crawl for inverse document frequencies", low=1
    )

    @property
    def settings(self) -> Settings:
        return Settings(
            relevance=self.relevance,
            layers=self.layers,
            item_terms=self.item_terms,
            ordinary=self.ordinary,
            labels=False,
            layer_first=self.layer_first,
            maintenance=False,
        )
