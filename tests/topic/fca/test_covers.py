from __future__ import annotations

import concepts as peer
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topic.fca.examples import TABLE_1, contexts, random_context
from topicrawl.topic.fca.context import Context
from topicrawl.topic.fca.covers import Lattice, build_lattice


def by_extent(lattice: Lattice) -> set[tuple[str, str]]:
    """Every cover as the names of the smaller and of the larger extent."""
    names = ["".join(lattice.context.names(concept)[0]) for concept in lattice.concepts]
    return {(names[below], names[above]) for below, uppers in enumerate(lattice.upper) for above in uppers}


def test_the_lattice_of_the_paper_has_twenty_covers() -> None:
    lattice = build_lattice(TABLE_1)
    assert sum(map(len, lattice.upper)) == 20
    assert by_extent(lattice) == {
        *(("D1D2D3", "D1D2D3D4"), ("D1D3D4", "D1D2D3D4"), ("D2D3D4", "D1D2D3D4"), ("D1D2", "D1D2D3")),
        *(("D1D3", "D1D2D3"), ("D1D3", "D1D3D4"), ("D2D3", "D1D2D3"), ("D2D3", "D2D3D4")),
        *(("D3D4", "D1D3D4"), ("D3D4", "D2D3D4"), ("D1", "D1D2"), ("D1", "D1D3"), ("D2", "D1D2")),
        *(("D2", "D2D3"), ("D3", "D1D3"), ("D3", "D2D3"), ("D3", "D3D4"), ("", "D1"), ("", "D2"), ("", "D3")),
    }


@given(contexts(documents=6, terms=6))
def test_a_cover_is_larger_with_nothing_between(context: Context) -> None:
    lattice = build_lattice(context)
    extents = [concept.extent for concept in lattice.concepts]
    for below, small in enumerate(extents):
        larger = [n for n, extent in enumerate(extents) if extent & small == small != extent]
        minimal = [
            n for n in larger if not any(extents[k] & extents[n] == extents[k] != extents[n] for k in larger)
        ]
        assert list(lattice.upper[below]) == minimal


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("documents", "terms", "density"), [(40, 25, 0.1), (12, 12, 0.7)])
def test_an_independent_library_finds_the_same_covers(
    seed: int, documents: int, terms: int, density: float
) -> None:
    context = random_context(seed, documents, terms, density)
    table = [[bool(row >> j & 1) for j in range(terms)] for row in context.rows]
    theirs = {
        ("".join(concept.extent), "".join(above.extent))
        for concept in peer.Context(context.documents, context.terms, table).lattice
        for above in concept.upper_neighbors
    }
    assert by_extent(build_lattice(context)) == theirs


@given(contexts(), st.integers(1, 20))
def test_the_iceberg_of_a_lattice_is_the_lattice_built_with_that_limit(context: Context, limit: int) -> None:
    assert build_lattice(context).iceberg(limit) == build_lattice(context, limit)


@given(contexts(), st.integers(1, 20))
def test_every_concept_but_the_top_has_a_cover_that_comes_before_it(context: Context, limit: int) -> None:
    lattice = build_lattice(context, limit)
    assert lattice.upper[0] == ()
    for n, above in enumerate(lattice.upper[1:], 1):
        assert above
        assert max(above) < n


def test_a_lattice_that_was_cut_has_a_notice() -> None:
    assert build_lattice(TABLE_1).notice == ""
    assert "the 4 with at least 3 documents" in build_lattice(TABLE_1, limit=7).notice
