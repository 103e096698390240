"""Parts of names as tokens."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.scout.grams import BUCKETS, MOST, Grams, parts
from topicrawl.text.tokens import Tokens
from topicrawl.topic.words import words


def common(one: str, other: str) -> int:
    found = Grams(Tokens(), wanted=True)
    return len({*found.of(one)} & {*found.of(other)})


def test_native_code_and_python_find_the_same_parts() -> None:
    pytest.importorskip("topicrawl._native", reason="built without native code")
    grams = Grams(Tokens(), wanted=True)
    names = [
        "Hydrology",
        "sea",
        "the classes of cities and boxes",
        "a" * 80,
        "rain rain rains",
        "Köln 巫女 x",
    ]
    for name in (*names, " ".join(names[:3])):
        assert grams.of_words(words(name)) == grams.of_runs(words(name))
    assert grams.of_words(["x" * 81]) == grams.of_runs(["x" * 81])


def test_words_of_one_family_share_parts() -> None:
    assert common("hydrology", "hydraulic") >= 2
    assert common("hydrology", "painting") == 0


def test_chinese_names_share_characters_and_pairs() -> None:
    assert common("巫女", "魔女") == 1
    assert common("魔法少女", "少女漫画") == 3


def test_the_parts_of_a_word_have_four_characters_with_begin_and_end_marked() -> None:
    assert parts("rain") == ["^rai", "rain", "ain$"]
    assert parts("rains") == parts("rain")
    assert parts("sea") == []


def test_korean_words_give_pairs_of_syllables_and_short_words_of_other_scripts_parts_too() -> None:
    assert parts("홍수") == ["^홍", "홍수", "수$"]
    assert common("한국어", "한국사") == 2
    assert common("북한산", "설악산") == 1
    assert common("мир", "мирный") == 1
    assert common("نهر", "نهري") >= 1
    assert parts("été") == []


def test_a_chinese_word_gives_characters_and_pairs() -> None:
    assert parts("魔法少") == ["魔", "法", "少", "魔法", "法少"]


def test_tokens_are_bounded_in_number() -> None:
    tokens = Tokens()
    word = tokens.vocabulary.number("flood")
    found = Grams(tokens, wanted=True)
    later = tokens.vocabulary.number("storm")
    for first in range(0x4E00, 0x9FFF):
        parts_of = found.of("".join(map(chr, range(first, first + 5))))
        assert word < min(parts_of) <= max(parts_of) < later
    assert len(tokens) == BUCKETS + 3  # with both words, and the number of no word
    assert tokens.vocabulary.words(np.array([word, word + 1, later])) == ["flood", "", "storm"]


def test_long_names_have_no_more_parts_than_allowed_and_longer_texts_none() -> None:
    found = Grams(Tokens(), wanted=True)
    assert len(found.of("".join(map(chr, range(0x4E00, 0x4E20))))) == MOST
    assert len(found.of("".join(map(chr, range(0x4E00, 0x4F00))))) == 0


def test_names_without_letters_have_no_parts() -> None:
    found = Grams(Tokens(), wanted=True)
    assert len(found.of("")) == len(found.of("2024 — 17")) == 0


def test_parts_that_are_not_wanted_are_none() -> None:
    found = Grams(Tokens(), wanted=False)
    assert len(found.of("hydrology")) == 0
