"""Association rules between two terms, from the documents they occur in.

Paper: Agrawal and Srikant 1994 (Apriori): a set of terms is frequent only if all its subsets are.
Differs: an edge of an ontology joins two concepts, so the search ends with pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from topicrawl.topic.fca.context import Context


class Rule(NamedTuple):
    """Documents that have `first` mostly have `then`: `confidence` of them do."""

    first: str
    then: str
    support: int
    """Documents that have both."""
    confidence: float


def rules(context: Context, support: int, confidence: float) -> list[Rule]:
    """All rules with at least this support and confidence, the surest first; of a pair the surer direction only."""
    frequent = [
        (term, extent)
        for term, extent in zip(context.terms, context.columns, strict=True)
        if extent.bit_count() >= support
    ]
    found = (rule for pair in combinations(frequent, 2) for rule in _of_pair(*pair, support))
    kept = (rule for rule in found if rule.confidence >= confidence)
    return sorted(kept, key=lambda rule: (-rule.confidence, -rule.support, rule.first, rule.then))


def _of_pair(one: tuple[str, int], other: tuple[str, int], support: int) -> Iterator[Rule]:
    both = (one[1] & other[1]).bit_count()
    if both >= support:
        rarer, commoner = sorted((one, other), key=lambda term: term[1].bit_count())
        yield Rule(rarer[0], commoner[0], both, both / rarer[1].bit_count())
