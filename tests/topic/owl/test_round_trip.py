from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topic.ontologies import TREE, ontologies
from topicrawl.errors import TopicError
from topicrawl.topic import owl
from topicrawl.topic.ontology import Concept, Edge, Ontology
from topicrawl.topic.owl.names import spell, unspell

Write = Callable[[Ontology], bytes]
both = pytest.mark.parametrize("write", [owl.turtle, owl.rdfxml])

STORM = Ontology(
    name="storm",
    root="rainstorm",
    concepts=(
        Concept("rainstorm", {"en": ("rainstorm", "cloudburst"), "zh": ("暴雨",)}),
        Concept("flash flood", {"en": ("flash flood",)}),
        Concept("warning", notes=(("http://www.w3.org/2000/01/rdf-schema#comment", '"said \\"so\\""@en'),)),
    ),
    edges=(
        Edge("flash flood", "rainstorm", "induce", "wordnet"),
        Edge("warning", "rainstorm", "part-of", "lattice"),
    ),
    version="1.2",
    licence="CC0-1.0",
)


@given(ontologies(), st.sampled_from([owl.turtle, owl.rdfxml]))
def test_a_written_ontology_is_read_back_exactly(ontology: Ontology, write: Write) -> None:
    assert owl.read(write(ontology)) == ontology


@both
def test_comments_and_other_notes_are_kept(write: Write) -> None:
    again = owl.read(write(STORM))
    assert again.by_name["warning"].notes == STORM.by_name["warning"].notes
    assert again == STORM


@both
def test_the_same_ontology_gives_the_same_bytes(write: Write) -> None:
    first = write(STORM)
    assert all(write(owl.read(first)) == first for _ in range(5))


def test_an_added_edge_changes_no_other_line() -> None:
    grown = Ontology(
        STORM.name,
        STORM.root,
        STORM.concepts,
        (*STORM.edges, Edge("flash flood", "warning", "attribute-of")),
        STORM.version,
        STORM.licence,
    )
    before, after = (owl.turtle(each).decode().splitlines() for each in (STORM, grown))
    assert len(set(before) - set(after)) <= 1


@given(st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=12))
def test_a_name_can_be_decoded_from_its_iri(name: str) -> None:
    assert unspell(spell(name)) == name
    assert re.fullmatch(r"[^\s<>\"{}|\\^`#/:]+", spell(name))


@pytest.mark.parametrize("local", ["FlashFlood", "OWLClass_00a3", "flash.flood", "%ff", "%2d", ""])
def test_a_local_name_of_another_tool_is_not_taken_for_ours(local: str) -> None:
    assert unspell(local) is None


@both
def test_an_invalid_ontology_is_not_written(write: Write) -> None:
    broken = Ontology("broken", "a", TREE.concepts, (*TREE.edges, Edge("a", "d")))
    with pytest.raises(TopicError, match="ontology broken: concepts stand above themselves"):
        write(broken)
