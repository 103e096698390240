"""Words of a text: stop lists, word forms, background rates, and splitting into words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.topic.terms.background import background, parse
from topicrawl.topic.terms.inflection import is_adverb, is_participle, plurals, singular
from topicrawl.topic.terms.languages import language
from topicrawl.topic.terms.stop import parse as parse_stop
from topicrawl.topic.terms.stop import stop_list

RATES = background("en")


@pytest.mark.parametrize(
    ("word", "base"),
    [
        *(
            ("floods", "flood"),
            ("cities", "city"),
            ("boxes", "box"),
            ("churches", "church"),
            ("cases", "case"),
        ),
        *(("increases", "increase"), ("databases", "database"), ("heroes", "hero"), ("horses", "horse")),
        *(("species", "species"), ("glass", "glass"), ("physics", "physics"), ("virus", "virus")),
        *(("analysis", "analysis"), ("bus", "bus"), ("flood", "flood"), ("gas", "gas")),
    ],
)
def test_a_plural_is_reduced_to_an_attested_singular(word: str, base: str) -> None:
    assert singular(word, RATES) == base


def test_a_rare_plural_is_recognised_by_its_singular_in_the_same_texts() -> None:
    assert singular("actinides", RATES) == "actinides"
    assert singular("actinides", RATES, {"actinide"}) == "actinide"


@given(st.sampled_from(sorted(RATES)))
def test_singular_is_idempotent(word: str) -> None:
    assert singular(singular(word, RATES), RATES) == singular(word, RATES)


def test_plurals_follow_the_spelling() -> None:
    assert plurals("city")[0] == "cities"
    assert "boxes" in plurals("box")
    assert plurals("flood") == ("floods",)


def test_adverbs_and_participles_are_distinguished_from_nouns_with_the_same_endings() -> None:
    assert all(is_adverb(word, RATES) for word in ("widely", "probably", "heavily", "possibly"))
    assert not any(is_adverb(word, RATES) for word in ("family", "butterfly", "assembly", "supply", "italy"))
    assert is_participle("operated", RATES)
    assert is_participle("stopped", RATES)
    assert not is_participle("watershed", RATES)


def test_common_words_are_more_frequent_in_the_background_than_rare_ones() -> None:
    for code, words in {"en": ("the", "water", "hurricane"), "zh": ("的", "天气", "暴雨")}.items():
        rates = [background(code)[word] for word in words]
        assert rates == sorted(rates, reverse=True)
        assert 0.2 < sum(background(code).values()) < 1.2


def test_a_background_table_is_a_line_of_words_for_each_level() -> None:
    assert parse("0 a b\n4 c\n") == {"a": 1.0, "b": 1.0, "c": pytest.approx(0.36788, abs=1e-5)}
    assert background("fr") == {}


def test_a_marked_verb_in_a_stop_list_includes_its_forms() -> None:
    stop = parse_stop("# comment\n[verbs]\n+carry +use +stop +pass\n[heads]\nuse number\n")
    assert stop.words == {
        *("carry", "carries", "carried", "carrying", "uses", "used", "using"),
        *("stop", "stops", "stopped", "stopping", "stoped", "stoping"),
        *("pass", "passes", "passed", "passing"),
    }
    assert stop.heads == {"use", "number"}


def test_the_lists_hold_stop_words_and_no_topic_words() -> None:
    assert {"the", "including", "operated", "copyright", "don’t"} <= stop_list("en").words
    assert {"的", "版权所有", "进行"} <= stop_list("zh").words
    assert not stop_list("en").words & {"flood", "storm", "railway", "church", "course"}
    assert not stop_list("en").words & stop_list("en").heads
    assert stop_list("eu").words == frozenset()
    assert stop_list("sk") == stop_list("cs")


def test_runs_end_at_punctuation_numbers_and_lines() -> None:
    runs = list(language("en").runs("Flash floods, in 1997 rivers\nrose; debris-flow cs302 Müller"))
    assert runs == [["flash", "floods"], ["in"], ["rivers"], ["rose"], ["debris-flow"], ["müller"]]


def test_a_possessive_ends_a_run_and_loses_its_ending() -> None:
    assert list(language("en").runs("the river's old bed")) == [["the", "river"], ["old", "bed"]]


def test_addresses_and_file_names_are_no_words() -> None:
    text = "Mail reps@cs.wisc.edu or see http://x.example/wisc and song.ogg on cs.wisc.edu"
    assert list(language("en").runs(text)) == [["mail"], ["or", "see"], ["and"], ["on"]]


def test_chinese_is_segmented_by_a_dictionary() -> None:
    assert list(language("zh").runs("暴雨灾害，2021年 rain")) == [["暴雨", "灾害"], ["年"]]


def test_japanese_words_end_where_the_script_does_and_grammar_is_none() -> None:
    assert list(language("ja").runs("山岳鉄道の列車はトンネルに入る。")) == [
        ["山岳鉄道"],
        ["列車"],
        ["トンネル"],
        ["入"],
    ]


def test_an_article_that_lost_its_vowel_is_no_part_of_a_word() -> None:
    assert list(language("fr").runs("l'eau et l’été")) == [["l"], ["eau", "et", "l"], ["été"]]


def test_the_users_stop_words_are_added() -> None:
    assert not language("en", {"flood"}).may_begin("flood")
    assert language("en").may_begin("flood")
