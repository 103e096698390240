"""Checks an ontology: faults that make it unusable, and warnings about probable mistakes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from topicrawl.topic.faults import faults
from topicrawl.topic.letters import normal
from topicrawl.topic.ontology import Ontology, matches_language

DEEPEST = 12
"""Levels beyond which a chain is reported: word hierarchies are seldom so deep, and such concepts weigh little."""
NAMED = 5
"""Most concepts that a finding names."""


class Finding(NamedTuple):
    """One finding: a short stable kind, whether it makes the ontology unusable, the place, and the message."""

    kind: str
    serious: bool
    place: str
    text: str


def check(ontology: Ontology, corpus_counts: Mapping[str, int] | None = None) -> list[Finding]:
    """All findings, serious ones first.

    `corpus_counts` says how often (or in how many documents) each term occurs in the corpus; without it, absent terms
    are not reported.
    """
    found = [Finding(fault.kind, True, fault.place, fault.text) for fault in faults(ontology)]
    found += _orphans(ontology)
    found += _shared_labels(ontology)
    found += _missing_labels(ontology)
    found += _deep_chains(ontology)
    if corpus_counts is not None:
        found += _unseen(ontology, corpus_counts)
    return found


def _orphans(ontology: Ontology) -> Iterator[Finding]:
    """Concepts not reachable from the root, except those without parent, which are reported as second roots."""
    if not ontology.depths:
        return
    lost = [name for name, parents in ontology.parents.items() if parents and name not in ontology.depths]
    if lost:
        text = (
            f"the root does not lead to {_several(lost)}; they weigh nothing until they are connected to it"
        )
        yield Finding("orphan", True, lost[0], text)


def _shared_labels(ontology: Ontology) -> Iterator[Finding]:
    owners: dict[str, list[str]] = defaultdict(list)
    for concept in ontology.concepts:
        for label in dict.fromkeys(map(normal, concept.spellings())):
            owners[label].append(concept.name)
    for label, names in sorted(owners.items()):
        if len(names) > 1:
            text = f"label {label!r} is shared by {_several(names)}; it counts for the heavier only"
            yield Finding("shared-label", False, names[0], text)


def _missing_labels(ontology: Ontology) -> Iterator[Finding]:
    languages = {tag for concept in ontology.concepts for tag in concept.labels if tag}
    for language in sorted(languages):
        silent = [
            concept.name
            for concept in ontology.concepts
            if not any(matches_language(tag, (language,)) for tag in concept.labels)
        ]
        if silent:
            text = f"no label in {language} for {_several(silent)}; pages in {language} cannot match them"
            yield Finding("missing-label", False, silent[0], text)


def _deep_chains(ontology: Ontology) -> Iterator[Finding]:
    deep = [name for name, depth in ontology.depths.items() if depth > DEEPEST]
    if deep:
        text = f"{_several(deep)} are deeper than {DEEPEST} levels; check whether the chain is intended"
        yield Finding("deep", False, deep[0], text)


def _unseen(ontology: Ontology, counts: Mapping[str, int]) -> Iterator[Finding]:
    seen = {normal(term) for term, count in counts.items() if count}
    unseen = [
        concept.name for concept in ontology.concepts if seen.isdisjoint(map(normal, concept.spellings()))
    ]
    if unseen:
        text = f"the corpus does not contain {_several(unseen)}; drop them, or add the labels it uses"
        yield Finding("unseen", False, unseen[0], text)


def _several(names: Iterable[str]) -> str:
    names = list(names)
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(map(repr, names[:NAMED])) + more
