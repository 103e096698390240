"""An ontology: concepts, their relations below one root, and measures of this graph.

An edge leads from a child to its parent and names the relation between them: a flash flood *is a* flood, an alert
level is *part of* a warning, a rainstorm *induces* a landslide (the landslide is the child). The graph has one root
and no cycle; a concept may have several parents.

Making an `Ontology` checks nothing, so that a faulty one can be read, shown and corrected; `faults.validate` checks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

# Paper: FCWSEO, Value() of the relation factor.
RELATIONS: Mapping[str, float] = {
    "synonym": 1.0,
    "induce": 1 / 2,
    "is-a": 1 / 3,
    "part-of": 1 / 3,
    "attribute-of": 1 / 3,
}
Notes = tuple[tuple[str, str], ...]
"""Other statements of a file, kept when it is written: (property IRI, value in N-Triples form), such as comments."""
PROVENANCES = ("hand", "wordnet", "lattice", "rule")
"""Origins of an edge, the most trusted first."""


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept. Labels are in canonical order: languages by name, the preferred label first, the others sorted.

    `name` is the identity: the normalised preferred English (or only) label when the concept was made.
    Languages are tags like "en" or "zh-hans" in lower case, "" where a label has none.
    """

    name: str
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    notes: Notes = ()

    def __post_init__(self) -> None:
        tidied = {
            tag.lower(): _preferred_first([" ".join(label.split()) for label in labels if label.strip()])
            for tag, labels in sorted(self.labels.items())
        }
        object.__setattr__(self, "labels", {tag: labels for tag, labels in tidied.items() if labels})
        object.__setattr__(self, "notes", tuple(sorted(set(self.notes))))

    def spellings(self, languages: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """Its labels in these languages (None: in all), each once; its name where it has no label at all."""
        if not self.labels:
            return (self.name,)
        chosen = (
            labels
            for tag, labels in self.labels.items()
            if languages is None or matches_language(tag, languages)
        )
        return tuple(dict.fromkeys(label for labels in chosen for label in labels))


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation from `child` to `parent`, both concept names."""

    child: str
    parent: str
    relation: str = "is-a"
    provenance: str = "hand"

    @property
    def key(self) -> tuple[str, str, str]:
        """The edge without its provenance."""
        return self.child, self.parent, self.relation

    def __str__(self) -> str:
        return f"{self.child!r} {self.relation} {self.parent!r}"


@dataclass(frozen=True)
class Ontology:
    """Concepts and edges in canonical order (concepts by name, edges by child, parent, relation), so that equal
    ontologies compare equal. Of edges that differ only in provenance, the most trusted is kept.
    """

    name: str
    root: str
    concepts: tuple[Concept, ...]
    edges: tuple[Edge, ...]
    version: str = ""
    licence: str = ""
    notes: Notes = ()

    def __post_init__(self) -> None:
        trusted = sorted(self.edges, key=lambda edge: (edge.key, _trust(edge.provenance)), reverse=True)
        edges = {edge.key: edge for edge in trusted}
        object.__setattr__(self, "edges", tuple(edges[key] for key in sorted(edges)))
        object.__setattr__(self, "concepts", tuple(sorted(self.concepts, key=lambda concept: concept.name)))
        object.__setattr__(self, "notes", tuple(sorted(set(self.notes))))

    @cached_property
    def by_name(self) -> dict[str, Concept]:
        """Every concept under its name."""
        return {concept.name: concept for concept in self.concepts}

    @cached_property
    def parents(self) -> dict[str, tuple[str, ...]]:
        """The parents of every concept, sorted, each once whatever the relations."""
        return _neighbours(self.by_name, ((edge.child, edge.parent) for edge in self.edges))

    @cached_property
    def children(self) -> dict[str, tuple[str, ...]]:
        """The children of every concept, sorted, each once whatever the relations."""
        return _neighbours(self.by_name, ((edge.parent, edge.child) for edge in self.edges))

    @cached_property
    def max_children(self) -> int:
        """How many children the concept with most of them has."""
        return max(map(len, self.children.values()), default=0)

    @cached_property
    def depths(self) -> dict[str, int]:
        """Length of the shortest path to the root, plus 1: the root has depth 1. Unreachable concepts are left out."""
        depths: dict[str, int] = {}
        level, depth = [self.root] if self.root in self.by_name else [], 1
        while level:
            depths |= dict.fromkeys(level, depth)
            below = dict.fromkeys(child for name in level for child in self.children[name])
            level, depth = [name for name in below if name not in depths], depth + 1
        return depths

    @cached_property
    def levels(self) -> int:
        """The depth of the deepest concept."""
        return max(self.depths.values(), default=0)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Names with every parent before its children; concepts in or below a cycle are left out."""
        waiting = {name: len(parents) for name, parents in self.parents.items()}
        order = [name for name, count in waiting.items() if not count]
        for name in order:
            for child in self.children[name]:
                waiting[child] -= 1
                if not waiting[child]:
                    order.append(child)
        return tuple(order)

    @cached_property
    def ancestors(self) -> dict[str, frozenset[str]]:
        """The ancestors of every concept, itself included."""
        above: dict[str, frozenset[str]] = {}
        for name in self.order:
            above[name] = frozenset((name,)).union(*(above[parent] for parent in self.parents[name]))
        return above | {name: _reach(name, self.parents) for name in self.parents.keys() - above.keys()}

    @cached_property
    def values(self) -> dict[tuple[str, str], float]:
        """Value() of every (child, parent): where two relations join them, the stronger."""
        values: dict[tuple[str, str], float] = defaultdict(float)
        for edge in self.edges:
            pair = edge.child, edge.parent
            values[pair] = max(values[pair], RELATIONS.get(edge.relation, 0.0))
        return dict(values)

    def lca(self, first: str, second: str) -> str | None:
        """The deepest common ancestor; of equally deep ones that with more children, then the first by name."""
        common = self.ancestors[first] & self.ancestors[second]
        rank = {name: (-self.depths.get(name, 0), -len(self.children[name]), name) for name in common}
        return min(common, key=rank.__getitem__, default=None)

    def path(self, first: str, second: str) -> tuple[tuple[str, str], ...] | None:
        """The shortest path between two concepts, each step as (child, parent); None where there is none.

        Of several, the one with the largest sum of Value(), so that both directions have the same value.
        """
        came = self.paths(first)
        if second not in came:
            return None
        steps, here = [], second
        while here != first:
            before = came[here].before
            steps.append((here, before) if (here, before) in self.values else (before, here))
            here = before
        return tuple(reversed(steps))

    def paths(self, start: str) -> dict[str, Path]:
        """The shortest path from `start` to every concept it is connected with; see `path`."""
        paths = {start: Path(0, 0.0, start)}
        level = [start]
        while level:
            found: dict[str, Path] = {}
            for here in level:
                for there in (*self.parents[here], *self.children[here]):
                    if there not in paths:
                        path = Path(paths[here].steps + 1, paths[here].value + self._value(here, there), here)
                        found[there] = max(found.get(there, path), path, key=lambda path: path.value)
            paths |= found
            level = list(found)
        return paths

    def _value(self, one: str, other: str) -> float:
        return max(self.values.get((one, other), 0.0), self.values.get((other, one), 0.0))


class Path(NamedTuple):
    """A shortest path: its number of steps, the sum of Value() over them, the last concept but one."""

    steps: int
    value: float
    before: str


def matches_language(tag: str, languages: tuple[str, ...]) -> bool:
    """Whether a label's language is one of these: "zh-hans" matches "zh", and a label without language matches all."""
    return not tag or any(tag == language or tag.startswith(f"{language}-") for language in languages)


def _preferred_first(labels: list[str]) -> tuple[str, ...]:
    return (*labels[:1], *sorted(set(labels[1:]) - set(labels[:1])))


def _neighbours(names: Mapping[str, Concept], pairs: Iterator[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    near: dict[str, set[str]] = {name: set() for name in names}
    for one, other in pairs:
        if one in near and other in near:
            near[one].add(other)
    return {name: tuple(sorted(others)) for name, others in near.items()}


def _reach(start: str, near: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    reached, waiting = {start}, [start]
    while waiting:
        fresh = set(near[waiting.pop()]) - reached
        reached |= fresh
        waiting += fresh
    return frozenset(reached)


def _trust(provenance: str) -> int:
    return PROVENANCES.index(provenance) if provenance in PROVENANCES else len(PROVENANCES)
