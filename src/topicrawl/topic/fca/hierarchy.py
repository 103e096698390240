"""The hierarchy of terms: the order of the attribute concepts, as edges of an ontology.

A term is below another when every document that has it also has the other, and directly below when no third term is
between. Only the terms' extents are compared; the lattice is never enumerated.

Paper: FCWSEO §3, which draws the lattice and leaves open how its terms become a hierarchy; this is the reduced
labelling of the lattice with all unlabelled concepts left out.
Differs, or chosen where the paper is silent:
* Maximal terms are children of the root. A root that is itself a term of the context stays the root.
* A term may have several parents.
* Terms of equal extent are synonyms only where the caller says so. Otherwise they are siblings with the same
  parents and the same children.
* A synonym is a child of the first term of its extent that it is a synonym of; its own children are only synonyms.
* A term of no document would be below every other; it is made a child of the root instead.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence

from topicrawl.topic.fca.context import Context
from topicrawl.topic.ontology import Edge

AreSynonyms = Callable[[str, str], bool]


def never_synonyms(first: str, second: str) -> bool:
    """Treats no two terms as synonyms."""
    return False


def term_hierarchy(
    context: Context, root: str, are_synonyms: AreSynonyms = never_synonyms
) -> tuple[Edge, ...]:
    """Edges that connect every term of `context` to `root`, without cycles.

    They are in the order of the context's terms, the parents of a term with the fewest documents first.
    `are_synonyms` is called only for terms of equal extent, the earlier one first.
    """
    classes: dict[int, list[str]] = defaultdict(list)
    for term, extent in zip(context.terms, context.columns, strict=True):
        if term != root:
            classes[extent].append(term)
    synonyms = {edge.child: edge for terms in classes.values() for edge in _synonyms(terms, are_synonyms)}
    parents = {extent: terms or [root] for extent, terms in _parents(classes, synonyms)}
    edges: list[Edge] = []
    for term, extent in zip(context.terms, context.columns, strict=True):
        if term in synonyms:
            edges.append(synonyms[term])
        elif term != root:
            edges += (Edge(term, parent, "is-a", "lattice") for parent in parents[extent])
    return tuple(edges)


def _synonyms(terms: Sequence[str], are_synonyms: AreSynonyms) -> Iterator[Edge]:
    """An edge from each of `terms` to the first one before it that it is a synonym of."""
    for n, term in enumerate(terms):
        for earlier in terms[:n]:
            if are_synonyms(earlier, term):
                yield Edge(term, earlier, "synonym", "lattice")
                break


def _parents(
    classes: Mapping[int, Sequence[str]], synonyms: Container[str]
) -> Iterator[tuple[int, list[str]]]:
    """For every extent the terms directly above it."""
    by_size = sorted(classes, key=int.bit_count)
    for extent in classes:
        above = _directly_above(extent, by_size) if extent else []
        yield extent, [term for other in above for term in classes[other] if term not in synonyms]


def _directly_above(extent: int, by_size: Sequence[int]) -> list[int]:
    """The minimal proper supersets of `extent`; `by_size` has the smallest first."""
    found: list[int] = []
    for other in by_size:
        if other & extent == extent != other and not any(other & below == below for below in found):
            found.append(other)
    return found
