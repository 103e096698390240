from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topic.ontologies import TREE, ontologies
from topicrawl.topic.faults import faults
from topicrawl.topic.ontology import Concept, Edge, Ontology


def of(*edges: tuple[str, str], root: str = "a") -> Ontology:
    names = sorted({root, *(name for edge in edges for name in edge)})
    return Ontology("of", root, tuple(map(Concept, names)), tuple(Edge(*edge) for edge in edges))


DIAMOND = of(("b", "a"), ("c", "a"), ("d", "b"), ("d", "c"), ("e", "c"), ("f", "e"), ("f", "a"))


def test_depth_is_the_shortest_path_to_the_root_plus_one() -> None:
    assert TREE.depths == {"a": 1, "b": 2, "c": 2, "d": 3, "e": 3, "f": 3}
    assert DIAMOND.depths["f"] == 2
    assert DIAMOND.levels == 3


def test_parents_and_children_mirror_each_other() -> None:
    assert DIAMOND.parents["d"] == ("b", "c")
    assert DIAMOND.children["c"] == ("d", "e")
    assert DIAMOND.max_children == 3


def test_ancestors_include_the_concept_itself() -> None:
    assert DIAMOND.ancestors["d"] == {"a", "b", "c", "d"}


def test_the_common_ancestor_is_the_deepest() -> None:
    assert DIAMOND.lca("d", "e") == "c"
    assert DIAMOND.lca("b", "e") == "a"
    assert DIAMOND.lca("b", "d") == "b"


def test_of_equally_deep_common_ancestors_the_one_with_more_children_wins() -> None:
    both = (("x", "b"), ("x", "c"), ("y", "b"), ("y", "c"))
    assert of(("b", "a"), ("c", "a"), *both).lca("x", "y") == "b"
    assert of(("b", "a"), ("c", "a"), ("z", "c"), *both).lca("x", "y") == "c"


def test_every_step_of_a_path_is_child_then_parent() -> None:
    assert TREE.path("f", "c") == (("f", "b"), ("b", "a"), ("c", "a"))
    assert TREE.path("c", "f") == (("c", "a"), ("b", "a"), ("f", "b"))
    assert TREE.path("c", "c") == ()


def test_there_is_no_path_between_unconnected_concepts() -> None:
    assert Ontology("two", "a", (Concept("a"), Concept("b")), ()).path("a", "b") is None


def test_of_two_shortest_paths_the_one_with_stronger_relations_is_taken() -> None:
    weak, strong = (Edge("b", "a"), Edge("d", "b")), (Edge("c", "a", "induce"), Edge("d", "c", "synonym"))
    ontology = Ontology("paths", "a", tuple(map(Concept, "abcd")), weak + strong)
    assert ontology.path("a", "d") == (("c", "a"), ("d", "c"))
    assert ontology.paths("d")["a"].value == ontology.paths("a")["d"].value == 1.5


@given(ontologies(), st.data())
def test_a_path_is_as_long_and_as_strong_in_both_directions(ontology: Ontology, data: st.DataObject) -> None:
    names = st.sampled_from([concept.name for concept in ontology.concepts])
    one, other = data.draw(names), data.draw(names)
    there, back = ontology.paths(one)[other], ontology.paths(other)[one]
    assert there.steps == back.steps == len(ontology.path(one, other) or ())
    assert there.value == pytest.approx(back.value)


@given(ontologies())
def test_a_child_is_at_most_one_level_below_each_parent(ontology: Ontology) -> None:
    for name, parents in ontology.parents.items():
        if parents:
            assert ontology.depths[name] == 1 + min(ontology.depths[parent] for parent in parents)


def test_ontologies_are_equal_whatever_the_order_of_their_parts() -> None:
    turned = replace(TREE, concepts=TREE.concepts[::-1], edges=TREE.edges[::-1])
    assert turned == TREE


def test_of_edges_that_differ_in_provenance_the_most_trusted_is_kept() -> None:
    edges = (
        Edge("b", "a", "is-a", "lattice"),
        Edge("b", "a", "is-a", "hand"),
        Edge("b", "a", "is-a", "wordnet"),
    )
    ontology = Ontology("same", "a", (Concept("a"), Concept("b")), edges)
    assert ontology.edges == (Edge("b", "a", "is-a", "hand"),)


def test_the_preferred_label_stays_first_and_the_others_are_sorted() -> None:
    concept = Concept("flood", {"EN": ("flood", "inundation", " deluge ", "flood", "")})
    assert concept.labels == {"en": ("flood", "deluge", "inundation")}


def test_a_concept_without_labels_is_spelled_by_its_name() -> None:
    assert Concept("flood").spellings() == ("flood",)


def test_spellings_can_be_limited_to_languages() -> None:
    concept = Concept("flood", {"en": ("flood",), "zh-hans": ("洪水",), "": ("hw",), "zhx": ("?",)})
    assert concept.spellings(("zh",)) == ("hw", "洪水")


@given(ontologies())
def test_an_ontology_built_from_one_root_has_no_fault(ontology: Ontology) -> None:
    assert not list(faults(ontology))
