"""Which term stands below which: the order of the attribute concepts, read as an ontology.

A term stands below another when every document that has it also has the other, and directly below when no third
term comes between. Only the terms' extents are compared; the lattice is never enumerated.

Paper: FCWSEO §3.1, which draws the lattice and leaves open how its terms become a hierarchy; this is the reduced
labelling of the lattice with all unlabelled concepts left out.
Differs, or chosen where the paper is silent:
* Maximal terms hang below the root. A root that is itself a term of the context stays on top whatever its documents.
* A term may have several parents.
* Terms of equal extent are synonyms only where the caller says so. Otherwise they are siblings: each hangs below
  the same parents and each is a parent of the same children.
* A synonym hangs below the first term of its extent that it is a synonym of, and nothing else hangs below it but
  synonyms.
* A term of no document would stand below every other. It says nothing, so it hangs below the root.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence

from topicrawl.topic.fca.context import Context
from topicrawl.topic.ontology import Edge

AreSynonyms = Callable[[str, str], bool]


def never_synonyms(first: str, second: str) -> bool:
    """No two terms mean the same."""
    return False


def term_hierarchy(
    context: Context, root: str, are_synonyms: AreSynonyms = never_synonyms
) -> tuple[Edge, ...]:
    """The edges that hang every term of `context` below `root`: no cycle, and every term is reached.

    They come in the order of the context's terms, the parents of a term with the fewest documents first.
    `are_synonyms` is asked only about terms of equal extent, the earlier one first.
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
    """Each of `terms` below the first one before it that it is a synonym of."""
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
    """The minimal ones among the extents that hold `extent` and more; `by_size` has the smallest first."""
    found: list[int] = []
    for other in by_size:
        if other & extent == extent != other and not any(other & below == below for below in found):
            found.append(other)
    return found
