"""Which label is broader than which, by subsumption: nearly every item of the narrower one has the broader one too.

Paper: Semantic HMC builds a label hierarchy from the conditional proportions of terms; the formula follows the
subsumption method of Sanderson and Croft. A broader term describes more items than a narrower one, so there is no
cycle.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from topicrawl.knowledge.cooccurrence import Cooccurrence

Pair = tuple[int, int]
"""Broader, narrower."""
Relation = npt.NDArray[np.bool_]


def subsumes(counts: Cooccurrence, terms: Sequence[int], threshold: float) -> Relation:
    """[i, j]: terms[i] is broader than terms[j]."""
    if not terms:
        return np.zeros((0, 0), dtype=bool)
    share = np.stack([counts.proportion(x, terms) for x in terms])  # P(x|y)
    return (share >= threshold) & (threshold > share.T)


def reduced(relation: Relation) -> Relation:
    """The relation without the pairs that follow from others."""
    closure = closed(relation).astype(np.float32)
    longer: Relation = relation.astype(np.float32) @ closure > 0
    return relation & ~longer


def closed(relation: Relation) -> Relation:
    """The transitive closure of an acyclic relation."""
    closure = relation
    while True:
        step = closure.astype(np.float32)
        further: Relation = closure | (step @ step > 0)
        if (further == closure).all():
            return closure
        closure = further


def broader_pairs(counts: Cooccurrence, terms: Sequence[int], threshold: float) -> frozenset[Pair]:
    """The hierarchy of `terms`, reduced to its direct pairs."""
    direct = reduced(subsumes(counts, terms, threshold))
    return frozenset((terms[x], terms[y]) for x, y in np.argwhere(direct).tolist())


def above(pairs: Iterable[Pair]) -> dict[int, set[int]]:
    """The direct parents of each label that has any."""
    parents: dict[int, set[int]] = {}
    for broad, narrow in pairs:
        parents.setdefault(narrow, set()).add(broad)
    return parents
