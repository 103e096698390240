"""Words by number, and how rare they are."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.topic.words import words
from topicrawl.value.vocabulary import NO_WORD, Vocabulary
from topicrawl.value.word_numbers import YOUNG

MANY = ["".join(letters) + "q" for letters in product("bcdfghjklmn", repeat=4)][: YOUNG * 4]


@given(st.lists(st.text("abc éß洪水 .1", max_size=40), max_size=6))
def test_a_text_read_at_once_has_the_numbers_of_its_words(texts: list[str]) -> None:
    book, one_by_one = Vocabulary(), Vocabulary()
    for text in texts:
        numbers, starts = book.read(text)
        assert numbers.tolist() == one_by_one.numbers(words(text)).tolist()
        assert len(starts) == len(numbers)
    assert len(book) == len(one_by_one)


def test_words_keep_their_numbers_however_many_come_after_them() -> None:
    book = Vocabulary()
    pieces = [" ".join(MANY[at : at + 300]) for at in range(0, len(MANY), 300)]
    first = [book.read(piece)[0].tolist() for piece in pieces]
    assert [number for numbers in first for number in numbers] == list(range(1, len(MANY) + 1))
    assert [book.read(piece)[0].tolist() for piece in reversed(pieces)] == first[::-1]
    assert book.words(np.array([1, len(MANY)])) == [MANY[0], MANY[-1]]


def test_stop_words_and_single_letters_are_no_words() -> None:
    assert Vocabulary().read("the a flood x")[0].tolist() == [NO_WORD, NO_WORD, 1, NO_WORD]


def test_rarity_stands_still_between_refreshes() -> None:
    book = Vocabulary()
    flood, storm = book.numbers(["flood", "storm"]).tolist()
    book.add(np.array([flood, storm]))
    book.add(np.array([flood]))
    book.refresh()
    late = book.numbers(["tornado"])
    expected = [math.log(1 + 2 / 2), math.log(1 + 2 / 1), math.log(1 + 2)]
    for _ in range(2):
        np.testing.assert_allclose(book.rarity(np.array([flood, storm, *late])), expected)
        book.add(np.array([storm]))
