"""The state after each round of a crawl: the figures of the paper's plots."""

from __future__ import annotations

from dataclasses import dataclass

from topicrawl.knowledge.maintain import Changes


@dataclass(frozen=True, slots=True)
class Round:
    """One round; 0 is before the first item."""

    number: int
    items: int
    """Items of this round."""
    layers: tuple[int, ...]
    classified: int
    """Labels that the items of this round have, summed."""
    labels: int
    broader: int
    terms: int
    rules: int
    similarity: float
    """Mean cosine of this round's items with the query."""
    harvest: float
    """Share of them above 0.25."""
    changes: Changes
