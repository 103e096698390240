"""Learns from the items of a crawl as they come: describes, classifies, maintains the model, grows the context graph.

Both the strategy, which asks for the scores that rank its frontier, and whoever looks at a finished run have one; told
the same items in the same order and portions, they know the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from scipy import sparse

from topicrawl.knowledge.classify import label_matrix
from topicrawl.knowledge.cooccurrence import Cooccurrence
from topicrawl.knowledge.history import Round
from topicrawl.knowledge.idf import ORDINARY
from topicrawl.knowledge.items import Counts, Items, unit_rows
from topicrawl.knowledge.layers import Belonging, Floats, Numbers, belonging, centres, grow_layers
from topicrawl.knowledge.maintain import Changes, Maintenance
from topicrawl.knowledge.model import Model
from topicrawl.knowledge.snapshot import KeptModel, Snapshot
from topicrawl.knowledge.sparse_rows import Rows
from topicrawl.knowledge.thresholds import Thresholds
from topicrawl.knowledge.training import Training, of_items
from topicrawl.model import ints, pack_ints

HARVEST = 0.25
"""Cosine with the query above which an item counts as harvested."""
LABELS_FROM = 50
"""Items from which on labels count in scores: what is learned from fewer says too little."""
NO_LINK = -1
LAYER_STEP = 1e-9
"""What a layer further out costs: only enough to decide between equal scores."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How to learn."""

    relevance: float = 0.5
    """θ: items above it join layer 0."""
    layers: int = 3
    item_terms: int = 30
    ordinary: int = ORDINARY
    """Imagined ordinary texts by which rarity is counted beside the items."""
    labels: bool = True
    """Whether labels count in scores."""
    layer_discount: float = 1.0
    """What likeness to a layer counts, for each step that it is further out."""
    layer_first: bool = False
    """Whether links of a nearer layer always come before those of one further out, as Diligenti's do."""
    maintenance: bool = True
    """Whether the model follows the crawl, or stays as it began."""
    window: int | None = None
    thresholds: Thresholds = field(default_factory=Thresholds)


