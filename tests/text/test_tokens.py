"""Tokens: which words of texts and URLs have the same number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.text.new_words import NO_WORD
from topicrawl.text.tokens import Tokens, base_form
from topicrawl.text.url_words import url_words


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("storms", "storm"),
        ("classes", "class"),
        ("cities", "city"),
        ("boxes", "box"),
        ("glass", "glass"),
        ("virus", "virus"),
        ("basis", "basis"),
        ("gas", "gas"),
    ],
)
def test_a_plural_has_the_base_form_of_its_singular(word: str, base: str) -> None:
    assert base_form(word) == base


def test_singular_and_plural_have_one_number() -> None:
    tokens = Tokens()
    assert tokens.text("storm").tolist() == tokens.text("Storms").tolist()


def test_stop_words_keep_their_place_as_no_word() -> None:
    tokens = Tokens()
    said = tokens.words("the storm of storms")
    assert [number != NO_WORD for number in said.tokens.tolist()] == [False, True, False, True]
    assert said.starts.tolist() == [0, 4, 10, 13]
    assert len(tokens.text("the storm of storms")) == 2


def test_the_words_of_a_url_are_split_at_case_digits_and_punctuation() -> None:
    assert url_words("http://www.a.test/Info/MyCourses/CS415/index.html?term=fall_96") == [
        *("info", "my", "courses", "cs", "cs#", "term", "fall"),
    ]


def test_a_chinese_name_in_a_url_gives_the_words_that_it_gives_in_a_text() -> None:
    tokens = Tokens()
    url = "http://a.test/wiki/%E5%B7%AB%E5%A5%B3_(%E7%A5%9E)"
    assert url_words(url) == ["wiki", "巫女", "女", "神"]
    assert tokens.urls([url])[1].tolist() == tokens.text("巫女 神").tolist()


def test_the_host_gives_no_tokens_of_a_url() -> None:
    assert url_words("http://storms.test") == []


def test_urls_of_the_same_shape_share_a_token() -> None:
    places, tokens = Tokens().urls(["http://a.test/cs101/", "http://a.test/cs202/"])
    assert tokens[places == 0].tolist() == tokens[places == 1].tolist()


def test_chinese_tokens_are_bigrams_of_characters() -> None:
    tokens = Tokens()
    storm, both = tokens.text("暴雨").tolist(), tokens.text("特大暴雨灾害").tolist()
    assert storm[0] in both
    assert len(both) == 6


def test_no_url_gives_no_tokens() -> None:
    assert [len(column) for column in Tokens().urls([])] == [0, 0]


@given(st.text(max_size=80))
def test_every_word_begins_at_its_offset(text: str) -> None:
    said = Tokens().words(text)
    assert len(said.tokens) == len(said.starts)
    assert all(text[start].isalpha() or not text[start].isascii() for start in said.starts.tolist())
