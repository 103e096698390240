"""Similarity of two concepts of an ontology (OSSC), and from it the weight of each concept in the topic.

Five impact factors of a pair: the length of the shortest path (distance), the number of children of the lowest common
ancestor (density), the depth of both (depth), the share of common ancestors (coincidence), and the strength of the
relations on the path (relation). Their weighted sum is
Sem(C1, C2); a concept weighs Sem(root, concept) in the topic vector.

Paper: FCWSEO §4, Eq. (1)–(3); FCITS_OH §2.2, Eq. (1)–(2) is the same with k1…k5 for α…ε.
Differs: only the relation factor and its Value() are published. The papers cite sources without formulas for the
other four, so their forms here are reconstructed from what is common in ontology similarity, as is the constant 1.6;
the adjustment factors are not published either and are equal. Sem(c, c) = 1; unconnected concepts have 0. With the
topic at the root the density of the common ancestor is the same for every concept and only flattens the weights;
`density_form="mean"` takes the mean number of children of the two instead.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, NamedTuple, get_args

from topicrawl.errors import TopicError
from topicrawl.topic.ontology import Ontology, Path

DensityForm = Literal["lca", "mean"]


@dataclass(frozen=True, slots=True)
class Mix:
    """How much each factor counts: the paper's α, β, γ, δ, ε, none negative, summing to 1."""

    distance: float = 0.2
    density: float = 0.2
    depth: float = 0.2
    coincidence: float = 0.2
    relation: float = 0.2
    softness: float = 1.6
    """Distance at which the distance factor has fallen to one half."""
    density_form: DensityForm = "lca"

    def __post_init__(self) -> None:
        for name, share in zip(Factors._fields, self.shares, strict=False):
            if not share >= 0:
                raise TopicError(f"weight factor {name}: {share} is unusable; give 0 or more")
        if not abs(sum(self.shares) - 1) < 1e-6:
            parts = " + ".join(f"{share:g}" for share in self.shares)
            raise TopicError(f"weight factors: {parts} is {sum(self.shares):g}; they must sum to 1")
        if not 0 < self.softness < float("inf"):
            raise TopicError(f"weight factor softness: {self.softness} is unusable; give more than 0")
        if self.density_form not in get_args(DensityForm):
            known = " or ".join(get_args(DensityForm))
            raise TopicError(f"weight factor density_form: {self.density_form!r} is unknown; give {known}")

    @property
    def shares(self) -> tuple[float, ...]:
        """α…ε in the order of `Factors`."""
        return tuple(getattr(self, field.name) for field in fields(self)[:5])


class Factors(NamedTuple):
    """The five impact factors of a pair, each in [0, 1], and Sem, their weighted sum."""

    distance: float
    density: float
    depth: float
    coincidence: float
    relation: float
    similarity: float


UNCONNECTED = Factors(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
DEFAULT_MIX = Mix()


class Similarity:
    """Sem over the concepts of one ontology, which must be valid; the paths from a concept are searched once."""

    def __init__(self, ontology: Ontology, mix: Mix = DEFAULT_MIX) -> None:
        self._ontology = ontology
        self._mix = mix
        self._paths: dict[str, dict[str, Path]] = {}

    def __call__(self, first: str, second: str) -> float:
        """Sem(first, second), in [0, 1]."""
        return self.factors(first, second).similarity

    def factors(self, first: str, second: str) -> Factors:
        """The five factors behind Sem(first, second)."""
        if first not in self._paths:
            self._paths[first] = self._ontology.paths(first)
        path = self._paths[first].get(second)
        if path is None:
            return UNCONNECTED
        factors = (
            self._mix.softness / (path.steps + self._mix.softness),
            self._density(first, second),
            self._depth(first, second),
            self._coincidence(first, second),
            path.value / path.steps if path.steps else 1.0,  # Eq. (1)
        )
        if first == second:
            return Factors(*factors, similarity=1.0)
        mixed = sum(
            share * factor for share, factor in zip(self._mix.shares, factors, strict=True)
        )  # Eq. (2)
        return Factors(*factors, similarity=min(mixed, 1.0))

    def _density(self, first: str, second: str) -> float:
        ontology = self._ontology
        if not ontology.max_children:
            return 0.0
        if self._mix.density_form == "mean":
            both = len(ontology.children[first]) + len(ontology.children[second])
            return both / (2 * ontology.max_children)
        lca = ontology.lca(first, second)
        return len(ontology.children[lca]) / ontology.max_children if lca is not None else 0.0

    def _depth(self, first: str, second: str) -> float:
        one, other = self._ontology.depths[first], self._ontology.depths[second]
        return (one + other) / (abs(one - other) + 2 * self._ontology.levels)

    def _coincidence(self, first: str, second: str) -> float:
        one, other = self._ontology.ancestors[first], self._ontology.ancestors[second]
        shared = len(one & other)
        return shared / (len(one) + len(other) - shared)


def explain(ontology: Ontology, mix: Mix = DEFAULT_MIX) -> dict[str, Factors]:
    """The factors between the root and every concept, itself included."""
    similarity = Similarity(ontology, mix)
    return {concept.name: similarity.factors(ontology.root, concept.name) for concept in ontology.concepts}


def weights(ontology: Ontology, mix: Mix = DEFAULT_MIX) -> dict[str, float]:
    """Sem(root, concept) for every concept: W of the topic, the root weighing 1."""
    return {name: factors.similarity for name, factors in explain(ontology, mix).items()}  # Eq. (3)
