from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topic.fca.examples import TABLE_1, context_of, contexts, numbered, random_context
from topicrawl.topic.fca import concepts
from topicrawl.topic.fca.context import Context
from topicrawl.topic.fca.hierarchy import term_hierarchy
from topicrawl.topic.ontology import Edge


def is_a(child: str, parent: str) -> Edge:
    return Edge(child, parent, "is-a", "lattice")


def synonym(child: str, parent: str) -> Edge:
    return Edge(child, parent, "synonym", "lattice")


def by_columns(**terms: str) -> Context:
    """A context by columns: rain="abc" occurs in the documents a, b and c."""
    documents = sorted(set("".join(terms.values())))
    return context_of(tuple(terms), {d: [t for t, has in terms.items() if d in has] for d in documents})


def test_the_terms_of_the_paper_make_the_tree_of_its_lattice() -> None:
    edges = term_hierarchy(TABLE_1, "root")
    assert edges == (is_a("T1", "root"), is_a("T2", "root"), is_a("T3", "root"), is_a("T4", "T2"))


def test_a_term_is_a_child_of_every_term_directly_above_it() -> None:
    context = by_columns(weather="abcde", rain="abc", wind="bcd", storm="bc")
    assert term_hierarchy(context, "nature") == (
        is_a("weather", "nature"),
        is_a("rain", "weather"),
        is_a("wind", "weather"),
        is_a("storm", "rain"),
        is_a("storm", "wind"),
    )


def test_terms_of_equal_extent_are_siblings_and_share_their_children() -> None:
    context = by_columns(weather="abc", flood="ab", deluge="ab", dyke="a")
    assert term_hierarchy(context, "root") == (
        is_a("weather", "root"),
        is_a("flood", "weather"),
        is_a("deluge", "weather"),
        is_a("dyke", "flood"),
        is_a("dyke", "deluge"),
    )


def test_terms_of_equal_extent_are_synonyms_where_the_caller_says_so() -> None:
    context = by_columns(flood="ab", deluge="ab", bridge="ab", inundation="ab", dyke="a")
    asked = []

    def are_synonyms(first: str, second: str) -> bool:
        asked.append((first, second))
        return (first, second) in {("flood", "deluge"), ("deluge", "inundation")}

    assert term_hierarchy(context, "root", are_synonyms) == (
        is_a("flood", "root"),
        synonym("deluge", "flood"),
        is_a("bridge", "root"),
        synonym("inundation", "deluge"),
        is_a("dyke", "flood"),
        is_a("dyke", "bridge"),
    )
    assert all("dyke" not in pair for pair in asked)


def test_a_root_that_is_a_term_stays_on_top() -> None:
    context = by_columns(rain="abc", storm="ab", hail="a")
    assert term_hierarchy(context, "storm") == (is_a("rain", "storm"), is_a("hail", "rain"))


def test_a_term_of_no_document_is_a_child_of_the_root() -> None:
    context = numbered([0b001, 0b011], 3)
    assert term_hierarchy(context, "root") == (is_a("t0", "root"), is_a("t1", "t0"), is_a("t2", "root"))


@given(contexts(), st.sampled_from(["root", "t0"]), st.booleans())
def test_every_term_is_reached_from_the_root_and_there_is_no_cycle(
    context: Context, root: str, synonyms: bool
) -> None:
    edges = term_hierarchy(context, root, lambda first, second: synonyms)
    placed, waiting = {root}, set(context.terms) - {root}
    while ready := {t for t in waiting if all(e.parent in placed for e in edges if e.child == t)}:
        placed |= ready
        waiting -= ready
    assert not waiting
    assert {edge.child for edge in edges} == set(context.terms) - {root}
    assert len(set(edges)) == len(edges)


@given(contexts())
def test_an_edge_leads_to_a_smallest_larger_extent(context: Context) -> None:
    extents = {t: e for t, e in zip(context.terms, context.columns, strict=True) if e}
    for term, extent in extents.items():
        above = {t for t, e in extents.items() if e & extent == extent != e}
        direct = {
            t for t in above if not any(extents[s] & extents[t] == extents[s] != extents[t] for s in above)
        }
        parents = {edge.parent for edge in term_hierarchy(context, "root") if edge.child == term}
        assert parents == (direct or {"root"})


def test_the_hierarchy_of_a_huge_lattice_is_made_without_enumerating_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(concepts, "enumerate_concepts")
    everything_but_one = numbered([(1 << 300) - 1 ^ 1 << i for i in range(300)], 300)
    assert len(term_hierarchy(everything_but_one, "root")) == 300
    assert len(term_hierarchy(random_context(1, 1000, 300, 0.1), "root")) >= 300
