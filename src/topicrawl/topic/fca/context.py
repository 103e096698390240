"""A formal context: documents, terms, and which document has which term.

Paper: FCWSEO §3, Definitions 1 and 2.
Differs: Definition 2 does not require that a concept be closed; every pair of subsets would be one. Here a concept is
a pair in which each side determines the other, as usual in the field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from topicrawl.errors import TopicError


class FormalConcept(NamedTuple):
    """A set of documents and the set of terms they share, both maximal."""

    extent: int
    intent: int


@dataclass(frozen=True, slots=True)
class Context:
    """Documents × terms. `rows[i]` are the terms of document i, `columns[j]` the documents of term j.

    Neither side is empty, and names fit every file format: unique, on one line, without space around them.
    """

    documents: tuple[str, ...]
    terms: tuple[str, ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]

    @classmethod
    def from_rows(cls, documents: Sequence[str], terms: Sequence[str], rows: Sequence[int]) -> Self:
        """The context whose document i has the terms `rows[i]`."""
        _check_names("document", documents)
        _check_names("term", terms)
        assert len(rows) == len(documents)
        assert max(rows).bit_length() <= len(terms)
        columns = [0] * len(terms)
        for i, row in enumerate(rows):
            for j in bits(row):
                columns[j] |= 1 << i
        return cls(tuple(documents), tuple(terms), tuple(rows), tuple(columns))

    @property
    def all_documents(self) -> int:
        """The extent of every document."""
        return (1 << len(self.documents)) - 1

    @property
    def all_terms(self) -> int:
        """The intent of every term."""
        return (1 << len(self.terms)) - 1

    def shared_terms(self, extent: int, least: int = 0) -> int:
        """X′: the terms that all documents of `extent` have; all terms where there is no document.

        `least` are terms known to be among them: the loop ends as soon as no other is left.
        """
        rows, intent = self.rows, self.all_terms
        while extent and intent != least:
            lowest = extent & -extent
            intent &= rows[lowest.bit_length() - 1]
            extent ^= lowest
        return intent

    def documents_with(self, intent: int) -> int:
        """Y′: the documents that have all terms of `intent`; all documents where there is no term."""
        extent = self.all_documents
        for j in bits(intent):
            extent &= self.columns[j]
        return extent

    def terms_in(self, extent: int) -> int:
        """The terms that at least one document of `extent` has."""
        found = 0
        for i in bits(extent):
            found |= self.rows[i]
        return found

    def names(self, concept: FormalConcept) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The documents and the terms of `concept` by name."""
        return (
            tuple(self.documents[i] for i in bits(concept.extent)),
            tuple(self.terms[j] for j in bits(concept.intent)),
        )


def bits(members: int) -> Iterator[int]:
    """The members of a bitset, in order."""
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest


def shown(text: str, most: int = 40) -> str:
    """`text` quoted for a message, shortened: a broken file may have a line of millions of characters."""
    return repr(text if len(text) <= most else text[:most] + "…")


def _check_names(kind: str, names: Sequence[str]) -> None:
    if not names:
        raise TopicError(f"context has no {kind}s; nothing can be learned from it, give at least one")
    for number, name in enumerate(names, 1):
        if name != name.strip() or len(name.splitlines()) != 1:
            raise TopicError(
                f"context, {kind} {number}: name {shown(name)} is blank, has space around it or a line break"
            )
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise TopicError(f"context: {kind} {shown(name)} occurs {times} times; names must be unique")
