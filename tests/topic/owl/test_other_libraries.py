"""Other OWL and RDF libraries read the files we write."""

from __future__ import annotations

import io
import shutil

import owlready2
import pytest
import rdflib
from rdflib.compare import isomorphic

from topicrawl.topic import owl
from topicrawl.topic.ontology import Concept, Edge, Ontology
from topicrawl.topic.shipped import ontology

STORM = Ontology(
    name="storm",
    root="rainstorm",
    concepts=(
        Concept("rainstorm", {"en": ("rainstorm", "cloudburst"), "zh": ("暴雨",)}),
        Concept("flood", {"en": ("flood",), "zh": ("洪水",)}),
        Concept("flash flood", {"en": ("flash flood",), "zh": ("山洪",)}),
        Concept("deluge", {"en": ("deluge",)}),
        Concept("water level", {"en": ("water level",)}),
    ),
    edges=(
        Edge("flood", "rainstorm", "induce", "hand"),
        Edge("flash flood", "flood", "is-a", "lattice"),
        Edge("deluge", "flood", "synonym", "wordnet"),
        Edge("water level", "flood", "attribute-of", "lattice"),
    ),
    version="1.0",
    licence="CC0-1.0",
)


@pytest.fixture
def opened() -> owlready2.Ontology:
    world = owlready2.World()
    return world.get_ontology("urn:topicrawl:storm").load(fileobj=io.BytesIO(owl.rdfxml(STORM)))


def classes(ontology: owlready2.Ontology) -> dict[str, owlready2.ThingClass]:
    return {entity.name: entity for entity in ontology.classes()}


def test_owlready_finds_every_class_with_its_labels(opened: owlready2.Ontology) -> None:
    found = classes(opened)
    assert set(found) == {"rainstorm", "flood", "flash_flood", "deluge", "water_level"}
    assert found["flash_flood"].label.en == ["flash flood"]
    assert found["flash_flood"].label.zh == ["山洪"]


def test_owlready_sees_is_a_as_subclass_and_the_other_relations_as_restrictions(
    opened: owlready2.Ontology,
) -> None:
    found = classes(opened)
    assert found["flash_flood"].is_a == [found["flood"]]
    [induced] = [parent for parent in found["flood"].is_a if isinstance(parent, owlready2.Restriction)]
    assert induced.property.name == "induced-by"
    assert induced.type == owlready2.SOME
    assert induced.value is found["rainstorm"]


def test_owlready_sees_the_provenance_of_an_edge(opened: owlready2.Ontology) -> None:
    found = classes(opened)
    provenance = opened.world["urn:topicrawl:Vocabulary#provenance"]
    assert provenance[found["flash_flood"], owlready2.rdfs_subclassof, found["flood"]] == ["lattice"]


def test_rdflib_reads_the_same_statements_from_both_forms() -> None:
    turtle = rdflib.Graph().parse(data=owl.turtle(STORM), format="turtle")
    rdfxml = rdflib.Graph().parse(data=owl.rdfxml(STORM), format="xml")
    assert isomorphic(turtle, rdfxml)
    assert len(turtle) > 40


@pytest.mark.parametrize("form", ["turtle", "xml", "pretty-xml"])
def test_a_file_saved_by_rdflib_is_read_the_same(form: str) -> None:
    graph = rdflib.Graph().parse(data=owl.turtle(STORM), format="turtle")
    assert owl.read(graph.serialize(format=form).encode()) == STORM


def test_a_file_saved_by_owlready_is_read_the_same(opened: owlready2.Ontology) -> None:
    saved = io.BytesIO()
    opened.save(saved, format="rdfxml")
    assert owl.read(saved.getvalue()) == STORM


@pytest.mark.skipif(not shutil.which("java"), reason="the reasoner HermiT needs Java")
def test_a_reasoner_derives_nothing_new_from_a_shipped_ontology() -> None:
    world = owlready2.World()
    opened = world.get_ontology("urn:topicrawl:rainstorm").load(
        fileobj=io.BytesIO(owl.rdfxml(ontology("rainstorm")))
    )
    before = {entity.name: set(entity.is_a) - {owlready2.Thing} for entity in opened.classes()}
    owlready2.sync_reasoner(world, debug=0)
    after = {entity.name: set(entity.is_a) - {owlready2.Thing} for entity in opened.classes()}
    assert not list(world.inconsistent_classes())
    assert after == before
    assert len(after) == 71
