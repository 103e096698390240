from __future__ import annotations

import concepts as peer
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topic.fca.examples import TABLE_1, contexts, numbered, random_context
from topicrawl.topic.fca.concepts import enumerate_concepts
from topicrawl.topic.fca.context import Context, FormalConcept


def test_the_context_of_the_paper_has_twelve_concepts() -> None:
    found = enumerate_concepts(TABLE_1)
    assert [("".join(d), "".join(t)) for d, t in map(TABLE_1.names, found.found)] == [
        ("D1D2D3D4", ""),
        ("D1D2D3", "T2"),
        ("D1D3D4", "T1"),
        ("D2D3D4", "T3"),
        ("D1D2", "T2T4"),
        ("D1D3", "T1T2"),
        ("D2D3", "T2T3"),
        ("D3D4", "T1T3"),
        ("D1", "T1T2T4"),
        ("D2", "T2T3T4"),
        ("D3", "T1T2T3"),
        ("", "T1T2T3T4"),
    ]
    assert not found.cut


@given(contexts())
def test_the_concepts_are_the_closed_pairs_each_once(context: Context) -> None:
    by_force = set()
    for terms in range(context.all_terms + 1):
        extent = context.documents_with(terms)
        by_force.add(FormalConcept(extent, context.shared_terms(extent)))
    found = enumerate_concepts(context).found
    assert len(found) == len(by_force)
    assert set(found) == by_force


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    ("documents", "terms", "density"), [(40, 25, 0.1), (25, 40, 0.2), (12, 12, 0.7), (1, 5, 0.5)]
)
def test_an_independent_library_finds_the_same_concepts(
    seed: int, documents: int, terms: int, density: float
) -> None:
    context = random_context(seed, documents, terms, density)
    table = [[bool(row >> j & 1) for j in range(terms)] for row in context.rows]
    theirs = {(c.extent, c.intent) for c in peer.Context(context.documents, context.terms, table).lattice}
    ours = [context.names(concept) for concept in enumerate_concepts(context).found]
    assert len(ours) == len(theirs)
    assert set(ours) == theirs


@given(contexts())
def test_concepts_are_ordered_by_decreasing_support_from_top_to_bottom(context: Context) -> None:
    found = enumerate_concepts(context).found
    assert found[0].extent == context.all_documents
    assert found[-1].intent == context.all_terms
    keys = [(-concept.extent.bit_count(), concept.extent) for concept in found]
    assert keys == sorted(keys)


@given(contexts(), st.integers(1, 30))
def test_too_many_concepts_are_cut_to_the_largest_iceberg_that_fits(context: Context, limit: int) -> None:
    everything = enumerate_concepts(context).found
    tip = enumerate_concepts(context, limit)
    assert tip.found == tuple(c for c in everything if c.extent.bit_count() >= tip.support)
    assert len(tip.found) <= limit
    assert tip.cut == (len(everything) > limit)
    if tip.cut:
        assert sum(c.extent.bit_count() >= tip.support - 1 for c in everything) > limit


def test_a_lattice_of_two_to_the_fortieth_concepts_stops_at_twenty_thousand() -> None:
    everything_but_one = [(1 << 40) - 1 ^ 1 << i for i in range(40)]
    found = enumerate_concepts(numbered(everything_but_one, 40))
    assert found.cut
    assert found.support == 37
    assert len(found.found) == 1 + 40 + 40 * 39 // 2 + 40 * 39 * 38 // 6
