from __future__ import annotations

import pytest

from topicrawl.topic import owl
from topicrawl.topic.check import check
from topicrawl.topic.ontology import RELATIONS
from topicrawl.topic.shipped import SHIPPED, ontology
from topicrawl.topic.similarity import weights

every = pytest.mark.parametrize("name", SHIPPED)


@pytest.mark.parametrize(
    ("name", "concepts", "levels"), [("rainstorm", 71, 7), ("rainstorm-50", 50, 6), ("tourism", 61, 7)]
)
def test_a_shipped_ontology_has_the_size_that_the_papers_report(
    name: str, concepts: int, levels: int
) -> None:
    assert len(ontology(name).concepts) == concepts
    assert ontology(name).levels == levels


@every
def test_a_shipped_ontology_has_relations_of_all_five_kinds(name: str) -> None:
    assert {edge.relation for edge in ontology(name).edges} == set(RELATIONS)


@every
def test_every_concept_has_an_english_and_a_chinese_label_of_its_own(name: str) -> None:
    assert all(concept.labels.keys() == {"en", "zh"} for concept in ontology(name).concepts)
    assert not check(ontology(name))


def test_the_branches_are_those_of_the_papers() -> None:
    assert ontology("rainstorm-50").children["rainstorm disaster"] == (
        "disaster grade",
        "disaster management",
        "secondary disaster",
    )
    assert ontology("tourism").children["tourism"] == (
        "accommodation",
        "means of transportation",
        "service agency",
        "tourism purpose",
        "tourism route",
        "tourist",
        "tourist attraction",
    )
    parts = {
        "rainstorm warning",
        "rainstorm level",
        "disaster impact",
        "direct disaster",
        "disaster prevention",
    }
    assert parts <= set(ontology("rainstorm").children["rainstorm disaster"])
    assert {"geological hazard", "flood"} <= set(ontology("rainstorm").children["direct disaster"])


@every
def test_concepts_nearer_to_the_root_weigh_more_on_average(name: str) -> None:
    found = weights(ontology(name))
    near = [found[each] for each, depth in ontology(name).depths.items() if depth == 2]
    far = [found[each] for each, depth in ontology(name).depths.items() if depth >= 4]
    assert max(far) < max(near)
    assert sum(far) / len(far) < min(near)


@every
def test_a_shipped_ontology_can_be_written_as_owl(name: str) -> None:
    assert owl.read(owl.turtle(ontology(name))) == ontology(name)
