"""Suggestions from WordNet for an ontology: edges to add, edges to reverse, further labels.

Only nouns are used, and each concept in one sense: the one most similar to all the others. Among floods a bank is
the side of a river, among loans an institution.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from topicrawl.topic.ontology import Edge, Ontology
from topicrawl.topic.wordnet.lexicon import WordNet
from topicrawl.topic.wordnet.matrix import LinRows

LANGUAGE = ("en",)
PROVENANCE = "wordnet"


@dataclass(frozen=True)
class Advice:
    """Suggestions that the ontology does not have yet; adding all of `edges` makes no cycle."""

    edges: tuple[Edge, ...]
    """`is-a` to the nearest more general concepts, and `synonym`."""
    disputed: tuple[Edge, ...]
    """`is-a` as WordNet has it, where the ontology has it the other way round."""
    labels: dict[str, tuple[str, ...]]
    """Concept -> English synonyms that name no concept; none where one of the two usually has another sense."""


def advise(wordnet: WordNet, ontology: Ontology) -> Advice:
    """The suggestions of WordNet for `ontology`."""
    senses = choose_senses(wordnet, ontology)
    heads = _heads(senses, ontology)
    edges: list[Edge] = []
    disputed: list[Edge] = []
    above = {name: set(ancestors) for name, ancestors in ontology.ancestors.items()}
    for edge in (*_synonyms(senses, heads, ontology), *_generals(wordnet, heads)):
        if edge.child in above[edge.parent]:
            disputed += [edge] if edge.child in ontology.ancestors[edge.parent] else []
        elif edge.relation == "synonym" or edge.parent not in ontology.ancestors[edge.child]:
            edges.append(edge)
            for ancestors in (found for found in above.values() if edge.child in found):
                ancestors.update(above[edge.parent])
    return Advice(tuple(edges), tuple(disputed), _labels(wordnet, senses, ontology))


def choose_senses(wordnet: WordNet, ontology: Ontology) -> dict[str, int]:
    """The synset of each concept that WordNet has."""
    spellings = {concept.name: concept.spellings(LANGUAGE) for concept in ontology.concepts}
    candidates = {
        name: tuple(dict.fromkeys(synset for word in words for synset in wordnet.synsets(word, "n")))
        for name, words in spellings.items()
    }
    names = [name for name, synsets in candidates.items() if synsets]
    likeness = [
        LinRows(wordnet.taxonomy, [(synset,) for synset in candidates[name]]).lin(
            [candidates[other] for other in names if other != name]
        )
        for name in names
    ]
    return {
        name: candidates[name][int(np.argmax(matrix.sum(axis=1)))]
        for name, matrix in zip(names, likeness, strict=True)
    }


def _heads(senses: dict[str, int], ontology: Ontology) -> dict[int, str]:
    """Of the concepts of one sense, the one with the fewest ancestors."""
    heads: dict[int, str] = {}
    for name in sorted(senses, key=lambda name: (len(ontology.ancestors[name]), name)):
        heads.setdefault(senses[name], name)
    return heads


def _synonyms(senses: dict[str, int], heads: dict[int, str], ontology: Ontology) -> Iterator[Edge]:
    """An edge from each concept to the head of its sense."""
    joined = {frozenset((edge.child, edge.parent)) for edge in ontology.edges if edge.relation == "synonym"}
    for name, sense in senses.items():
        if name != heads[sense] and frozenset((name, heads[sense])) not in joined:
            yield Edge(name, heads[sense], "synonym", PROVENANCE)


def _generals(wordnet: WordNet, heads: dict[int, str]) -> Iterator[Edge]:
    """An edge from each head to its nearest ancestors among the heads."""
    above = {sense: wordnet.taxonomy.above[sense] - {sense} for sense in heads}
    for sense, child in heads.items():
        general = above[sense] & heads.keys()
        nearest = general.difference(*(above[other] for other in general))
        yield from (Edge(child, heads[other], "is-a", PROVENANCE) for other in sorted(nearest))


def _labels(wordnet: WordNet, senses: dict[str, int], ontology: Ontology) -> dict[str, tuple[str, ...]]:
    taken = {spelling for concept in ontology.concepts for spelling in concept.spellings()}
    found: dict[str, tuple[str, ...]] = {}
    for name, sense in senses.items():
        unambiguous = {word for word in wordnet.members(sense) if wordnet.synsets(word, "n")[0] == sense}
        if unambiguous.intersection(ontology.by_name[name].spellings(LANGUAGE)):
            found[name] = tuple(sorted(unambiguous - taken))
    return {name: labels for name, labels in found.items() if labels}
