"""Similarity that depends on nothing but the words of two items: idf is that of ordinary texts, not of the crawl."""

from __future__ import annotations

import math

import numpy as np

from topicrawl.knowledge.idf import MEASURE_ORDINARY, rarity, usual_shares
from topicrawl.knowledge.items import Counts, weighed, words_in
from topicrawl.knowledge.terms import page_terms
from topicrawl.model import Page

TERMS = 30
"""Terms that describe an item."""


class ItemSimilarity:
    """The cosine of items with a query, each described by its terms of the highest tf-idf.

    A query of several items is the mean of their vectors.
    """

    def __init__(self, *query: Counts) -> None:
        total: dict[str, float] = {}
        for counts in query:
            for term, weight in _vector(counts).items():
                total[term] = total.get(term, 0.0) + weight
        self._query = _unit(total)

    def __call__(self, page: Page) -> float:
        """In [0, 1]; counts the terms of the page at each call."""
        return self.of_terms(page_terms(page))

    def of_terms(self, counts: Counts) -> float:
        """The same for a page whose terms are counted already."""
        other = _vector(counts)
        return min(1.0, sum(weight * other[term] for term, weight in self._query.items() if term in other))


def _vector(counts: Counts) -> dict[str, float]:
    """The words of highest tf-idf, of length 1; among equals the word that comes first in the item."""
    counts = words_in(counts)
    terms = list(counts)
    rare = rarity(1, 1, usual_shares(terms), MEASURE_ORDINARY)
    weights = weighed(np.fromiter(counts.values(), np.int64, len(terms)), rare)
    best = np.argsort(-weights, kind="stable")[:TERMS]
    return _unit({terms[place]: float(weights[place]) for place in best.tolist() if weights[place] > 0})


def _unit(vector: dict[str, float]) -> dict[str, float]:
    length = math.sqrt(sum(weight * weight for weight in vector.values()))
    return {term: weight / length for term, weight in vector.items()}
