"""How similar a page is to the example pages of a task: plain vector space model, the nearest example counts.

Paper: SVSM-MCOA, evaluation: the VSM cosine, maximum over the 20 topic pages, the same for every crawler.
Differs: the paper leaves TF-IDF open. Here tf = f / max f, idf = ln(1 + D / df) over the example pages of all tasks of
a web (not over fetched pages, or each crawler would have its own measure); a term in none of them counts as in
one; the 50 heaviest terms of a text are kept. Words are those of the crawlers (topic/words.py): no stop words, or
pages would be alike by these.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log, sqrt

import numpy as np

from topicrawl.topic.words import says_something, words

HEAVIEST = 50
"""Terms kept of a text."""


class Rarity:
    """How rare each term is among `texts`: its idf."""

    def __init__(self, texts: Iterable[str]) -> None:
        counted = [set(_terms(text)) for text in texts]
        frequency = Counter(term for terms in counted for term in terms)
        self.idf = {term: log(1 + len(counted) / among) for term, among in frequency.items()}
        self.rarest = log(1 + len(counted))


class ExampleSimilarity:
    """Similarity to `examples` (texts), which are among the texts of `rarity`."""

    def __init__(self, examples: Sequence[str], rarity: Rarity) -> None:
        self._rarity = rarity
        vectors = [self._vector(text) for text in examples]
        self._column = {term: n for n, term in enumerate(sorted({term for each in vectors for term in each}))}
        self._examples = np.zeros((len(examples), len(self._column)))
        for row, vector in enumerate(vectors):
            self._examples[row, [self._column[term] for term in vector]] = list(vector.values())

    def __call__(self, text: str) -> float:
        """The cosine with the nearest example, in [0, 1]."""
        shared = [
            (self._column[term], weight)
            for term, weight in self._vector(text).items()
            if term in self._column
        ]
        if not shared:
            return 0.0
        columns, weights = zip(*shared, strict=True)
        nearest = float((self._examples[:, columns] @ np.array(weights)).max(initial=0.0))
        return min(nearest, 1.0)

    def _vector(self, text: str) -> dict[str, float]:
        """The heaviest terms of a text with their weights, normalised to length 1 (max f cancels out)."""
        idf, rarest = self._rarity.idf, self._rarity.rarest
        weights = {term: count * idf.get(term, rarest) for term, count in Counter(_terms(text)).items()}
        kept = heapq.nlargest(HEAVIEST, weights, key=weights.__getitem__)
        length = sqrt(sum(weights[term] ** 2 for term in kept))
        return {term: weights[term] / length for term in kept}


def _terms(text: str) -> list[str]:
    return list(filter(says_something, words(text)))
