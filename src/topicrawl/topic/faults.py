"""What makes an ontology unusable: cycles, a missing or second root, unknown relations and concepts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from topicrawl.errors import TopicError
from topicrawl.topic.ontology import PROVENANCES, RELATIONS, Ontology

LONGEST_LABEL = 200
_UNWRITABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_LANGUAGE = re.compile(r"(?:[a-z]{1,8}(?:-[a-z0-9]{1,8})*)?")


class Fault(NamedTuple):
    """Why an ontology cannot be used: a short stable kind, the place, and the message."""

    kind: str
    place: str
    text: str


def validate(ontology: Ontology, source: str = "") -> Ontology:
    """The same ontology; `TopicError` naming `source` and the place when it cannot be used."""
    for fault in faults(ontology):
        raise TopicError(f"ontology {source or ontology.name}: {fault.text}")
    return ontology


def faults(ontology: Ontology) -> Iterator[Fault]:
    """All faults of an ontology."""
    if not ontology.concepts:
        yield Fault("empty", "", "has no concepts; give it a root at least")
        return
    yield from _faults_of_concepts(ontology)
    yield from _faults_of_edges(ontology)
    if cycle := find_cycle(ontology):
        ring = " → ".join(map(repr, (*cycle, cycle[0])))
        yield Fault(
            "cycle", cycle[0], f"concepts stand above themselves: {ring}; take one of these edges away"
        )
        return
    yield from _faults_of_root(ontology)


def _faults_of_concepts(ontology: Ontology) -> Iterator[Fault]:
    seen: set[str] = set()
    for concept in ontology.concepts:
        name = concept.name
        if name in seen:
            yield Fault("duplicate", name, f"two concepts are called {name!r}; rename or merge them")
        seen.add(name)
        if not name.strip():
            yield Fault("label", name, "a concept has no name; give it one")
        for label in (name, *concept.spellings()):
            if _UNWRITABLE.search(label):
                yield Fault(
                    "label", name, f"concept {name!r} has the label {label!r}, which cannot be written"
                )
            if len(label) > LONGEST_LABEL:
                begun = f"{label[:40]!r}…"
                yield Fault(
                    "label", label[:40], f"label {begun} has {len(label)} characters; keep to {LONGEST_LABEL}"
                )
        for tag in concept.labels:
            if not _LANGUAGE.fullmatch(tag):
                yield Fault(
                    "language", name, f"labels of {name!r} are in language {tag!r}; give a tag like en or zh"
                )


def _faults_of_edges(ontology: Ontology) -> Iterator[Fault]:
    for edge in ontology.edges:
        if edge.relation not in RELATIONS:
            yield Fault(
                "relation", edge.child, f"unknown relation in {edge}; known are {', '.join(RELATIONS)}"
            )
        if edge.provenance not in PROVENANCES:
            known = ", ".join(PROVENANCES)
            yield Fault(
                "provenance",
                edge.child,
                f"unknown provenance {edge.provenance!r} of {edge}; known are {known}",
            )
        for name in (edge.child, edge.parent):
            if name not in ontology.by_name:
                yield Fault(
                    "unknown", name, f"there is no concept {name!r}, named in {edge}; add it or drop the edge"
                )


def _faults_of_root(ontology: Ontology) -> Iterator[Fault]:
    root = ontology.root
    tops = [name for name, parents in ontology.parents.items() if not parents]
    if root not in ontology.by_name:
        names = " or ".join(map(repr, tops[:2])) or "one of its concepts"
        yield Fault("root", root, f"its root {root!r} is no concept; name {names}")
    elif root not in tops:
        above = ontology.parents[root][0]
        yield Fault("root", root, f"the root {root!r} has a parent, {above!r}; a root has none")
    for name in tops:
        if name != root:
            text = f"{name!r} has no parent, like the root {root!r}; give it a parent"
            yield Fault("roots", name, text)


def find_cycle(ontology: Ontology) -> tuple[str, ...]:
    """A cycle of concepts, each the child of the next, the last of the first; empty where there is none."""
    held_up = ontology.parents.keys() - set(ontology.order)
    if not held_up:
        return ()
    here, walk = min(held_up), dict[str, int]()
    while here not in walk:
        walk[here] = len(walk)
        here = next(parent for parent in ontology.parents[here] if parent in held_up)
    return tuple(walk)[walk[here] :]
