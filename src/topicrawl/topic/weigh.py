"""An ontology and what each concept weighs in a crawl: the last step before the terms of a topic.

Weights follow from the ontology (Sem), from a corpus (the model `words`, whose concepts all hang below the root), or
were written down. What the user set in overrides.toml counts before all of these.
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

NOTHING_SAID = Overrides()


@dataclass(frozen=True)
class Weighed:
    """Concepts with weights; `factors` are those behind the weights, where they follow from the ontology."""

    ontology: Ontology
    weights: Mapping[str, float]
    factors: Mapping[str, Factors] = field(default_factory=dict)

    def topic(self, source: str) -> Topic:
        """The topic of a crawl."""
        return vector.topic(self.ontology, self.weights, source=source)


def by_structure(ontology: Ontology, mix: Mix = DEFAULT_MIX, overrides: Overrides = NOTHING_SAID) -> Weighed:
    """Each concept weighs as much as it is similar to the root."""
    ontology = user.apply(ontology, overrides)
    factors = explain(ontology, mix)
    computed = {name: each.similarity for name, each in factors.items()}
    return Weighed(ontology, user.reweigh(computed, overrides), factors)


def by_corpus(terms: Terms, name: str, root: str, overrides: Overrides = NOTHING_SAID) -> Weighed:
    """Each term weighs as much as it stands out in the corpus; one that only overrides.toml has weighs 1."""
    concepts = [Concept(term.name, {term.language: term.labels}) for term in terms.terms]
    ontology = user.apply(_flat(name, root, concepts), overrides)
    said = terms.weights()
    weights = {
        concept.name: max(
            (said[label] for label in (concept.name, *concept.spellings()) if label in said), default=1.0
        )
        for concept in ontology.concepts
    }
    return Weighed(ontology, user.reweigh(weights, overrides))


def as_written(topic: Topic) -> Weighed:
    """A topic that is a list of terms, with its name above them; the name itself weighs nothing unless it is one."""
    spelled = [term.split(OR) for term in topic.terms]
    concepts = [Concept(labels[0], {"": tuple(labels)}) for labels in spelled]
    ontology = _flat(topic.name, normal(topic.name), concepts)
    said = {labels[0]: weight for labels, weight in zip(spelled, topic.weights, strict=True)}
    return Weighed(ontology, {concept.name: said.get(concept.name, 0.0) for concept in ontology.concepts})


def _flat(name: str, root: str, concepts: list[Concept]) -> Ontology:
    by_name: dict[str, Concept] = {root: Concept(root)}
    for concept in concepts:
        known = by_name.get(concept.name)
        by_name[concept.name] = joined(known, concept) if known else concept
    edges = tuple(Edge(each, root, "is-a", "lattice") for each in by_name if each != root)
    return Ontology(name, root, tuple(by_name.values()), edges)
