"""Merges the user's edits of an ontology file into a new build.

Edges with provenance "hand" are the user's: a concept with such an edge keeps exactly the parents it had, also where
the build has others. Labels and notes of the file come before those of the build. All other edges are the build's. A
deleted concept or edge comes back with the next build: to remove it, drop it in overrides.toml.
"""

from __future__ import annotations

from dataclasses import replace

from topicrawl.topic.faults import find_cycle
from topicrawl.topic.ontology import Concept, Edge, Ontology

HAND = "hand"


def merge(old: Ontology, new: Ontology) -> Ontology:
    """The build `new` with the user's edits of `old`."""
    placed = {edge.child for edge in old.edges if edge.provenance == HAND}
    kept = _kept(old, new, placed)
    concepts = {name: concept for name, concept in old.by_name.items() if name in kept}
    for concept in new.concepts:
        mine = old.by_name.get(concept.name)
        concepts[concept.name] = joined(mine, concept) if mine else concept
    mine_alone = placed | (kept - new.by_name.keys())
    edges = [edge for edge in old.edges if edge.child in mine_alone]
    edges += [edge for edge in new.edges if edge.child not in placed or edge.provenance == HAND]
    known = [edge for edge in edges if edge.child in concepts and edge.parent in concepts]
    merged = replace(
        new,
        concepts=tuple(concepts.values()),
        edges=tuple(known),
        version=new.version or old.version,
        licence=old.licence or new.licence,
        notes=(*old.notes, *new.notes),
    )
    return attach_orphans(without_cycles(merged))


def joined(first: Concept, second: Concept) -> Concept:
    """The first concept with the labels and notes of the second after its own."""
    tags = (*first.labels, *second.labels)
    labels = {tag: (*first.labels.get(tag, ()), *second.labels.get(tag, ())) for tag in tags}
    return Concept(first.name, labels, (*first.notes, *second.notes))


def without_cycles(ontology: Ontology) -> Ontology:
    """Removes edges of the build that close a cycle; a cycle of hand edges alone stays."""
    while cycle := find_cycle(ontology):
        steps = set(zip(cycle, (*cycle[1:], cycle[0]), strict=True))
        yielding = [
            edge for edge in ontology.edges if (edge.child, edge.parent) in steps and edge.provenance != HAND
        ]
        if not yielding:
            break
        ontology = replace(ontology, edges=tuple(edge for edge in ontology.edges if edge != yielding[-1]))
    return ontology


def attach_orphans(ontology: Ontology, provenance: str = "lattice") -> Ontology:
    """The ontology with concepts without parent attached to the root."""
    loose = [name for name, parents in ontology.parents.items() if not parents and name != ontology.root]
    hung = (Edge(name, ontology.root, "is-a", provenance) for name in loose)
    return replace(ontology, edges=(*ontology.edges, *hung))


def _kept(old: Ontology, new: Ontology, placed: set[str]) -> set[str]:
    """Concepts of `old` that the user edited, and their ancestors up to concepts of `new`."""
    kept = {edge.parent for edge in old.edges if edge.child in placed} | placed
    kept |= {concept.name for concept in old.concepts if concept.notes}
    waiting = [name for name in kept if name in old.by_name and name not in new.by_name]
    while waiting:
        fresh = set(old.parents[waiting.pop()]) - kept
        kept |= fresh
        waiting += fresh - new.by_name.keys()
    return kept
