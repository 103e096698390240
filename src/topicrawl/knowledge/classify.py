"""Labels of items at query time: a label is proved by a rule, or by a narrower label that is proved.

Either proof needs evidence in the item itself: it mentions the label, as a term that describes it or occurs often.

`Classifier` classifies single items by backward chaining, with proofs; `label_matrix` classifies all items at once,
which the crawl needs after every round. Both give the same labels.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import sparse

from topicrawl.knowledge.model import Model, Rule

Mask = npt.NDArray[np.bool_]
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
        self._cached: dict[tuple[frozenset[int], frozenset[int]], frozenset[int]] = {}

    def labels(self, terms: Collection[int], mentioned: Collection[int] = ()) -> frozenset[int]:
        """All labels of an item that these terms describe, and that mentions others."""
        item = frozenset(terms), self._labels.intersection(mentioned)
        if item not in self._cached:
            proved = frozenset(label for label in self._goals(item[0]) if self.proof(label, *item))
            self._cached[item] = proved
        return self._cached[item]

    def proof(self, label: int, terms: Collection[int], mentioned: Collection[int] = ()) -> Proof | None:
        """How a label is proved, the most direct way; None where it cannot be."""
        held = frozenset(terms)
        if self.model.own_term and label in held and label in self._labels:
            return Proof(label, OWN, (label,))
        if self.model.mentioned and label not in held and label not in mentioned:
            return None
        if found := self._by_rule(label, held):
            return found
        for narrower in self._below.get(label, ()):
            if self.proof(narrower, held, mentioned):
                return Proof(label, NARROWER, (narrower,))
        return None

    def _by_rule(self, label: int, held: frozenset[int]) -> Proof | None:
        rule = self.model.rules.get(label, Rule())
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


def label_matrix(
    model: Model, presence: sparse.csr_matrix, mentions: sparse.csr_matrix | None = None
) -> sparse.csr_matrix:
    """Items by labels (in the order of `model.labels`): 1 where an item has a label.

    `presence` has the terms that describe items, `mentions` others that they mention.
    """
    labels = np.array(model.labels, np.int64)
    own = presence[:, labels]
    evidence = own if mentions is None else own + mentions[:, labels]
    proved = _where(_by_alpha(model, presence) + _by_beta(model, presence))
    held = _where((own if model.own_term else 0 * own) + _given(model, proved, evidence))
    upwards = _upwards(model)
    while True:
        more = _where(held + _given(model, held @ upwards, evidence))
        if more.nnz == held.nnz:
            return held
        held = more


def proved(labels: sparse.csr_matrix, similar: Mask, share: float) -> Mask:
    """Which labels are proved: a `share` of their items, or more, is similar; an item that is not is added to each."""
    held = np.asarray(labels.sum(axis=0)).ravel()
    agree = np.asarray(labels[similar].sum(axis=0)).ravel()
    enough: Mask = agree >= share * (held + 1)
    return enough


def _given(model: Model, proved: sparse.csr_matrix, evidence: sparse.csr_matrix) -> sparse.csr_matrix:
    """What is proved, as far as items mention it."""
    return proved.multiply(_where(evidence)).tocsr() if model.mentioned else proved


def _by_alpha(model: Model, presence: sparse.csr_matrix) -> sparse.csr_matrix:
    return presence @ _rule_terms(
        model, presence.shape[1], {label: rule.alpha for label, rule in model.rules.items()}
    )


def _by_beta(model: Model, presence: sparse.csr_matrix) -> sparse.csr_matrix:
    terms = {label: rule.beta for label, rule in model.rules.items()}
    counted = (presence @ _rule_terms(model, presence.shape[1], terms)).tocsr()
    deltas = np.array([max(1, model.rules.get(label, Rule()).delta) for label in model.labels])
    counted.data = (counted.data >= deltas[counted.indices]).astype(np.float32)
    return counted


def _rule_terms(model: Model, terms: int, given: Mapping[int, Iterable[int]]) -> sparse.csr_matrix:
    """Terms by labels: 1 where a term is in the rule of a label."""
    column = {label: place for place, label in enumerate(model.labels)}
    pairs = ((term, column[label]) for label, conditions in given.items() for term in conditions)
    return _marks(pairs, (terms, len(column)))


def _upwards(model: Model) -> sparse.csr_matrix:
    """Labels by labels: 1 from a label to each that is directly broader."""
    column = {label: place for place, label in enumerate(model.labels)}
    return _marks(((column[narrow], column[broad]) for broad, narrow in model.broader), (len(column),) * 2)


def _where(matrix: sparse.csr_matrix) -> sparse.csr_matrix:
    """1 where the matrix is positive."""
    return (matrix > 0).astype(np.float32)


def _marks(pairs: Iterable[tuple[int, int]], size: tuple[int, int]) -> sparse.csr_matrix:
    places = np.array(list(pairs), dtype=np.int64).reshape(-1, 2)
    return sparse.csr_matrix((np.ones(len(places), np.float32), (places[:, 0], places[:, 1])), shape=size)


def _listed(pairs: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    listed: dict[int, list[int]] = {}
    for key, value in pairs:
        listed.setdefault(key, []).append(value)
    return listed
