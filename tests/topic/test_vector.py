from __future__ import annotations

import pytest
from hypothesis import given

from topic.ontologies import TREE, ontologies
from topicrawl.errors import TopicError
from topicrawl.model import Page, ints, pack_ints
from topicrawl.page.relevance import PageRelevance
from topicrawl.topic.matcher import Matcher
from topicrawl.topic.ontology import Concept, Edge, Ontology
from topicrawl.topic.read import read_topic
from topicrawl.topic.similarity import weights
from topicrawl.topic.vector import topic

STORM = Ontology(
    "storms",
    "storm",
    (
        Concept("storm", {"en": ("Storm", "storms"), "zh": ("风暴",)}),
        Concept("gale", {"en": ("gale", "storm"), "zh": ("大风",)}),
        Concept("rain", {"en": ("rain",)}),
    ),
    (Edge("gale", "storm", "synonym"), Edge("rain", "storm")),
)


def test_every_concept_is_one_term_spelled_by_its_labels() -> None:
    found = topic(STORM, weights(STORM))
    assert found.terms == ("storm|storms|风暴", "gale|大风", "rain")
    assert found.weights == (1.0, *(weights(STORM)[name] for name in ("gale", "rain")))
    assert found.name == "storms"


def test_a_topic_can_be_limited_to_one_language() -> None:
    assert topic(STORM, weights(STORM), ("zh",)).terms == ("风暴", "大风")


def test_a_language_without_labels_is_refused() -> None:
    with pytest.raises(TopicError, match="no concept of 'storms' has a label in fr"):
        topic(STORM, weights(STORM), ("fr",))


def test_concepts_without_weight_are_left_out() -> None:
    assert topic(STORM, {"storm": 1.0, "rain": 0.0, "gone": 0.7}).terms == ("storm|storms|风暴",)


def test_concepts_without_labels_are_spelled_by_their_names() -> None:
    assert set(topic(TREE, weights(TREE)).terms) == set("abcdef")


@given(ontologies())
def test_the_topic_of_any_ontology_can_be_written_inline_and_read_back(ontology: Ontology) -> None:
    try:
        found = topic(ontology, weights(ontology))
    except TopicError:
        return
    spellings = [spelling for term in found.terms for spelling in term.split("|")]
    assert len(spellings) == len(set(spellings))
    assert Matcher(found.terms).count_text("nothing of the kind") is not None


def test_a_page_in_one_language_can_be_fully_about_a_topic_in_two() -> None:
    found = read_topic("tourism")
    english = "\n".join(term.split("|")[0] for term in found.terms)
    page = Page(url="", text=english, segment_starts=pack_ints([0]), segment_groups=pack_ints([3]))
    counts = Matcher(found.terms).count(page)
    assert len(ints(counts.terms)) == len(found.terms)
    assert PageRelevance(found)(counts) > 0.95
