"""The terms of a corpus: as a table, as a matrix for formal concept analysis, as a topic."""

from __future__ import annotations

from dataclasses import dataclass

from topicrawl.model import Topic
from topicrawl.topic.letters import OR, apart

COLUMNS = ("term", "score", "documents", "frequency", "language", "labels")


@dataclass(frozen=True, slots=True)
class Term:
    """A term and its occurrences. `labels` are its forms, the first is its name."""

    labels: tuple[str, ...]
    language: str
    documents: tuple[int, ...]
    """Numbers of the documents that have it."""
    frequency: int
    score: float
    named: bool = False
    """Whether the user named it; then it is kept whatever its score."""

    @property
    def name(self) -> str:
        return self.labels[0]


@dataclass(frozen=True, slots=True)
class Terms:
    """The documents of a corpus by name, and its terms: those the user named, then the best."""

    documents: tuple[str, ...]
    terms: tuple[Term, ...]
    common: tuple[str, ...] = ()
    """Names of the terms left out because too many documents have them, the best first."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(term.name for term in self.terms)

    def rows(self) -> tuple[int, ...]:
        """The terms of each document as a bitset: what a formal context is made of."""
        rows = [0] * len(self.documents)
        for number, term in enumerate(self.terms):
            for document in term.documents:
                rows[document] |= 1 << number
        return tuple(rows)

    def weights(self) -> dict[str, float]:
        """The weight of each term, above 0 and at most 1: 1 for those named, else the score relative to
        the best of the others.

        A phrase weighs no less than terms that are words of it: where it occurs, the matcher counts only the phrase.
        """
        best = max((term.score for term in self.terms if not term.named), default=1.0)
        weights = {term.name: 1.0 if term.named else term.score / best for term in self.terms}
        return {
            name: max(weight, *(weights.get(word, 0.0) for word in name.split(" ")))
            for name, weight in weights.items()
        }

    def topic(self, name: str, source: str = "inline") -> Topic:
        """The topic of these terms, each with all its forms as spellings; a form of two terms belongs to the first."""
        weights = self.weights()
        terms = apart((OR.join(term.labels), weights[term.name]) for term in self.terms)
        return Topic(name, tuple(terms), tuple(terms.values()), source)

    def csv(self) -> str:
        """A line a term, for terms.csv; its labels are separated by semicolons."""
        lines = [",".join(COLUMNS)]
        for term in self.terms:
            numbers = f"{term.score:.2f},{len(term.documents)},{term.frequency}"
            lines.append(f"{_cell(term.name)},{numbers},{term.language},{_cell(';'.join(term.labels))}")
        return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """`text` as a field of a CSV line: only terms the user named may hold a comma or a quotation mark."""
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in ',"\n') else text
