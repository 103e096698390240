from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import given

from topic.ontologies import TREE, ontologies
from topicrawl.topic.check import DEEPEST, Finding, check
from topicrawl.topic.ontology import Concept, Edge, Ontology


def kinds(found: list[Finding]) -> list[str]:
    return [finding.kind for finding in found]


def labelled(*concepts: Concept) -> Ontology:
    edges = tuple(Edge(concept.name, concepts[0].name) for concept in concepts[1:])
    return Ontology("labelled", concepts[0].name, concepts, edges)


def test_a_sound_ontology_has_no_findings() -> None:
    assert check(TREE) == []


def test_faults_are_serious_and_come_first() -> None:
    broken = replace(TREE, edges=(*TREE.edges, Edge("b", "d"), Edge("c", "b", "causes")))
    found = check(broken)
    assert kinds(found) == ["relation", "cycle"]
    assert all(finding.serious for finding in found)


def test_concepts_not_reachable_from_the_root_are_orphans() -> None:
    islands = replace(
        TREE, concepts=(*TREE.concepts, Concept("x"), Concept("y")), edges=(*TREE.edges, Edge("y", "x"))
    )
    found = check(islands)
    assert kinds(found) == ["roots", "orphan"]
    assert [finding.place for finding in found] == ["x", "y"]


def test_a_label_of_two_concepts_is_reported_whatever_its_case() -> None:
    [finding] = check(
        labelled(Concept("storm", {"en": ("storm",)}), Concept("gale", {"en": ("gale", "Storm")}))
    )
    assert (finding.kind, finding.serious) == ("shared-label", False)
    assert "'storm' is shared by 'gale', 'storm'" in finding.text


def test_concepts_without_label_in_a_language_the_others_have_are_reported_together() -> None:
    english = [Concept(f"term {number}", {"en": (f"term {number}",)}) for number in range(7)]
    [finding] = check(labelled(*english, Concept("storm", {"en": ("storm",), "zh": ("风暴",)})))
    assert finding.kind == "missing-label"
    assert "no label in zh for 'term 0', 'term 1', 'term 2', 'term 3', 'term 4' and 2 more" in finding.text


def test_a_regional_label_counts_for_its_language() -> None:
    assert not check(
        labelled(Concept("storm", {"zh": ("风暴",)}), Concept("gale", {"zh": ("大风",), "": ("gale",)}))
    )


def test_a_very_deep_chain_is_reported() -> None:
    names = [f"level {number:02}" for number in range(1, DEEPEST + 2)]
    edges = tuple(Edge(child, parent) for parent, child in pairwise(names))
    [finding] = check(Ontology("deep", names[0], tuple(map(Concept, names)), edges))
    assert (finding.kind, finding.place) == ("deep", "level 13")


def test_concepts_absent_from_the_corpus_are_reported() -> None:
    ontology = labelled(Concept("storm", {"en": ("storm", "storms")}), Concept("gale", {"en": ("gale",)}))
    [finding] = check(ontology, {"Storms": 3, "gale": 0})
    assert (finding.kind, finding.place) == ("unseen", "gale")
    assert not check(ontology, {"storm": 1, "gale": 1})


@given(ontologies())
def test_a_valid_ontology_has_nothing_serious(ontology: Ontology) -> None:
    assert not [finding for finding in check(ontology) if finding.serious]
