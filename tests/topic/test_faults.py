from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from topic.ontologies import TREE
from topicrawl.errors import TopicError
from topicrawl.topic.faults import faults, find_cycle, validate
from topicrawl.topic.ontology import Concept, Edge, Ontology


def with_edge(*edge: str) -> Ontology:
    return replace(TREE, edges=(*TREE.edges, Edge(*edge)))


def refused(ontology: Ontology) -> str:
    with pytest.raises(TopicError) as refusal:
        validate(ontology, "topics/tree/ontology.ttl")
    message = str(refusal.value)
    assert message.startswith("ontology topics/tree/ontology.ttl: ")
    assert "\n" not in message
    return message


def test_a_cycle_is_named_step_by_step() -> None:
    assert "'b' → 'd' → 'b'" in refused(with_edge("b", "d"))


def test_a_concept_above_itself_is_a_cycle() -> None:
    assert find_cycle(with_edge("d", "d")) == ("d",)


def test_a_cycle_is_found_after_a_long_chain() -> None:
    names = [f"c{number:05}" for number in range(20_000)]
    chain = [Edge(child, parent) for parent, child in pairwise(names)]
    ontology = Ontology("long", names[0], tuple(map(Concept, names)), tuple(chain))
    assert find_cycle(ontology) == ()
    assert len(find_cycle(replace(ontology, edges=(*chain, Edge(names[0], names[-1]))))) == 20_000


def test_an_unknown_relation_is_named_with_the_known_ones() -> None:
    message = refused(with_edge("d", "a", "causes"))
    assert "'d' causes 'a'" in message
    assert "synonym, induce, is-a, part-of, attribute-of" in message


def test_an_edge_to_an_unknown_concept_is_named() -> None:
    assert "there is no concept 'x', named in 'd' is-a 'x'" in refused(with_edge("d", "x"))


def test_an_unknown_provenance_is_named() -> None:
    assert "'rumour'" in refused(with_edge("d", "a", "is-a", "rumour"))


def test_a_second_root_is_named() -> None:
    message = refused(replace(TREE, concepts=(*TREE.concepts, Concept("g"))))
    assert "'g' has no parent, like the root 'a'" in message


def test_a_root_that_is_no_concept_is_named_with_candidates() -> None:
    assert "its root 'z' is no concept; name 'a'" in refused(replace(TREE, root="z"))


def test_a_root_with_a_parent_is_refused() -> None:
    assert "the root 'b' has a parent, 'a'" in refused(replace(TREE, root="b"))


def test_two_concepts_of_one_name_are_refused() -> None:
    assert "two concepts are called 'c'" in refused(replace(TREE, concepts=(*TREE.concepts, Concept("c"))))


def test_an_ontology_without_concepts_is_refused() -> None:
    assert "has no concepts" in refused(Ontology("none", "", (), ()))


@pytest.mark.parametrize("label", ["a\x00b", "\x7f", "\ud800", "\uffff"])
def test_a_label_that_cannot_be_written_is_refused(label: str) -> None:
    assert "'g'" in refused(Ontology("odd", "g", (Concept("g", {"en": (label,)}),), ()))


def test_a_very_long_label_is_refused_without_repeating_it() -> None:
    assert len(refused(Ontology("long", "g", (Concept("g", {"en": ("x" * 10_000_000,)}),), ()))) < 200


def test_a_language_that_is_no_tag_is_refused() -> None:
    assert "'english language'" in refused(
        Ontology("odd", "g", (Concept("g", {"English language": ("g",)}),), ())
    )


def test_all_faults_are_reported_not_only_the_first() -> None:
    broken = replace(with_edge("d", "x", "causes"), concepts=(*TREE.concepts, Concept("g")))
    assert [fault.kind for fault in faults(broken)] == ["relation", "unknown", "roots"]
