"""Online learning from the items of a crawl: describe, classify, maintain the model, extend the context graph.

Used by the strategy, to rank its frontier, and by the catalogue of a finished run; the same items in the same order and
batches give the same state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from scipy import sparse

from topicrawl.frontier.columns import Columns
from topicrawl.knowledge.classify import label_matrix, proved
from topicrawl.knowledge.cooccurrence import Cooccurrence
from topicrawl.knowledge.history import Round
from topicrawl.knowledge.item_similarity import ItemSimilarity
from topicrawl.knowledge.items import Counts, Items, unit_rows
from topicrawl.knowledge.layers import (
    Belonging,
    Floats,
    Mask,
    Numbers,
    belonging,
    centres,
    cosines,
    grow_layers,
)
from topicrawl.knowledge.maintain import Changes, Maintenance
from topicrawl.knowledge.model import Model
from topicrawl.knowledge.names import Forms
from topicrawl.knowledge.settings import Settings
from topicrawl.knowledge.snapshot import KeptModel, Snapshot
from topicrawl.knowledge.sparse_rows import Rows
from topicrawl.knowledge.training import Training, of_items
from topicrawl.model import ints, pack_ints

HARVEST = 0.25
"""Cosine with the query above which an item counts as harvested."""
LABELS_FROM = 50
"""Items from which on labels count in scores; with fewer they are unreliable."""
NO_LINK = -1
NO_FORMS: Forms = {}
LAYER_STEP = 1e-9
"""Penalty of a layer further out: only breaks ties."""


class Learner:
    """Items by number: first the training items, then the query (from `first` on), then the crawl's."""

    def __init__(
        self,
        query: Sequence[tuple[int, Counts]],
        examples: Sequence[Counts] = (),
        *,
        settings: Settings,
        training: Training | None = None,
    ) -> None:
        known = (settings.item_terms, settings.ordinary, settings.phrases, settings.mentions)
        self._begin(training.items(*known) if training else Items(*known), settings)
        self.items.add(examples)
        self.first = self.items.add([counts for _, counts in query]).start
        self.queries = len(query)
        self._remember([dict(counts) for _, counts in query])
        for link, counts in query:
            self._place(link, counts, np.empty(0, np.int64))
        self._relevant = np.ones(self.queries, dtype=bool)
        self._conclude(self.queries, maintain=True)

    def _begin(self, items: Items, settings: Settings) -> None:
        self.settings = settings
        self.items = items
        self._counts = Cooccurrence(items.rows, settings.window)
        self._maintenance = Maintenance(self._counts, settings.thresholds)
        self.links = Rows()
        """Out-links of each item from `first` on, by link number."""
        self._similar = Columns(similarity=(np.float64, 0.0))
        """The similarity of each item from `first` on to the query, by a measure that no other item changes."""
        self._item_of: dict[int, int] = {}
        self._verdicts: dict[int, bool] = {}
        """Whether the page of a link is relevant, by a person."""
        self._new: list[tuple[int, Counts, Numbers, Forms]] = []
        self._same: list[tuple[int, int]] = []
        self.fresh = 0
        """Items since the last `close`."""
        self.rounds: list[Round] = []
        self.layers: list[Numbers] = []
        """The items of each layer, counted from `first`."""

    @property
    def model(self) -> Model:
        return self._maintenance.model

    def labels(self) -> sparse.csr_matrix:
        """Items from `first` on by labels, in the order of the model's: 1 where an item has a label."""
        return self._labels_from(self.first)

    def counted_labels(self, first: int) -> sparse.csr_matrix:
        """Items from number `first` on by labels, where these count in scores; else nothing."""
        if not self.settings.labels or self._counts.items < LABELS_FROM:
            return sparse.csr_matrix((len(self.items) - first, len(self.model.labels)))
        return self._labels_from(first)

    def mentioned(self, item: int) -> list[int]:
        """The labels that an item (counted from `first`) mentions."""
        number = self.first + item
        terms = {*self.items.rows.terms(number).tolist(), *self.items.mentioned.terms(number).tolist()}
        return [label for label in self.model.labels if label in terms]

    def proportions(self, label: int, terms: Sequence[int]) -> Floats:
        """P(label | term) for each of these terms, over the items that the model is learned from."""
        return self._counts.proportion(label, terms)

    def take(self, link: int, counts: Counts, links: Numbers, forms: Forms = NO_FORMS) -> bool:
        """Add an item: the page of this link, with its terms and links; the next `glance` or `close` processes it.

        `forms` says how the page writes its terms. The page of the query itself, at its URL or a copy with the same
        terms elsewhere, is no further item: its links become those of the query. Returns whether an item was added.
        """
        item = self._query_at(link, counts)
        if item is not None:
            self.known(link, item)
            self.links.fill(item, links)
            return False
        self._new.append((link, counts, links, forms))
        self.fresh += 1
        return True

    def same(self, link: int, page: int) -> None:
        """Record that a link redirected to the page of another link, whose item may be added later."""
        item = self._item_of.get(link, self.queries)
        if item < self.queries:
            self.known(page, item)
        self._same.append((link, page))

    def known(self, link: int, item: int) -> None:
        """Record that an item (counted from `first`) is the page of this link."""
        self._item_of.setdefault(link, item)

    def glance(self) -> Floats:
        """The worth of links on items added since the last call, by the layers of the last `close`."""
        begin = self.first + len(self.links)
        self._absorb()
        vectors, labels = self.items.vectors(begin), self.counted_labels(begin)
        return self.worth(*self._rank(vectors, labels))

    def close(self) -> Round:
        """End a round: describe its items, update the model, classify, extend the layers, score every item."""
        before = self._seen
        self._absorb()
        return self._conclude(before, maintain=self.settings.maintenance)

    def mark(self, link: int, relevant: bool | None) -> None:
        """Put the page of a link into layer 0, or keep it out, as a person said; None: as it is similar.

        It counts from the next `rescore` or `close` on. The query stays in layer 0.
        """
        self._verdicts.pop(link, None)
        if relevant is not None:
            self._verdicts[link] = relevant
            return
        item = self._item_of.get(link, self._seen)
        if item < self._seen:
            number = self.first + item
            near = self._nearness(self.items.vectors(number)[:1], self.counted_labels(number)[:1])
            self._relevant[item] = near[0] > self.settings.relevance

    def rescore(self) -> None:
        """Score the items of earlier rounds by the layers as marks make them."""
        self._obey()
        end = self._seen
        vectors, labels = self.items.vectors(self.first)[:end], self.counted_labels(self.first)[:end]
        self._score_all(vectors, labels)

    def _obey(self) -> None:
        """Put items into layer 0, or out of it, as people said."""
        for link, relevant in self._verdicts.items():
            if (item := self._item_of.get(link)) is not None and item < len(self._relevant):
                self._relevant[item] = relevant
        self._relevant[: self.queries] = True

    def worth(self, score: Floats, layer: Numbers) -> Floats:
        """The worth of links on items of this score and layer."""
        if self.settings.layer_first:
            layers = self.settings.layers
            nearest: Floats = (layers - layer + score) / (layers + 1)
            return nearest
        return np.maximum(score - LAYER_STEP * layer, 0.0)

    def link_worths(self, links: int) -> Floats:
        """The worth of links 0 to `links` − 1 by the best item that contains each; −inf where none does."""
        targets, _, bounds = self.links.flat()
        best = np.full(links, -np.inf)
        np.maximum.at(best, targets, np.repeat(self.worth(self.score, self.layer), np.diff(bounds)))
        return best

    def item_of(self, link: int) -> int | None:
        """The item behind a link, counted from `first`."""
        return self._item_of.get(link)

    def factors(self, item: int) -> dict[str, float]:
        """The factors of an item's score, under the paper's names."""
        number = self.first + item
        vectors, labels = self.items.vectors(number)[:1], self.counted_labels(number)[:1]
        belongs, layer = self._belonging(vectors, labels), int(self.layer[item])
        return {
            "cos_term": float(belongs.terms[layer, 0]),
            "cos_label": float(belongs.labels[layer, 0]),
            "d_i": float(belongs.degree[layer, 0]),
            "r_item": float(self.score[item]),
            "layer": float(layer),
        }

    def similarities(self, begin: int = 0) -> Floats:
        """The cosine of items (counted from `first`) from `begin` on with the query (item_similarity.py)."""
        cosines: Floats = self._similar["similarity"][begin:]
        return cosines

    def _remember(self, query: list[dict[str, int]]) -> None:
        self._query = query
        self._similarity = ItemSimilarity(*query)

    def snapshot(self) -> Snapshot:
        """The state at the end of a round, and the items added since."""
        assert len(self.links) == self._seen, (
            "a snapshot can only be taken before items are scored by glance()"
        )
        targets, _, bounds = self.links.flat()
        return Snapshot(
            items=of_items(self.items, self.settings.item_terms),
            first=self.first,
            queries=self.queries,
            targets=pack_ints(targets),
            ends=pack_ints(bounds[1:]),
            known=pack_ints(list(self._item_of.items())),
            relevant=self._relevant.tobytes(),
            rounds=list(self.rounds),
            model=KeptModel.of(self.model),
            new=[
                (link, dict(counts), pack_ints(links), dict(forms))
                for link, counts, links, forms in self._new
            ],
            same=list(self._same),
            query=self._query,
            similar=self._similar["similarity"].tobytes(),
        )

    @classmethod
    def restored(cls, kept: Snapshot, settings: Settings) -> Self:
        """The learner of a snapshot, ready for the next item."""
        learner = cls.__new__(cls)
        known = (settings.item_terms, settings.ordinary, settings.phrases, settings.mentions)
        learner._begin(kept.items.items(*known), settings)
        learner.first, learner.queries, learner.rounds = kept.first, kept.queries, list(kept.rounds)
        learner._remember(kept.query)
        learner._similar.grow(len(kept.similar) // 8)
        learner._similar["similarity"][:] = np.frombuffer(kept.similar)
        for links in np.split(ints(kept.targets), ints(kept.ends)[:-1]):
            learner.links.append(links)
        learner._seen = len(learner.links)
        learner._item_of = dict(zip(*ints(kept.known).reshape(-1, 2).T.tolist(), strict=True))
        learner._relevant = np.frombuffer(kept.relevant, dtype=bool).copy()
        learner._maintenance.restore(
            kept.model.model(), learner.items.label_rarities(), learner.items.phrases_with
        )
        learner._new = [
            (link, counts, ints(links).astype(np.int64), forms) for link, counts, links, forms in kept.new
        ]
        learner._same, learner.fresh = list(kept.same), len(kept.new)
        learner._score_all(learner.items.vectors(learner.first), learner.counted_labels(learner.first))
        return learner

    def _query_at(self, link: int, counts: Counts) -> int | None:
        """The query whose page this is, if it is one."""
        item = self._item_of.get(link, self.queries)
        if item < self.queries:
            return item
        return next((place for place, query in enumerate(self._query) if counts and query == counts), None)

    def _absorb(self) -> None:
        self.items.add([counts for _, counts, _, _ in self._new], [forms for *_, forms in self._new])
        for link, counts, links, _ in self._new:
            self._place(link, counts, links)
        for link, page in self._same:
            if page in self._item_of:
                self._item_of.setdefault(link, self._item_of[page])
        self._new, self._same = [], []

    def _place(self, link: int, counts: Counts, links: Numbers) -> None:
        if link != NO_LINK:
            self._item_of[link] = len(self.links)
        self.links.append(links)
        place = self._similar.grow(1)
        self._similar["similarity"][place] = self._similarity.of_terms(counts)

    def _conclude(self, before: int, *, maintain: bool) -> Round:
        self.fresh = 0
        changes = self._maintain() if maintain else Changes()
        vectors, labels = self.items.vectors(self.first), self.counted_labels(self.first)
        self._seen = len(self.links)
        self._grow(before, vectors, labels)
        self._score_all(vectors, labels)
        return self._record(before, labels, changes)

    def _score_all(self, vectors: sparse.csr_matrix, labels: sparse.csr_matrix) -> None:
        """Score every item by the current layers."""
        self.layers = self._layers()
        self._study(vectors, labels, self.layers)
        self.score, self.layer = self._rank(vectors, labels)

    def _maintain(self) -> Changes:
        self._counts.catch_up()
        return self._maintenance.commit(self.items.label_rarities(), self.items.phrases_with)

    def _labels_from(self, first: int) -> sparse.csr_matrix:
        """Items from `first` on by labels."""
        return label_matrix(self.model, self.items.presence(first), self.items.mentions(first))

    def _grow(self, before: int, vectors: sparse.csr_matrix, labels: sparse.csr_matrix) -> None:
        """Add the items of this round that are relevant enough to layer 0."""
        members = [np.flatnonzero(self._relevant)]
        self._study(vectors, labels, members)
        joined = self._nearness(vectors[before:], labels[before:]) > self.settings.relevance
        self._relevant = np.concatenate((self._relevant[:before], joined))
        self._obey()

    def _study(self, vectors: sparse.csr_matrix, labels: sparse.csr_matrix, layers: list[Numbers]) -> None:
        """Compute the centroids of each layer, and which labels count for them."""
        self._centres = centres(vectors, layers)
        self._proved = self._proved_near(self._centres[:1], vectors, labels)
        self._label_centres = centres(_label_vectors(labels, self._proved), layers)

    def _proved_near(self, centre: Floats, vectors: sparse.csr_matrix, labels: sparse.csr_matrix) -> Mask:
        """Which labels count in scores when this is the centroid of layer 0, a matrix of one row."""
        similar = cosines(centre, vectors)[0] > HARVEST
        return proved(labels[self.queries :], similar[self.queries :], self.settings.proof)

    def _nearness(self, vectors: sparse.csr_matrix, labels: sparse.csr_matrix) -> Floats:
        """Similarity of items to layer 0."""
        nearness: Floats = self._belonging(vectors, labels).relevance[0]
        return nearness

    def _rank(self, vectors: sparse.csr_matrix, labels: sparse.csr_matrix) -> tuple[Floats, Numbers]:
        """Score and layer of items, by the centroids of layers."""
        relevance = self._belonging(vectors, labels).relevance
        discounts = np.cumprod([1.0] + [self.settings.layer_discount] * (len(relevance) - 1))
        worth = relevance * discounts[:, None]
        return worth.max(axis=0), worth.argmax(axis=0)

    def _belonging(self, vectors: sparse.csr_matrix, labels: sparse.csr_matrix) -> Belonging:
        known = vectors[:, : self._centres.shape[1]]  # later terms count in the length only
        return belonging(self._centres, known, self._label_centres, _label_vectors(labels, self._proved))

    def _layers(self) -> list[Numbers]:
        targets, _, bounds = self.links.flat()
        table = np.full(max(self._item_of, default=0) + 1, NO_LINK, np.int64)
        table[list(self._item_of)] = list(self._item_of.values())
        known = targets < len(table)
        items = np.where(known, table[np.where(known, targets, 0)], NO_LINK)
        owners = np.repeat(np.arange(self._seen), np.diff(bounds))
        inside = items != NO_LINK
        return grow_layers(self._relevant, owners[inside], items[inside], self.settings.layers)

    def _record(self, before: int, labels: sparse.csr_matrix, changes: Changes) -> Round:
        near = self.similarities(before) if self._seen > before and self.rounds else np.zeros(0)
        model = self.model
        self.rounds.append(
            Round(
                number=len(self.rounds),
                items=len(near),
                layers=tuple(map(len, self.layers)),
                classified=int(labels[before:].nnz) if self.rounds else 0,
                labels=len(model.labels),
                broader=len(model.broader),
                terms=model.terms,
                rules=model.rule_count,
                similarity=float(near.mean()) if len(near) else 0.0,
                harvest=float((near > HARVEST).mean()) if len(near) else 0.0,
                changes=changes,
            )
        )
        return self.rounds[-1]


def _label_vectors(labels: sparse.csr_matrix, counting: Mask) -> sparse.csr_matrix:
    """The label vectors of items with these labels, of those that count."""
    return unit_rows(sparse.csr_matrix(labels @ sparse.diags_array(counting.astype(np.float64))))
