"""The lattice: concepts and their covering relation.

One concept covers another when it is larger and none lies between. Adding a term to an intent leads to the concept of
those documents that also have it; that concept is covered exactly when each of its additional terms leads to it. So
counting terms decides, without comparing concepts.

Source: L. Nourine and O. Raynaud, A fast algorithm for building lattices (1999).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from topicrawl.topic.fca.concepts import LIMIT, enumerate_concepts
from topicrawl.topic.fca.context import Context, FormalConcept


@dataclass(frozen=True, slots=True)
class Lattice:
    """Concepts in the order of `enumerate_concepts`; `upper[i]` are the numbers of those that cover concept i.

    The covers of a concept come before it. Where `support` is above 0 this is an iceberg, without the concepts of
    fewer documents.
    """

    context: Context
    concepts: tuple[FormalConcept, ...]
    upper: tuple[tuple[int, ...], ...]
    support: int = 0

    @property
    def cut(self) -> bool:
        """Whether concepts are missing."""
        return self.support > 0

    @property
    def notice(self) -> str:
        """A message for the user where concepts are missing; else empty."""
        if not self.cut:
            return ""
        kept = f"the {len(self.concepts):,} with at least {self.support:,} documents"
        return f"the lattice has too many concepts to list; kept are {kept}"

    def iceberg(self, limit: int) -> Lattice:
        """The iceberg of at most `limit` (1 or more) concepts, with the smallest support that allows."""
        assert limit >= 1
        if len(self.concepts) <= limit:
            return self
        support = self.concepts[limit].extent.bit_count() + 1
        kept = sum(concept.extent.bit_count() >= support for concept in self.concepts[:limit])
        return Lattice(self.context, self.concepts[:kept], self.upper[:kept], support)


def build_lattice(context: Context, limit: int = LIMIT) -> Lattice:
    """The lattice of `context`, or its largest iceberg of at most `limit` concepts."""
    concepts = enumerate_concepts(context, limit)
    return Lattice(context, concepts.found, upper_covers(context, concepts.found), concepts.support)


def upper_covers(context: Context, concepts: Sequence[FormalConcept]) -> tuple[tuple[int, ...], ...]:
    """For each concept the numbers of those that cover it; `concepts` are a whole lattice or an iceberg."""
    number = {concept.extent: n for n, concept in enumerate(concepts)}
    upper: list[list[int]] = [[] for _ in concepts]
    for above, (extent, intent) in enumerate(concepts):
        leading_to = Counter(map(extent.__and__, context.columns))
        del leading_to[extent]
        for smaller, terms in leading_to.items():
            below = number.get(smaller)
            if below is not None and terms == (concepts[below].intent & ~intent).bit_count():
                upper[below].append(above)
    return tuple(map(tuple, upper))
