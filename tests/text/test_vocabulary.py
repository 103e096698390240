"""Words by number, and their idf."""

from __future__ import annotations

import math
import tracemalloc
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.store.allocator import MappedFiles
from topicrawl.text import vocabulary
from topicrawl.text.new_words import NO_WORD
from topicrawl.text.tokens import base_form
from topicrawl.text.vocabulary import Vocabulary
from topicrawl.text.word_numbers import RECENT
from topicrawl.topic.words import words

MANY = ["".join(letters) + "q" for letters in product("bcdfghjklmn", repeat=4)][: RECENT * 4]


@given(st.lists(st.text("abc éß洪水 .1", max_size=40), max_size=6))
def test_a_text_read_at_once_has_the_numbers_of_its_words(texts: list[str]) -> None:
    vocabulary, one_by_one = Vocabulary(), Vocabulary()
    for text in texts:
        numbers, starts = vocabulary.read(text)
        assert numbers.tolist() == one_by_one.numbers(words(text)).tolist()
        assert len(starts) == len(numbers)
    assert len(vocabulary) == len(one_by_one)


def test_words_keep_their_numbers_when_many_are_added() -> None:
    vocabulary = Vocabulary()
    pieces = [" ".join(MANY[at : at + 300]) for at in range(0, len(MANY), 300)]
    first = [vocabulary.read(piece)[0].tolist() for piece in pieces]
    assert [number for numbers in first for number in numbers] == list(range(1, len(MANY) + 1))
    assert [vocabulary.read(piece)[0].tolist() for piece in reversed(pieces)] == first[::-1]
    assert vocabulary.words(np.array([1, len(MANY)])) == [MANY[0], MANY[-1]]


def test_stop_words_and_single_letters_are_no_words() -> None:
    assert Vocabulary().read("the a flood x")[0].tolist() == [NO_WORD, NO_WORD, 1, NO_WORD]


def test_idf_is_constant_between_refreshes() -> None:
    vocabulary = Vocabulary()
    flood, storm = vocabulary.numbers(["flood", "storm"]).tolist()
    vocabulary.add(np.array([flood, storm]))
    vocabulary.add(np.array([flood]))
    vocabulary.refresh()
    late = vocabulary.numbers(["tornado"])
    expected = [math.log(1 + 2 / 2), math.log(1 + 2 / 1), math.log(1 + 2)]
    for _ in range(2):
        np.testing.assert_allclose(vocabulary.rarity(np.array([flood, storm, *late])), expected)
        vocabulary.add(np.array([storm]))


@given(
    st.lists(
        st.lists(st.sampled_from(["floods", "flood", "rain", "the", "x", "é", *MANY[:900]]), max_size=700)
    )
)
def test_words_have_the_numbers_that_a_dictionary_would_give_them(texts: list[list[str]]) -> None:
    vocabulary, known, written = Vocabulary(lambda word: word.removesuffix("s")), dict[str, int](), [""]
    for text in texts:
        for word in text:
            base = word.removesuffix("s")
            if base not in known:
                known[base] = len(written) if base not in ("the", "x") else NO_WORD
                written += [base] if known[base] else []
        numbers = vocabulary.numbers(text)
        assert numbers.tolist() == [known[word.removesuffix("s")] for word in text]
        assert vocabulary.words(numbers) == [written[number] for number in numbers.tolist()]
        assert len(vocabulary) == len(written)


def test_a_word_takes_little_memory_where_words_are_in_mapped_files(tmp_path: Path) -> None:
    vocabulary = Vocabulary(allocator=MappedFiles(tmp_path))
    some = ["".join(word) for word in product("bcdfghjklmnpqrst", repeat=4)]
    vocabulary.read(" ".join(some[:1000]))
    tracemalloc.start()
    for at in range(1000, len(some), 500):
        vocabulary.read(" ".join(some[at : at + 500]))
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(vocabulary) > 0.99 * len(some)  # a few are stop words
    assert kept < 60 * len(some)


def test_words_beyond_the_bound_are_no_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary, "MOST_WORDS", 4)
    known = Vocabulary(base_form)
    first = known.read("rains river cloud")[0].tolist()
    assert first == [1, 2, 3]
    assert known.read("delta rain canyon cloud rivers")[0].tolist() == [0, 1, 0, 3, 0]
    assert known.numbers(["delta", "rain"]).tolist() == [0, 1]
    assert len(known) == 4
