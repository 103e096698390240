"""All concepts of a context by Close-by-One, those with the most documents first.

Every extent is an intersection of the terms' extents. Close-by-One adds terms to an intent in their order and
drops a concept whose closure adds an earlier term: that concept is reached by another branch, so each is found
exactly once without a table of those found.

Concepts are expanded in order of decreasing support (number of documents). Adding a term never adds documents, so a
concept comes before those derived from it, and when the limit is reached the concepts found are an iceberg: all
concepts of at least some support.

Source: S. O. Kuznetsov, Close-by-One (1993); icebergs after G. Stumme et al. (2002).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from topicrawl.topic.fca.context import Context, FormalConcept

LIMIT = 20_000
"""Most concepts that are enumerated; a lattice can have as many concepts as there are sets of terms."""


@dataclass(frozen=True, slots=True)
class Concepts:
    """Concepts by decreasing support, the top first; of equal support in order of the bitsets."""

    found: tuple[FormalConcept, ...]
    support: int = 0
    """All concepts with at least this many documents are included. Above 0 only when the limit was exceeded: then the
    smallest support at which it is not."""

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
    """The queue, by support: triples (extent, intent, first term that may still be added)."""

    def __init__(self, context: Context, limit: int) -> None:
        self._context = context
        self._limit = limit
        self._size = 0
        self._queue: list[list[tuple[int, int, int]]] = [[] for _ in range(len(context.documents) + 1)]
        self.support = 0
        """Concepts below this support are discarded: with them there would be more than the limit."""

    def run(self) -> Iterator[FormalConcept]:
        context = self._context
        if not context.documents_with(context.all_terms):
            self._push(0, context.all_terms, len(context.terms))
        self._push(context.all_documents, context.shared_terms(context.all_documents), 0)
        for support in range(len(context.documents), -1, -1):
            if support < self.support:
                return
            for extent, intent, first in sorted(self._queue[support]):
                yield FormalConcept(extent, intent)
                self._add_terms(extent, intent, first)

    def _add_terms(self, extent: int, intent: int, first: int) -> None:
        """Queue the concepts reached by adding one term, `first` or a later one."""
        context, columns = self._context, self._context.columns
        candidates = context.terms_in(extent) & ~intent & (-1 << first)
        while candidates:
            term = candidates & -candidates
            candidates ^= term
            number = term.bit_length() - 1
            smaller = extent & columns[number]
            if smaller.bit_count() >= self.support:
                closed = context.shared_terms(smaller, intent | term)
                if not (closed ^ intent) & (term - 1):  # the closure added no earlier term
                    self._push(smaller, closed, number + 1)

    def _push(self, extent: int, intent: int, first: int) -> None:
        self._queue[extent.bit_count()].append((extent, intent, first))
        self._size += 1
        while self._size > self._limit:
            self._size -= len(self._queue[self.support])
            self._queue[self.support] = []
            self.support += 1
