"""The state of a learner between two rounds, as one value that can be serialised."""

from __future__ import annotations

import msgspec

from topicrawl.knowledge.hierarchy import Pair
from topicrawl.knowledge.history import Round
from topicrawl.knowledge.model import Model, Rule
from topicrawl.knowledge.training import Training


class KeptModel(msgspec.Struct, frozen=True, array_like=True):
    """A model as plain lists."""

    version: int
    terms: int
    labels: tuple[int, ...]
    broader: list[Pair]
    rules: list[tuple[int, list[int], tuple[int, ...], int]]
    """Label, α terms, β terms, δ."""
    own_term: bool = True
    mentioned: bool = False

    @classmethod
    def of(cls, model: Model) -> KeptModel:
        rules = [
            (label, sorted(rule.alpha), rule.beta, rule.delta) for label, rule in sorted(model.rules.items())
        ]
        return cls(
            *(model.version, model.terms, model.labels, sorted(model.broader), rules),
            *(model.own_term, model.mentioned),
        )

    def model(self) -> Model:
        rules = {label: Rule(frozenset(alpha), beta, delta) for label, alpha, beta, delta in self.rules}
        return Model(
            *(self.version, self.terms, self.labels, frozenset(self.broader), rules),
            *(self.own_term, self.mentioned),
        )


class Snapshot(msgspec.Struct, frozen=True, array_like=True):
    """Items and links are those of `Learner`; columns are int32."""

    items: Training
    first: int
    queries: int
    targets: bytes
    ends: bytes
    known: bytes
    """Pairs of a link and the item behind it."""
    relevant: bytes
    rounds: list[Round]
    model: KeptModel
    new: list[tuple[int, dict[str, int], bytes, dict[str, str]]] = []
    """Items of the current round."""
    same: list[tuple[int, int]] = []
    query: list[dict[str, int]] = []
    """The terms of each query."""
    similar: bytes = b""
    """The similarity of each item to the query: float64."""
