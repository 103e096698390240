"""All concepts of a context by Close-by-One, those with the most documents first.

Every extent is an intersection of the terms' extents. Close-by-One adds terms to an intent in their order and
drops a concept when closing it brought in an earlier term: that concept comes from elsewhere, so each is found
exactly once and none has to be remembered.

Concepts are taken up in order of falling support (number of documents). Adding a term only loses documents, so a
concept always comes before those it leads to, and when there are too many the ones already found are an iceberg:
all concepts above some support, none missing. Nothing has to be computed again.

Source: S. O. Kuznetsov, Close-by-One (1993); icebergs after G. Stumme et al. (2002).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from topicrawl.topic.fca.context import Context, FormalConcept

LIMIT = 20_000
"""Most concepts that are enumerated; a lattice can have as many as there are sets of terms."""


@dataclass(frozen=True, slots=True)
class Concepts:
    """Concepts with the most documents first, the top leading; of equal support in order of the bitsets."""

    found: tuple[FormalConcept, ...]
    support: int = 0
    """All concepts with at least so many documents are here. Above 0 only when there were more than the limit:
    it is then the smallest support at which the limit holds."""

    @property
    def cut(self) -> bool:
        """Whether concepts are missing."""
        return self.support > 0


def enumerate_concepts(context: Context, limit: int = LIMIT) -> Concepts:
    """All concepts of `context`, or the largest iceberg of at most `limit` (1 or more) concepts."""
    assert limit >= 1
    search = _Search(context, limit)
    found = tuple(search.run())
    return Concepts(found, search.support)


class _Search:
    """What waits to be taken up, by support: triples (extent, intent, first term that may still be added)."""

    def __init__(self, context: Context, limit: int) -> None:
        self._context = context
        self._limit = limit
        self._known = 0
        self._waiting: list[list[tuple[int, int, int]]] = [[] for _ in range(len(context.documents) + 1)]
        self.support = 0
        """Concepts below this support are given up: with them there would be more than the limit."""

    def run(self) -> Iterator[FormalConcept]:
        context = self._context
        if not context.documents_with(context.all_terms):
            self._wait(0, context.all_terms, len(context.terms))
        self._wait(context.all_documents, context.shared_terms(context.all_documents), 0)
        for support in range(len(context.documents), -1, -1):
            if support < self.support:
                return
            for extent, intent, first in sorted(self._waiting[support]):
                yield FormalConcept(extent, intent)
                self._add_terms(extent, intent, first)

    def _add_terms(self, extent: int, intent: int, first: int) -> None:
        """Find the concepts that one more term, `first` or a later one, leads to."""
        context, columns = self._context, self._context.columns
        candidates = context.terms_in(extent) & ~intent & (-1 << first)
        while candidates:
            term = candidates & -candidates
            candidates ^= term
            number = term.bit_length() - 1
            smaller = extent & columns[number]
            if smaller.bit_count() >= self.support:
                closed = context.shared_terms(smaller, intent | term)
                if not (closed ^ intent) & (term - 1):  # no earlier term came in
                    self._wait(smaller, closed, number + 1)

    def _wait(self, extent: int, intent: int, first: int) -> None:
        self._waiting[extent.bit_count()].append((extent, intent, first))
        self._known += 1
        while self._known > self._limit:
            self._known -= len(self._waiting[self.support])
            self._waiting[self.support] = []
            self.support += 1
