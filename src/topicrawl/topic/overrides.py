"""overrides.toml: the user's corrections to a built ontology. Read after every build, never written.

drop = ["site map"]                                  # its children move up

[rename]
"flash floods" = "flash flood"                       # the old name stays a label; merged where the new name exists

[concepts."storm surge"]                             # changed, or added where the build has none
parents = { flood = "is-a", typhoon = "induce" }     # all its parents; a new concept without any is below the root
synonyms = ["tidal surge"]                           # concepts that become synonyms of this one
weight = 0.7                                         # instead of the computed one

[concepts."storm surge".labels]                      # put before its own labels
en = ["storm surge", "storm surges"]
zh = ["风暴潮"]
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from topicrawl.errors import TopicError
from topicrawl.topic.faults import validate
from topicrawl.topic.letters import normal
from topicrawl.topic.merge import attach_orphans, joined, without_cycles
from topicrawl.topic.ontology import RELATIONS, Concept, Edge, Ontology

_KEYS = ("drop", "rename", "concepts")
_CONCEPT_KEYS = ("parents", "synonyms", "labels", "weight")


@dataclass(frozen=True, slots=True)
class Change:
    """Changes to one concept; None where there is none."""

    parents: Mapping[str, str] | None = None
    synonyms: tuple[str, ...] = ()
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    weight: float | None = None


@dataclass(frozen=True, slots=True)
class Overrides:
    """The content of an overrides.toml, names in their normal form; `source` is for messages."""

    drop: tuple[str, ...] = ()
    rename: Mapping[str, str] = field(default_factory=dict)
    concepts: Mapping[str, Change] = field(default_factory=dict)
    source: str = "overrides.toml"


def read(content: bytes, source: str = "overrides.toml") -> Overrides:
    """The overrides in a file with this content; `TopicError` naming `source` and the place when it has a mistake."""
    try:
        table = tomllib.loads(content.decode("utf-8-sig"))
    except ValueError as error:
        raise TopicError(f"{source}: is not valid TOML in UTF-8: {error}") from None
    reader = _Reader(source)
    reader.known(table, _KEYS, "")
    return Overrides(
        drop=tuple(map(normal, reader.texts(table.get("drop", []), "drop"))),
        rename={normal(old): normal(new) for old, new in reader.table(table, "rename", str).items()},
        concepts={
            normal(name): reader.change(entry, name)
            for name, entry in reader.table(table, "concepts", dict).items()
        },
        source=source,
    )


def apply(ontology: Ontology, overrides: Overrides) -> Ontology:
    """The ontology with the overrides applied; `TopicError` when the result is not valid."""
    for old, new in overrides.rename.items():
        ontology = _renamed(ontology, old, new)
    for name in overrides.drop:
        ontology = _dropped(ontology, name, overrides.source)
    for name, change in overrides.concepts.items():
        ontology = _changed(ontology, name, change)
    return validate(attach_orphans(without_cycles(ontology)), overrides.source)


def reweigh(weights: Mapping[str, float], overrides: Overrides) -> dict[str, float]:
    """The computed weights, replaced where the user set others."""
    given = {name: change.weight for name, change in overrides.concepts.items() if change.weight is not None}
    return {name: given.get(name, weight) for name, weight in weights.items()}


def _renamed(ontology: Ontology, old: str, new: str) -> Ontology:
    if old not in ontology.by_name or old == new:
        return ontology
    concept = ontology.by_name[old]
    tag = next((tag for tag, labels in concept.labels.items() if normal(labels[0]) == old), "en")
    named = joined(Concept(new, {tag: (new, old)}), replace(concept, name=new))
    if new in ontology.by_name:
        named = joined(ontology.by_name[new], named)
    others = (each for each in ontology.concepts if each.name not in (old, new))
    swap = {old: new}
    edges = (
        replace(edge, child=swap.get(edge.child, edge.child), parent=swap.get(edge.parent, edge.parent))
        for edge in ontology.edges
    )
    return replace(
        ontology,
        root=swap.get(ontology.root, ontology.root),
        concepts=(named, *others),
        edges=tuple(edge for edge in edges if edge.child != edge.parent),
    )


def _dropped(ontology: Ontology, name: str, source: str) -> Ontology:
    """The ontology without the concept; its children move to its parents."""
    if name == ontology.root:
        raise TopicError(
            f"{source}: drop: {name!r} is the root; rename it, or build the topic from another root"
        )
    above = ontology.parents.get(name, ())
    left = [edge for edge in ontology.edges if name not in (edge.child, edge.parent)]
    moved = [
        replace(edge, parent=parent) for edge in ontology.edges if edge.parent == name for parent in above
    ]
    concepts = tuple(concept for concept in ontology.concepts if concept.name != name)
    return replace(ontology, concepts=concepts, edges=(*left, *moved))


def _changed(ontology: Ontology, name: str, change: Change) -> Ontology:
    added = [each for each in (name, *change.synonyms) if each not in ontology.by_name]
    concepts = {**ontology.by_name, **{each: Concept(each) for each in added}}
    concepts[name] = joined(Concept(name, change.labels), concepts[name])
    placed = {*change.synonyms, *((name,) if change.parents is not None else ())}
    edges = [edge for edge in ontology.edges if edge.child not in placed]
    edges += [Edge(name, parent, relation) for parent, relation in (change.parents or {}).items()]
    edges += [Edge(synonym, name, "synonym") for synonym in change.synonyms]
    if name in added and change.parents is None:
        edges.append(Edge(name, ontology.root))
    return replace(ontology, concepts=tuple(concepts.values()), edges=tuple(edges))


class _Reader:
    """Checks TOML values; errors name the place."""

    def __init__(self, source: str) -> None:
        self._source = source

    def known(self, table: Mapping[str, Any], keys: Iterable[str], place: str) -> None:
        for key in table:
            if key not in keys:
                raise self._error(f"{place}unknown key {key!r}; known are {', '.join(keys)}")

    def table(self, table: Mapping[str, Any], key: str, kind: type) -> dict[str, Any]:
        value = table.get(key, {})
        if not isinstance(value, dict) or not all(isinstance(each, kind) for each in value.values()):
            raise self._error(f"{key} is no table of {'tables' if kind is dict else 'texts'}; write [{key}]")
        return value

    def texts(self, value: object, place: str) -> list[str]:
        if not isinstance(value, list) or not all(isinstance(each, str) and each.strip() for each in value):
            raise self._error(f'{place}: {value!r} is no list of texts; write ["…", "…"]')
        return value

    def change(self, table: dict[str, Any], name: str) -> Change:
        self.known(table, _CONCEPT_KEYS, f"concept {name!r}: ")
        parents = {normal(each): relation for each, relation in self.table(table, "parents", str).items()}
        for relation in parents.values():
            if relation not in RELATIONS:
                raise self._error(
                    f"concept {name!r}: unknown relation {relation!r}; known are {', '.join(RELATIONS)}"
                )
        weight = table.get("weight")
        if weight is not None and (
            isinstance(weight, bool)
            or not isinstance(weight, int | float)
            or not 0 <= weight <= sys.float_info.max
        ):
            raise self._error(f"concept {name!r}: weight {weight!r} is unusable; give 0 or more")
        return Change(
            parents=parents if "parents" in table else None,
            synonyms=tuple(map(normal, self.texts(table.get("synonyms", []), f"concept {name!r}: synonyms"))),
            labels={
                tag: tuple(self.texts(labels, f"concept {name!r}: labels in {tag}"))
                for tag, labels in self.table(table, "labels", list).items()
            },
            weight=None if weight is None else float(weight),
        )

    def _error(self, text: str) -> TopicError:
        return TopicError(f"{self._source}: {text}")
