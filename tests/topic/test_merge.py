from __future__ import annotations

from dataclasses import replace

from hypothesis import given

from topic.ontologies import ontologies
from topicrawl.topic.faults import faults
from topicrawl.topic.merge import merge
from topicrawl.topic.ontology import Concept, Edge, Ontology

COMMENT = ("http://www.w3.org/2000/01/rdf-schema#comment", '"mine"')


def built(*edges: tuple[str, str], names: tuple[str, ...] = ()) -> Ontology:
    """The result of a build: root "storm", lattice edges."""
    every = sorted({"storm", *names, *(name for edge in edges for name in edge)})
    concepts = tuple(Concept(name, {"en": (name,)}) for name in every)
    return Ontology("storms", "storm", concepts, tuple(Edge(*edge, "is-a", "lattice") for edge in edges))


def by_hand(ontology: Ontology, *edges: Edge) -> Ontology:
    extra = {name for edge in edges for name in (edge.child, edge.parent)} - set(ontology.by_name)
    return replace(
        ontology, concepts=(*ontology.concepts, *map(Concept, extra)), edges=(*ontology.edges, *edges)
    )


BUILT = built(("flood", "storm"), ("flash flood", "flood"), ("hail", "storm"))


def test_a_second_build_of_the_same_changes_nothing() -> None:
    assert merge(BUILT, BUILT) == BUILT


def test_edges_of_the_old_build_are_replaced_by_the_new() -> None:
    new = built(("flood", "storm"), ("wind", "storm"))
    assert merge(BUILT, new) == new


def test_an_edge_by_hand_survives() -> None:
    mine = Edge("hail", "flood", "induce")
    assert mine in merge(by_hand(BUILT, mine), BUILT).edges


def test_a_concept_moved_by_hand_is_not_moved_back() -> None:
    moved = replace(
        BUILT, edges=(*(edge for edge in BUILT.edges if edge.child != "hail"), Edge("hail", "flood"))
    )
    assert merge(moved, BUILT).parents["hail"] == ("flood",)


def test_a_concept_added_by_hand_survives_with_its_ancestors() -> None:
    old = by_hand(BUILT, Edge("torrent", "flash flood", "synonym"))
    merged = merge(old, built(("hail", "storm"), ("flood", "storm")))
    assert merged.parents["torrent"] == ("flash flood",)
    assert merged.parents["flash flood"] == ("flood",)


def test_a_label_changed_by_hand_stays_the_preferred_one() -> None:
    relabelled = replace(
        BUILT, concepts=(Concept("hail", {"en": ("hailstones",)}), *BUILT.concepts[0:2], BUILT.concepts[3])
    )
    assert merge(relabelled, BUILT).by_name["hail"].labels["en"] == ("hailstones", "hail")


def test_a_commented_concept_survives_with_its_comment() -> None:
    old = replace(BUILT, concepts=(*BUILT.concepts[:2], Concept("hail", {}, (COMMENT,)), BUILT.concepts[3]))
    assert merge(old, built(("flood", "storm"))).by_name["hail"].notes == (COMMENT,)


def test_where_hand_and_build_make_a_cycle_the_edge_of_the_build_is_removed() -> None:
    merged = merge(
        by_hand(built(("flood", "storm")), Edge("flood", "hail")),
        built(("flood", "storm"), ("hail", "flood")),
    )
    assert not list(faults(merged))
    assert "hail" in merged.parents["flood"]
    assert merged.parents["hail"] == ("storm",)


def test_licence_and_notes_of_the_file_are_kept() -> None:
    merged = merge(replace(BUILT, licence="CC0-1.0", notes=(COMMENT,)), BUILT)
    assert (merged.licence, merged.notes) == ("CC0-1.0", (COMMENT,))


@given(ontologies(), ontologies())
def test_no_edge_by_hand_is_ever_lost(old: Ontology, new: Ontology) -> None:
    merged = merge(old, new)
    hand = {edge for edge in old.edges if edge.provenance == "hand"}
    assert hand <= set(merged.edges)


@given(ontologies())
def test_merging_with_itself_changes_nothing(ontology: Ontology) -> None:
    assert merge(ontology, ontology) == ontology
