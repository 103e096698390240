"""Labels of items at query time: a label is proved by a rule, or by a narrower label that is proved.

`Classifier` classifies single items by backward chaining, with proofs; `label_matrix` classifies all items at once,
which the crawl needs after every round. Both give the same labels.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from topicrawl.knowledge.hierarchy import closed
from topicrawl.knowledge.model import Model, Rule

OWN, ALPHA, BETA, NARROWER = "own", "alpha", "beta", "narrower"


@dataclass(frozen=True, slots=True)
class Proof:
    """Why an item has a label: the kind of rule, and the terms (or the narrower label) it applies to."""

    label: int
    kind: str
    terms: tuple[int, ...]


class Classifier:
    """Classifies items by one version of the model; results are cached."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._cached: dict[frozenset[int], frozenset[int]] = {}

    def labels(self, terms: Collection[int]) -> frozenset[int]:
        """All labels of an item that these terms describe."""
        held = frozenset(terms)
        if held not in self._cached:
            proved = frozenset(label for label in self._goals(held) if self.proof(label, held))
            self._cached[held] = proved
        return self._cached[held]

    def proof(self, label: int, terms: Collection[int]) -> Proof | None:
        """How a label is proved, the most direct way; None where it cannot be."""
        held = frozenset(terms)
        if found := self._by_rule(label, held):
            return found
        for narrower in self._below.get(label, ()):
            if self.proof(narrower, held):
                return Proof(label, NARROWER, (narrower,))
        return None

    def _by_rule(self, label: int, held: frozenset[int]) -> Proof | None:
        rule = self.model.rules.get(label, Rule())
        if self.model.own_term and label in held and label in self._labels:
            return Proof(label, OWN, (label,))
        if shared := rule.alpha & held:
            return Proof(label, ALPHA, tuple(sorted(shared)))
        present = tuple(term for term in rule.beta if term in held)
        if rule.beta and len(present) >= rule.delta:
            return Proof(label, BETA, present)
        return None

    def _goals(self, held: frozenset[int]) -> set[int]:
        """The labels to try: those with a rule that contains a term of the item, and all broader ones."""
        goals = {label for term in held for label in self._labels_by_term.get(term, ())}
        waiting = list(goals)
        while waiting:
            for broader in self._above.get(waiting.pop(), ()):
                if broader not in goals:
                    goals.add(broader)
                    waiting.append(broader)
        return goals

    @cached_property
    def _labels(self) -> frozenset[int]:
        return frozenset(self.model.labels)

    @cached_property
    def _below(self) -> dict[int, list[int]]:
        return _listed(sorted(self.model.broader))

    @cached_property
    def _above(self) -> dict[int, list[int]]:
        return _listed((narrow, broad) for broad, narrow in sorted(self.model.broader))

    @cached_property
    def _labels_by_term(self) -> dict[int, list[int]]:
        pairs = [(label, label) for label in self.model.labels if self.model.own_term]
        for label, rule in self.model.rules.items():
            pairs += [(term, label) for term in (*rule.alpha, *rule.beta)]
        return _listed(pairs)


def label_matrix(model: Model, presence: sparse.csr_matrix) -> sparse.csr_matrix:
    """Items by labels (in the order of `model.labels`): 1 where an item has a label."""
    size = (presence.shape[1], len(model.labels))
    column = {label: place for place, label in enumerate(model.labels)}
    alpha = _marks(
        ((term, column[label]) for label, rule in model.rules.items() for term in rule.alpha), size
    )
    own = _marks(((label, place) for place, label in enumerate(model.labels) if model.own_term), size)
    beta = _marks(((term, column[label]) for label, rule in model.rules.items() for term in rule.beta), size)
    found = (presence @ (alpha + own)) > 0
    counted = (presence @ beta).tocoo()
    deltas = np.array(
        [max(1, model.rules[label].delta) if label in model.rules else 1 for label in model.labels]
    )
    enough = counted.data >= deltas[counted.col]
    by_beta = _marks(
        zip(counted.row[enough].tolist(), counted.col[enough].tolist(), strict=True), found.shape
    )
    direct = ((found.astype(np.float32) + by_beta) > 0).astype(np.float32)
    return ((direct @ _upwards(model, column)) > 0).astype(np.float32)


def _upwards(model: Model, column: dict[int, int]) -> sparse.csr_matrix:
    """Labels by labels: 1 from a label to itself and to all that are broader."""
    relation = np.zeros((len(column), len(column)), dtype=bool)
    for broad, narrow in model.broader:
        relation[column[narrow], column[broad]] = True
    return sparse.csr_matrix((closed(relation) | np.eye(len(column), dtype=bool)).astype(np.float32))


def _marks(pairs: Iterable[tuple[int, int]], size: tuple[int, int]) -> sparse.csr_matrix:
    places = np.array(list(pairs), dtype=np.int64).reshape(-1, 2)
    return sparse.csr_matrix((np.ones(len(places), np.float32), (places[:, 0], places[:, 1])), shape=size)


def _listed(pairs: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    listed: dict[int, list[int]] = {}
    for key, value in pairs:
        listed.setdefault(key, []).append(value)
    return listed
