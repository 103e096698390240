"""New pieces and words of a text: native code counts and records the same as Python."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from topicrawl.frontier import piece_filter

native = pytest.importorskip("topicrawl._native", reason="built without native code")

LETTERS = st.sampled_from("abcde é中国。！？.!?\n 07٣\u2003\ud800𝔸𝟘")
TEXTS = st.text(LETTERS, max_size=900)


@given(st.lists(TEXTS, max_size=4), st.integers(0, 0xFFFFFFFF))
@example(["abcdef " * 100, "abcdef " * 100], 0)
@example([" ".join(f"word{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(90))], 5)
def test_native_and_python_are_equal(texts: list[str], salt: int) -> None:
    ours, theirs = bytearray(1 << 7), bytearray(1 << 7)
    for text in texts:
        assert native.learn(text, salt, ours) == piece_filter.learn(text, salt, theirs)
        assert ours == theirs


def test_a_piece_is_new_once() -> None:
    known = bytearray(1 << 20)
    assert native.learn("The rain fell for days. ", 1, known)[:2] == (22, 22)
    assert native.learn("The rain fell for days. And then more", 1, known)[:2] == (36, 14)


def test_a_filter_has_a_power_of_two_of_bytes() -> None:
    with pytest.raises(ValueError, match="power of two"):
        native.learn("text", 0, bytearray(12))
