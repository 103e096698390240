"""Suggestions of WordNet for an ontology."""

from __future__ import annotations

import pytest

from topicrawl.topic.ontology import Concept, Edge, Ontology
from topicrawl.topic.wordnet import WordNet
from topicrawl.topic.wordnet.enrich import Advice, advise, choose_senses

WEATHER = ("rain", "storm", "rainstorm", "rainfall", "precipitation", "weather")


def ontology(*names: str, edges: tuple[Edge, ...] | None = None) -> Ontology:
    """All `names` below the root "topic", unless `edges` says otherwise."""
    hung = tuple(Edge(name, "topic") for name in names) if edges is None else edges
    return Ontology("test", "topic", tuple(map(Concept, ("topic", *names))), hung)


def said(advice: Advice) -> set[str]:
    return {str(edge) for edge in advice.edges}


def test_a_more_general_concept_is_suggested_and_only_the_nearest(wordnet: WordNet) -> None:
    found = said(advise(wordnet, ontology(*WEATHER)))
    assert {"'rainstorm' is-a 'storm'", "'rain' is-a 'precipitation'"} <= found
    assert "'rainstorm' is-a 'precipitation'" not in found


def test_two_concepts_of_one_sense_are_suggested_as_synonyms_once(wordnet: WordNet) -> None:
    advice = advise(wordnet, ontology(*WEATHER))
    synonyms = [edge for edge in advice.edges if edge.relation == "synonym"]
    assert synonyms == [Edge("rainfall", "rain", "synonym", "wordnet")]
    assert not any(edge.parent == "rainfall" for edge in advice.edges)


def test_existing_edges_are_not_suggested_again(wordnet: WordNet) -> None:
    known = (
        Edge("weather", "topic"),
        Edge("precipitation", "weather"),
        Edge("rain", "precipitation", "part-of"),
        Edge("rainfall", "rain", "synonym"),
        Edge("storm", "topic"),
        Edge("rainstorm", "rain"),
        Edge("rainstorm", "storm"),
    )
    advice = advise(wordnet, ontology(*WEATHER, edges=known))
    assert not {edge.key for edge in advice.edges} & {edge.key for edge in known}
    assert "'rainstorm' is-a 'rain'" not in said(advice)


def test_a_reversed_edge_is_disputed_and_not_suggested(wordnet: WordNet) -> None:
    wrong = (Edge("flash flood", "topic"), Edge("flood", "flash flood"))
    advice = advise(wordnet, ontology("flood", "flash flood", edges=wrong))
    assert [str(edge) for edge in advice.disputed] == ["'flash flood' is-a 'flood'"]
    assert advice.edges == ()


def test_suggestions_together_make_no_cycle(wordnet: WordNet) -> None:
    hung = (
        Edge("storm", "dog"),
        Edge("animal", "rainstorm"),
        Edge("dog", "topic"),
        Edge("rainstorm", "topic"),
    )
    start = ontology("storm", "rainstorm", "dog", "animal", edges=hung)
    both = {"'rainstorm' is-a 'storm'", "'dog' is-a 'animal'"}
    advice = advise(wordnet, start)
    assert len(said(advice) & both) == 1
    grown = Ontology("test", "topic", start.concepts, (*start.edges, *advice.edges))
    assert len(grown.order) == len(grown.concepts)


def test_a_sense_is_chosen_by_the_other_concepts(wordnet: WordNet) -> None:
    river = choose_senses(wordnet, ontology("bank", "river", "slope", "hill", "ridge"))["bank"]
    money = choose_senses(wordnet, ontology("bank", "company", "institution", "corporation"))["bank"]
    assert wordnet.is_a("bank", "slope")
    assert wordnet.lin(river, wordnet.synsets("slope", "n")[0]) > 0.5
    assert "depository financial institution" in wordnet.members(money)


def test_labels_are_suggested_where_this_is_the_usual_sense_of_both_words(wordnet: WordNet) -> None:
    labels = advise(wordnet, ontology("thunderstorm", "prevention", "storm", "rain")).labels
    assert labels["thunderstorm"] == ("electric storm", "electrical storm")
    assert "bar" not in labels.get("prevention", ())


def test_chinese_labels_and_unknown_names_are_skipped(wordnet: WordNet) -> None:
    concepts = (Concept("topic"), Concept("dog", {"zh": ("狗",)}), Concept("zxqv"), Concept("animal"))
    edges = tuple(Edge(concept.name, "topic") for concept in concepts[1:])
    assert advise(wordnet, Ontology("test", "topic", concepts, edges)).edges == ()


@pytest.mark.parametrize("names", [(), ("zxqv",), ("dog",)])
def test_there_may_be_no_suggestions(wordnet: WordNet, names: tuple[str, ...]) -> None:
    assert advise(wordnet, ontology(*names)).edges == ()
