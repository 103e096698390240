"""Relevance of anchors to a topic: the cosine between the terms in them and the topic.

All anchors of a link, over all pages that contain it, count together. Three forms weigh a term: `plain` by its count,
`tfidf` by count and rarity, `bm25` by saturated count and rarity.

Paper: `tfidf` is FCWSEO Eq. (6)–(7) and IELP Eq. (3), `bm25` is FCITS_OH Eq. (5)–(6).
Differs: an anchor without any term of the topic has relevance 0, where the cosine is undefined. Document frequencies
change with every page; earlier links are weighed again only by `refresh`, and only those with two terms or more: in the
cosine of a single term its idf cancels.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

import numpy as np

from topicrawl.frontier import Floats, Frontier
from topicrawl.frontier.observation import Observation
from topicrawl.model import Topic
from topicrawl.page.cosine import cosines, unit
from topicrawl.value.bm25 import saturated
from topicrawl.value.collection import Collection
from topicrawl.value.term_amounts import TermAmounts, Triples


class AnchorRelevance:
    """Relevance of links' anchors to `topic`, in [0, 1], kept in the frontier's column `anchor`."""

    def __init__(self, topic: Topic, form: str = "plain", k: float = 2.0, b: float = 0.75) -> None:
        self._direction = unit(topic.weights)
        self._along: list[float] = self._direction.tolist()
        self._form, self._k, self._b = form, k, b
        self.collection = Collection(len(topic.terms))

    def start(self, frontier: Frontier) -> None:
        """Prepare the column."""
        self._amounts = TermAmounts(frontier.allocator)
        frontier.columns.add("anchor", np.float32, 0.0)

    def observe(self, seen: Observation, frontier: Frontier) -> dict[int, float]:
        """Process a page; returns the relevance of its own anchors, by link, where it is above 0."""
        counts = seen.outcome.counts
        if counts is not None and self._form != "plain":
            self.collection.add(counts)
        return self.add_links(seen, frontier)

    def add_links(self, seen: Observation, frontier: Frontier) -> dict[int, float]:
        """The same of links found later on a page that was processed before: it is not counted again."""
        counts = seen.outcome.counts
        triples: list[tuple[int, int, float]] = [*seen.anchors()]
        if not triples or counts is None:
            return {}
        if self._form == "bm25":
            numbers = np.array([number for *_, number in triples], dtype=np.float64)
            amounts = saturated(
                numbers, counts.length, self.collection.mean_length, self._k, self._b
            ).tolist()
            triples = [(link, term, amount) for (link, term, _), amount in zip(triples, amounts, strict=True)]
        self._amounts.add(triples)
        on_page: dict[int, list[tuple[int, float]]] = {}
        for link, term, amount in triples:
            on_page.setdefault(link, []).append((term, amount))
        values, idf = frontier.columns["anchor"], None if self._form == "plain" else self.collection.idf
        for link in on_page:
            values[link] = self._cosine(self._amounts.of(link).items(), idf)
        return {link: self._cosine(pairs, idf) for link, pairs in on_page.items()}

    def refresh(self, frontier: Frontier) -> None:
        """Recompute all links that depend on inverse document frequencies."""
        if self._form == "plain":
            return
        links, terms, amounts = self._amounts.mixed()
        several, places = np.unique(links, return_inverse=True)
        frontier.columns["anchor"][several] = self(
            Triples(places.astype(np.int32), terms, amounts), len(several)
        )

    def terms(self, link: int) -> dict[int, float]:
        """The amount of each term in the anchors of a link: its count, or with `bm25` the saturated count."""
        return self._amounts.of(link)

    def __call__(self, triples: Triples, links: int) -> Floats:
        """The relevance of each of `links` places."""
        places, terms, amounts = triples
        weights = (
            amounts if self._form == "plain" else amounts * self.collection.idf[terms]
        )  # Eq. (6), (3), (5)
        return cosines(self._direction, places, terms, weights, links)  # Eq. (7)

    def _cosine(self, pairs: Iterable[tuple[int, float]], idf: Floats | None) -> float:
        """The same for one link with these (term, amount) pairs: faster than arrays for the few of a page."""
        along = square = 0.0
        for term, amount in pairs:
            weight = amount if idf is None else amount * float(idf[term])  # Eq. (6), (3), (5)
            along += weight * self._along[term]
            square += weight * weight
        return min(along / sqrt(square), 1.0) if square > 0 else 0.0  # Eq. (7)
