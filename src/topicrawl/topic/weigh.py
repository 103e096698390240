"""The weights of concepts in a crawl: the last step before the terms of a topic.

Weights follow from the ontology (Sem), from a corpus (the model `words`, whose concepts are all children of the root),
or are given. Weights in overrides.toml replace them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from topicrawl.model import Topic
from topicrawl.topic import overrides as user
from topicrawl.topic import vector
from topicrawl.topic.letters import OR, normal
from topicrawl.topic.merge import joined
from topicrawl.topic.ontology import Concept, Edge, Ontology
from topicrawl.topic.overrides import Overrides
from topicrawl.topic.similarity import DEFAULT_MIX, Factors, Mix, explain
from topicrawl.topic.terms.result import Terms

NO_OVERRIDES = Overrides()


@dataclass(frozen=True)
class Weighed:
    """Concepts with weights; `factors` are the impact factors, where weights follow from the ontology."""

    ontology: Ontology
    weights: Mapping[str, float]
    factors: Mapping[str, Factors] = field(default_factory=dict)

    def topic(self, source: str) -> Topic:
        """The topic of a crawl."""
        return vector.topic(self.ontology, self.weights, source=source)


def by_structure(ontology: Ontology, mix: Mix = DEFAULT_MIX, overrides: Overrides = NO_OVERRIDES) -> Weighed:
    """The weight of a concept is its similarity to the root."""
    ontology = user.apply(ontology, overrides)
    factors = explain(ontology, mix)
    computed = {name: each.similarity for name, each in factors.items()}
    return Weighed(ontology, user.reweigh(computed, overrides), factors)


def by_corpus(terms: Terms, name: str, root: str, overrides: Overrides = NO_OVERRIDES) -> Weighed:
    """The weight of a term follows from its score in the corpus; one that only overrides.toml has weighs 1."""
    concepts = [Concept(term.name, {term.language: term.labels}) for term in terms.terms]
    ontology = user.apply(_flat(name, root, concepts), overrides)
    scored = terms.weights()
    weights = {
        concept.name: max(
            (scored[label] for label in (concept.name, *concept.spellings()) if label in scored), default=1.0
        )
        for concept in ontology.concepts
    }
    return Weighed(ontology, user.reweigh(weights, overrides))


def as_written(topic: Topic) -> Weighed:
    """A topic that is a list of terms, below its name as root; the root weighs 0 unless it is a term."""
    spellings = [term.split(OR) for term in topic.terms]
    concepts = [Concept(labels[0], {"": tuple(labels)}) for labels in spellings]
    ontology = _flat(topic.name, normal(topic.name), concepts)
    given = {labels[0]: weight for labels, weight in zip(spellings, topic.weights, strict=True)}
    return Weighed(ontology, {concept.name: given.get(concept.name, 0.0) for concept in ontology.concepts})


def _flat(name: str, root: str, concepts: list[Concept]) -> Ontology:
    by_name: dict[str, Concept] = {root: Concept(root)}
    for concept in concepts:
        known = by_name.get(concept.name)
        by_name[concept.name] = joined(known, concept) if known else concept
    edges = tuple(Edge(each, root, "is-a", "lattice") for each in by_name if each != root)
    return Ontology(name, root, tuple(by_name.values()), edges)
