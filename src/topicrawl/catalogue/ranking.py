"""Ranks items by the cosine of their terms with those of a query; reads only the postings of the query's terms."""

from __future__ import annotations

from collections.abc import Mapping, Set

import numpy as np
from scipy import sparse

from topicrawl.knowledge.items import Items


class ByCosine:
    """The items of a table from `first` on, as postings: for each term the items it describes, with weights."""

    def __init__(self, items: Items, first: int = 0) -> None:
        self._items = items
        self._postings: sparse.csc_matrix = items.vectors(first).tocsc()

    def best(
        self, wanted: Mapping[str, int], most: int, kept: Set[int] | None = None
    ) -> list[tuple[int, float]]:
        """Items (counted from `first`) that any wanted term describes, with their cosines, best first."""
        query, postings = self._items.vector(wanted), self._postings
        scores = np.zeros(postings.shape[0])
        for term, weight in query.items():
            span = slice(postings.indptr[term], postings.indptr[term + 1])
            scores[postings.indices[span]] += weight * postings.data[span]
        places = np.flatnonzero(scores > 0)
        if kept is not None:
            places = places[np.isin(places, list(kept))]
        ranked = places[np.lexsort((places, -scores[places]))[:most]]
        return [(place, float(scores[place])) for place in ranked.tolist()]
