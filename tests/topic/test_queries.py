"""Queries from topics and examples: small, distinct, the heaviest first."""

from __future__ import annotations

from topicrawl.model import Page, Topic
from topicrawl.setup.inputs import open_weighed
from topicrawl.topic.queries import from_examples, from_terms, make_queries
from topicrawl.topic.read import read_topic


def test_a_term_of_several_words_is_a_query_and_a_single_word_gets_the_heaviest_term() -> None:
    topic = read_topic("storms: flash flood 1, warning 0.5, rain gauge 0.4, ignored 0")
    assert list(from_terms(topic)) == ["flash flood", "warning flash flood", "rain gauge"]


def test_single_words_are_paired_with_the_heaviest_of_them() -> None:
    assert list(from_terms(read_topic("storms: flood, warning 0.5, rain 0.4"))) == [
        "warning flood",
        "rain flood",
    ]


def test_a_topic_of_one_word_is_a_query_of_one_word() -> None:
    assert make_queries(read_topic("flood"), None, 9) == ["flood"]


def test_in_an_ontology_a_word_gets_the_concept_above_it() -> None:
    weighed = open_weighed("rainstorm")
    topic = weighed.topic("rainstorm")
    found = list(from_terms(topic, weighed.ontology))
    child = next(
        name for name, above in weighed.ontology.parents.items() if " " not in name and len(above) == 1
    )
    assert any(query.split()[0] == child and len(query.split()) > 1 for query in found)


def test_chinese_terms_of_four_characters_stand_alone() -> None:
    assert list(from_terms(read_topic("暴雨: 暴雨灾害, 洪水 0.5"))) == ["暴雨灾害", "洪水 暴雨灾害"]


PAGES = tuple(
    Page(
        url=f"http://e{number}.test/",
        title="Flood warning systems",
        language="en",
        text="Flood warning systems\nA flood warning is sent when the river gauge shows a storm surge. "
        "The river gauge and the storm surge barrier are read by the flood warning centre.",
    )
    for number in (1, 2, 3)
)


def test_examples_give_their_telling_phrases_before_pairs_of_words() -> None:
    found = list(from_examples(PAGES))
    assert {"river gauge", "storm surge"} <= set(found[:8])
    assert "the river" not in found


def test_queries_from_examples_and_terms_come_by_turns_and_only_once() -> None:
    topic = Topic("floods", ("river gauge", "dike"), (1.0, 0.5), examples=PAGES)
    found = make_queries(topic, None, 6)
    assert len(found) == 6
    assert len({frozenset(query.split()) for query in found}) == 6
    assert "river gauge" in found[:2]
    assert "dike river gauge" in found[:4]


def test_without_a_topic_there_is_nothing_to_ask() -> None:
    assert make_queries(None, None, 5) == []
