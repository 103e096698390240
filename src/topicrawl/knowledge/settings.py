"""Settings of a learner: how items are described, what counts in their scores, and how the model is learned."""

from __future__ import annotations

from dataclasses import dataclass, field

from topicrawl.knowledge.idf import ORDINARY
from topicrawl.knowledge.thresholds import Thresholds


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a learner."""

    relevance: float = 0.5
    """θ: items above it join layer 0."""
    layers: int = 3
    item_terms: int = 30
    """Words that describe an item, at most."""
    phrases: int = 0
    """Phrases that describe an item besides, at most."""
    mentions: int = 0
    """Times that an item says a label, at least, to be given it by a rule; 0: a rule suffices."""
    ordinary: int = ORDINARY
    """Virtual ordinary texts added to the items for idf."""
    labels: bool = True
    """Whether labels count in scores."""
    proof: float = 0.0
    """Share of a label's items that must be as similar to layer 0 as a harvested one for the label to count."""
    layer_discount: float = 1.0
    """Factor on the similarity to a layer, for each step further out."""
    layer_first: bool = False
    """Whether links of a nearer layer always come before those of one further out, as in Diligenti et al."""
    maintenance: bool = True
    """Whether the model is updated during the crawl."""
    window: int | None = None
    thresholds: Thresholds = field(default_factory=Thresholds)
