"""Letters: folding keeps positions, kinds follow the script."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.topic.letters import DIGIT, LETTER, OTHER, RUNNING, fold, kinds, tokens
from topicrawl.topic.letters import kind as kind_of


def test_folding_keeps_the_position_of_every_character() -> None:
    characters = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    assert all(len(fold(character)) == 1 for character in characters)


@given(st.text())
def test_folding_is_idempotent(text: str) -> None:
    assert len(fold(text)) == len(text)
    assert fold(fold(text)) == fold(text)


def test_a_final_sigma_is_folded_like_any_other() -> None:
    assert fold("ΟΔΟΣ") == fold("οδος") == fold("οδοσ")


@pytest.mark.parametrize(
    ("characters", "kind"),
    [
        ("aZéßжהع한ि", LETTER),
        ("暴々あアไກကខ𠀀", RUNNING),
        ("0٣½", DIGIT),
        (" \n-_'’。、🌧", OTHER),
    ],
)
def test_a_character_has_the_kind_of_its_script(characters: str, kind: int) -> None:
    assert set(kinds(characters).tolist()) == {kind}


def test_a_text_has_the_kinds_of_its_characters_whatever_the_largest_is() -> None:
    for text in ("é", "ж暴", "暴a\ud800", "𠀀é", "\U0010ffff1"):
        assert kinds(text).tolist() == [kind_of(character) for character in text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("rain", 1),
        ("Heavy rain, again!", 3),
        ("rain-storm 2024", 2),
        ("暴雨灾害", 4),
        ("2024年CPU使用率", 5),
        ("हिन्दी भाषा", 2),
    ],
)
def test_the_length_of_a_page_counts_words_and_characters_of_scripts_without_spaces(
    text: str, expected: int
) -> None:
    assert tokens(kinds(text)) == expected


@given(st.text(alphabet="ab \n-1"))
def test_runs_of_letters_are_the_words(text: str) -> None:
    assert tokens(kinds(text)) == len(re.findall("[ab]+", text))


def test_kinds_of_a_text_are_those_of_its_characters_whatever_was_read_before() -> None:
    for text in ("naïve ﬁ", "暴雨2", "λόγος ’", "\U0010ffff\ud800a", "naïve 暴雨"):
        assert kinds(text).tolist() == [kind_of(character) for character in text]
