"""Similarity of pages to one item by a fixed measure: idf is that of ordinary texts, independent of the crawl."""

from __future__ import annotations

from topicrawl.knowledge.idf import MEASURE_ORDINARY
from topicrawl.knowledge.items import Counts, Items
from topicrawl.knowledge.terms import page_terms
from topicrawl.model import Page

TERMS = 30
"""Terms that describe an item."""


class ItemSimilarity:
    """The cosine of pages with a query, each described by its terms of the highest tf-idf."""

    def __init__(self, query: Counts) -> None:
        self._query = _vector(query)

    def __call__(self, page: Page) -> float:
        """In [0, 1]; counts the terms of the page at each call."""
        return self.of_terms(page_terms(page))

    def of_terms(self, counts: Counts) -> float:
        """The same for a page whose terms are counted already."""
        other = _vector(counts)
        return min(1.0, sum(weight * other[term] for term, weight in self._query.items() if term in other))


def _vector(counts: Counts) -> dict[str, float]:
    items = Items(TERMS, MEASURE_ORDINARY)
    items.add([counts])
    vector = items.vectors()
    return {
        items.terms[term]: float(weight) for term, weight in zip(vector.indices, vector.data, strict=True)
    }