class Learner:
    """Items by number: first those it was trained with, then the query, then the crawl's (`first` on)."""

    def __init__(
        self,
        query: Sequence[tuple[int, Counts]],
        examples: Sequence[Counts] = (),
        *,
        settings: Settings,
        training: Training | None = None,
    ) -> None:
        known = (settings.item_terms, settings.ordinary)
        self._begin(training.items(*known) if training else Items(*known), settings)
        self.items.add(examples)
        self.first = self.items.add([counts for _, counts in query]).start
        self.queries = len(query)
        for link, _ in query:
            self._place(link, np.empty(0, np.int64))
        self._remember_query()
        self._relevant = np.ones(self.queries, dtype=bool)
        self._conclude(self.queries, maintain=True)

    def _begin(self, items: Items, settings: Settings) -> None:
        self.settings = settings
        self.items = items
        self._counts = Cooccurrence(items.rows, settings.window)
        self._upkeep = Maintenance(self._counts, settings.thresholds)
        self.links = Rows()
        """Out-links of each item from `first` on, by link number."""
        self._item_of: dict[int, int] = {}
        self._new: list[tuple[int, Counts, Numbers]] = []
        self._same: list[tuple[int, int]] = []
        self.fresh = 0
        """Items since the last close."""
        self.rounds: list[Round] = []
        self.layers: list[Numbers] = []
        """The items of each layer, counted from `first`."""

    @property
    def model(self) -> Model:
        return self._upkeep.model

    def labels(self) -> sparse.csr_matrix:
        """Items from `first` on by labels, in the order of the model's: 1 where an item has a label."""
        return label_matrix(self.model, self.items.presence(self.first))

    def take(self, link: int, counts: Counts, links: Numbers) -> None:
        """An item came: the page of this link, with its terms and the links on it. It counts from the next call on."""
        self._new.append((link, counts, links))
        self.fresh += 1

    def same(self, link: int, page: int) -> None:
        """A link led to the page of another link, which may be about to come."""
        self._same.append((link, page))

    def known(self, link: int, item: int) -> None:
        """An item (counted from `first`) turned out to be the page of this link."""
        self._item_of.setdefault(link, item)

    def glance(self) -> Floats:
        """What links of the items that are new are worth, by the layers as they stand: between two closes."""
        begin = self.first + len(self.links)
        self._absorb()
        vectors, labels = self.items.vectors(begin), self._label_vectors(begin)
        return self.worth(*self._rank(vectors, labels))

    def close(self) -> Round:
        """End a round: describe its items, maintain the model, classify, grow the layers, score every item."""
        before = self._seen
        self._absorb()
        return self._conclude(before, maintain=self.settings.maintenance)

    def worth(self, score: Floats, layer: Numbers) -> Floats:
        """What an item of this score and layer makes its links worth."""
        if self.settings.layer_first:
            layers = self.settings.layers
            nearest: Floats = (layers - layer + score) / (layers + 1)
            return nearest
        return np.maximum(score - LAYER_STEP * layer, 0.0)

    def link_worths(self, links: int) -> Floats:
        """For each of so many links, what the best item that contains it makes it worth; −inf where none does."""
        targets, _, bounds = self.links.flat()
        best = np.full(links, -np.inf)
        np.maximum.at(best, targets, np.repeat(self.worth(self.score, self.layer), np.diff(bounds)))
        return best

    def item_of(self, link: int) -> int | None:
        """The item behind a link, counted from `first`."""
        return self._item_of.get(link)

    def factors(self, item: int) -> dict[str, float]:
        """What the score of an item is made of, under the paper's names."""
        number = self.first + item
        vectors, labels = self.items.vectors(number)[:1], self._label_vectors(number)[:1]
        belongs, layer = self._belonging(vectors, labels), int(self.layer[item])
        return {
            "cos_term": float(belongs.terms[layer, 0]),
            "cos_label": float(belongs.labels[layer, 0]),
            "d_i": float(belongs.degree[layer, 0]),
            "r_item": float(self.score[item]),
            "layer": float(layer),
        }

    def similarities(self, begin: int = 0) -> Floats:
        """The cosine of items (counted from `first`) from `begin` on with the query, whatever else was learned."""
        cosines: Floats = self.items.plain_vectors(self.first + begin)[:, : len(self._asked)] @ self._asked
        return cosines

    def _remember_query(self) -> None:
        asked = np.arange(self.queries)
        self._asked: Floats = centres(self.items.plain_vectors(self.first)[asked], [asked])[0]

    def snapshot(self) -> Snapshot:
        """All that is known at the end of a round, and the items that wait for the end of the next."""
        assert len(self.links) == self._seen, "items that were glanced at are not between two rounds"
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
            new=[(link, dict(counts), pack_ints(links)) for link, counts, links in self._new],
            same=list(self._same),
        )

    @classmethod
    def restored(cls, kept: Snapshot, settings: Settings) -> Self:
        """The learner that `kept` was taken of, ready for the next item."""
        learner = cls.__new__(cls)
        learner._begin(kept.items.items(settings.item_terms, settings.ordinary), settings)
        learner.first, learner.queries, learner.rounds = kept.first, kept.queries, list(kept.rounds)
        learner._remember_query()
        for links in np.split(ints(kept.targets), ints(kept.ends)[:-1]):
            learner.links.append(links)
        learner._seen = len(learner.links)
        learner._item_of = dict(zip(*ints(kept.known).reshape(-1, 2).T.tolist(), strict=True))
        learner._relevant = np.frombuffer(kept.relevant, dtype=bool).copy()
        learner._upkeep.restore(kept.model.model(), learner.items.rarities())
        learner._new = [(link, counts, ints(links).astype(np.int64)) for link, counts, links in kept.new]
        learner._same, learner.fresh = list(kept.same), len(kept.new)
        learner._score_all(learner.items.vectors(learner.first), learner._label_vectors(learner.first))
        return learner

    def _absorb(self) -> None:
        self.items.add([counts for _, counts, _ in self._new])
        for link, _, links in self._new:
            self._place(link, links)
        for link, page in self._same:
            if page in self._item_of:
                self._item_of.setdefault(link, self._item_of[page])
        self._new, self._same = [], []

    def _place(self, link: int, links: Numbers) -> None:
        if link != NO_LINK:
            self._item_of[link] = len(self.links)
        self.links.append(links)

    def _conclude(self, before: int, *, maintain: bool) -> Round:
        self.fresh = 0
        changes = self._maintain() if maintain else Changes()
        vectors, labels = self.items.vectors(self.first), self._label_vectors(self.first)
        self._seen = len(self.links)
        self._grow(before, vectors, labels)
        self._score_all(vectors, labels)
        return self._note(before, labels, changes)

    def _score_all(self, vectors: sparse.csr_matrix, labels: sparse.csr_matrix) -> None:
        """Score every item by the layers as they are now."""
        self.layers = self._layers()
        self._study(vectors, labels, self.layers)
        self.score, self.layer = self._rank(vectors, labels)

    def _maintain(self) -> Changes:
        self._counts.catch_up()
        return self._upkeep.commit(self.items.rarities())

    def _label_vectors(self, first: int) -> sparse.csr_matrix:
        if not self.settings.labels or self._counts.items < LABELS_FROM:
            return sparse.csr_matrix((len(self.items) - first, len(self.model.labels)))
        return unit_rows(label_matrix(self.model, self.items.presence(first)))

    def _grow(self, before: int, vectors: sparse.csr_matrix, labels: sparse.csr_matrix) -> None:
        """Let the items of this round that are relevant enough join layer 0."""
        members = [np.flatnonzero(self._relevant)]
        self._study(vectors, labels, members)
        joined = self._nearness(vectors[before:], labels[before:]) > self.settings.relevance
        self._relevant = np.concatenate((self._relevant[:before], joined))
        self._relevant[: self.queries] = True

    def _study(self, vectors: sparse.csr_matrix, labels: sparse.csr_matrix, layers: list[Numbers]) -> None:
        """Learn what the items of each layer are like."""
        self._centres, self._label_centres = centres(vectors, layers), centres(labels, layers)

    def _nearness(self, vectors: sparse.csr_matrix, labels: sparse.csr_matrix) -> Floats:
        """How well items belong to layer 0."""
        nearness: Floats = self._belonging(vectors, labels).relevance[0]
        return nearness

    def _rank(self, vectors: sparse.csr_matrix, labels: sparse.csr_matrix) -> tuple[Floats, Numbers]:
        """Score and layer of items, by what the layers are like."""
        relevance = self._belonging(vectors, labels).relevance
        worth = relevance * self.settings.layer_discount ** np.arange(len(relevance))[:, None]
        return worth.max(axis=0), worth.argmax(axis=0)

    def _belonging(self, vectors: sparse.csr_matrix, labels: sparse.csr_matrix) -> Belonging:
        known = vectors[:, : self._centres.shape[1]]  # terms learned since count for length only
        return belonging(self._centres, known, self._label_centres, labels)

    def _layers(self) -> list[Numbers]:
        targets, _, bounds = self.links.flat()
        table = np.full(max(self._item_of, default=0) + 1, NO_LINK, np.int64)
        table[list(self._item_of)] = list(self._item_of.values())
        known = targets < len(table)
        items = np.where(known, table[np.where(known, targets, 0)], NO_LINK)
        owners = np.repeat(np.arange(self._seen), np.diff(bounds))
        inside = items != NO_LINK
        return grow_layers(self._relevant, owners[inside], items[inside], self.settings.layers)

    def _note(self, before: int, labels: sparse.csr_matrix, changes: Changes) -> Round:
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
