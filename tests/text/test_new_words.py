"""Native code and Python give new words the same numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from topicrawl.frontier.texts import Texts
from topicrawl.text import new_words

native = pytest.importorskip("topicrawl._native", reason="built without native code")

WORD = st.text("aeisxyzchu水é", min_size=1, max_size=7)
STOP_WORDS = frozenset({"is", "he", "as", "sea"})


@settings(max_examples=200)
@given(
    st.one_of(
        WORD, st.sampled_from(["cities", "ties", "ies", "buses", "classes", "boxes", "sses", "quizzes"])
    )
)
def test_base_forms_are_the_same(word: str) -> None:
    assert native.base_form(word) == new_words.base_form(word)


@settings(max_examples=100)
@given(
    st.lists(WORD, max_size=8, unique=True),
    st.lists(WORD, max_size=8),
    st.lists(st.lists(WORD, max_size=12), min_size=1, max_size=3),
    st.integers(0, 12),
    st.sampled_from([str, new_words.base_form, lambda word: word[:-1] or word]),
)
def test_new_words_get_the_same_numbers(
    kept: list[str], recent: list[str], texts: list[list[str]], most: int, base: Callable[[str], str]
) -> None:
    forms = Texts()
    forms.extend(kept)
    known, found = np.arange(100, 100 + len(kept), dtype=np.int32).data, []
    for of in (native, new_words):
        held = {word: 50 + number for number, word in enumerate(recent) if word not in kept}
        size, numbers = 5, []
        for words in texts:
            given, size = of.number_words(words, held, size, most, base, STOP_WORDS, *forms.table, known)
            numbers += given
        found.append((numbers, size, list(held.items())))
    assert found[0] == found[1]


def test_native_code_refuses_what_are_no_words() -> None:
    forms, numbers = Texts(), np.zeros(0, np.int32).data
    forms.extend(["storm"])
    tables = *forms.table, numbers
    for words, base, stop_words in (
        ([1], str, STOP_WORDS),
        (["flood"], lambda word: None, STOP_WORDS),
        (["flood"], str, ["is"]),
    ):
        with pytest.raises(TypeError):
            native.number_words(words, {}, 1, 9, base, stop_words, *tables)
    with pytest.raises(ValueError, match="without a number"):
        native.number_words(["storm"], {}, 1, 9, str, STOP_WORDS, *tables)
    with pytest.raises(RecursionError):
        native.number_words(["a" * 9], {}, 1, 9, lambda word: word + "a", STOP_WORDS, *tables)
    with pytest.raises(TypeError):
        native.base_form(b"storms")
