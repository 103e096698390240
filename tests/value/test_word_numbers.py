"""Native code gives words the same numbers as Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.topic.letters import fold, kind_block
from topicrawl.value import word_numbers as words_read

native = pytest.importorskip("topicrawl._native", reason="built without native code")

TEXT = st.text("abB éÉß洪水あ한ıİςΣ\u0301 .1٣\n\U00020000\ud800", max_size=40)


def reader(kind: type[Any]) -> tuple[Any, list[str]]:
    """A reader, and the words for which it requested a number."""
    asked: list[str] = []

    def number(word: str) -> int:
        asked.append(word)
        return len(asked) // 2  # two words may have one number

    return kind(number, fold, kind_block), asked


def read(words: Any, text: str) -> list[list[int]]:
    return [np.frombuffer(part, dtype=np.int64).tolist() for part in words.read(text)]


@given(st.lists(TEXT, max_size=6))
def test_native_and_python_words_are_equal(texts: list[str]) -> None:
    (ours, ours_asked), (theirs, theirs_asked) = reader(native.Words), reader(words_read.Words)
    for text in texts:
        assert read(ours, text) == read(theirs, text)
    assert ours_asked == theirs_asked
    assert len(set(ours_asked)) == len(ours_asked), "each word is asked for once"


def test_thousands_of_words_keep_their_numbers() -> None:
    text = " ".join(a + b + c for a in "abcdefghijklmnopqrst" for b in "klmnopqrst" for c in "uvwxyz洪水éß")
    (ours, _), (theirs, _) = reader(native.Words), reader(words_read.Words)
    for _ in range(2):
        assert read(ours, text) == read(theirs, text)


@pytest.mark.parametrize(
    ("number", "error"),
    [(lambda word: -1, ValueError), (lambda word: "1", TypeError), (lambda word: {}[word], KeyError)],
)
def test_a_failed_number_is_an_error_and_is_requested_again(number: Any, error: type[Exception]) -> None:
    words = native.Words(number, fold, kind_block)
    for _ in range(2):
        with pytest.raises(error):
            words.read("flood")
    assert read(words, "1 2 3") == [[], []]


def test_arguments_that_are_no_text_are_refused() -> None:
    words, _ = reader(native.Words)
    with pytest.raises(TypeError):
        words.read(b"flood")
    with pytest.raises(TypeError):
        native.Words.__new__(native.Words).read("flood")
    with pytest.raises(ValueError, match="length"):
        native.Words(len, lambda text: "", kind_block)
