"""Native code gives words the same numbers as Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from topicrawl.text import word_numbers as words_read
from topicrawl.text.url_words import LEFT_OUT, url_words
from topicrawl.topic.letters import fold, kind_block

native = pytest.importorskip("topicrawl._native", reason="built without native code")

TEXT = st.text("abB éÉß洪水あ한ıİςΣ\u0301 .1٣\n\U00020000\ud800", max_size=40)


URL = st.text("abABzZ019_-./?%E6:#é洪", max_size=60).map("http://h.test/".__add__)


def reader(kind: type[Any], *, pairs: bool = False) -> tuple[Any, list[str]]:
    """A reader, and the words for which it requested a number."""
    asked: list[str] = []

    def number_all(words: list[str]) -> list[int]:
        first = len(asked)
        asked.extend(words)
        return [number // 2 for number in range(first, len(asked))]  # two words may have one number

    return kind(number_all, fold, kind_block, pairs), asked


def read(words: Any, text: str) -> list[list[int]]:
    return [np.frombuffer(part, dtype=np.int64).tolist() for part in words.read(text)]


def read_urls(words: Any, urls: list[str]) -> list[list[int]]:
    return [np.frombuffer(part, np.int64).tolist() for part in words.read_urls(urls, LEFT_OUT, url_words)]


LETTERS = st.text("abcXYZé\u212a洪水 ", min_size=1, max_size=24)


@given(st.lists(TEXT, max_size=6), st.booleans())
@example(["a" * 16 + " " + "a" * 17 + " " + "A" * 8, "a" * 15 + "é " + "b" * 60 + " 洪" + "c" * 70], True)
@example(["x" * 63 + " y", "x" * 64 + "y", " " * 63 + "é" + "z" * 70, "k\u212a K", "水" * 600 + "a水"], True)
def test_native_and_python_words_are_equal(texts: list[str], pairs: bool) -> None:
    (ours, ours_asked), (theirs, theirs_asked) = (
        reader(kind, pairs=pairs) for kind in (native.Words, words_read.Words)
    )
    for text in texts:
        assert read(ours, text) == read(theirs, text)
    assert ours_asked == theirs_asked
    assert len(set(ours_asked)) == len(ours_asked), "each word is asked for once"


@given(st.lists(URL, max_size=6), st.lists(URL, max_size=6))
@example(
    ["http://h.test/ABCdeF12x/cs101", "none", "a://" + "x" * 41, "a://h/" + "y" * 40 + "1"], ["://h/index"]
)
def test_native_and_python_words_of_urls_are_equal(some: list[str], others: list[str]) -> None:
    (ours, ours_asked), (theirs, theirs_asked) = reader(native.Words), reader(words_read.Words)
    for urls in (some, others):
        assert read_urls(ours, urls) == read_urls(theirs, urls)
        text = " ".join(urls)
        assert read(ours, text) == read(theirs, text), "texts and URLs share their words"
    assert ours_asked == theirs_asked


@given(st.lists(LETTERS, max_size=80), st.booleans())
def test_long_texts_are_read_the_same(words: list[str], pairs: bool) -> None:
    """Texts that are longer than what is looked at together."""
    (ours, ours_asked), (theirs, theirs_asked) = (
        reader(kind, pairs=pairs) for kind in (native.Words, words_read.Words)
    )
    text = " ".join(words)
    for _ in range(2):
        assert read(ours, text) == read(theirs, text)
    assert ours_asked == theirs_asked


def thue_morse(length: int, letters: str) -> str:
    """Such words have one polynomial hash modulo 2^64 as the same words with exchanged letters, by any base."""
    return "".join(letters[place.bit_count() % 2] for place in range(length))


@pytest.mark.parametrize("kind", [native.Words, words_read.Words])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("rvyircvsaaaaaaaa", "craarkvcfuzayzmv"),  # found for the hash that native code had
        (thue_morse(2048, "ab"), thue_morse(2048, "ba")),
    ],
    ids=["multiplied", "polynomial"],
)
def test_words_chosen_to_have_one_hash_have_two_numbers(kind: type[Any], one: str, other: str) -> None:
    numbers: list[str] = []
    words = kind(lambda new: [numbers.append(word) or len(numbers) for word in new], fold, kind_block, False)
    assert read(words, f"{one} {other} {one}")[0] == [1, 2, 1]
    assert numbers == [one, other]


def test_letters_of_ascii_are_folded_to_lower_case() -> None:
    for folded, kinds in ((str, kind_block), (fold, lambda block: bytes(256))):
        with pytest.raises(ValueError, match="lower case"):
            native.Words(len, folded, kinds, False)


def test_thousands_of_words_keep_their_numbers() -> None:
    text = " ".join(a + b + c for a in "abcdefghijklmnopqrst" for b in "klmnopqrst" for c in "uvwxyz洪水éß")
    (ours, _), (theirs, _) = reader(native.Words), reader(words_read.Words)
    for _ in range(2):
        assert read(ours, text) == read(theirs, text)


@pytest.mark.parametrize(
    ("number", "error"),
    [
        (lambda words: [-1], ValueError),
        (lambda words: ["1"], TypeError),
        (lambda words: [], TypeError),
        (lambda words: {}[words[0]], KeyError),
    ],
)
def test_a_failed_number_is_an_error_and_is_requested_again(number: Any, error: type[Exception]) -> None:
    words = native.Words(number, fold, kind_block, False)
    for _ in range(2):
        with pytest.raises(error):
            words.read("flood")
        with pytest.raises(error):
            words.read_urls(["http://h.test/flood"], LEFT_OUT, url_words)
    assert read(words, "1 2 3") == [[], []]


def test_arguments_that_are_no_text_are_refused() -> None:
    words, _ = reader(native.Words)
    with pytest.raises(TypeError):
        words.read(b"flood")
    with pytest.raises(TypeError):
        native.Words.__new__(native.Words).read("flood")
    with pytest.raises(ValueError, match="length"):
        native.Words(len, lambda text: "", kind_block, False)
    for urls in (("http://h.test/",), [b"http://h.test/"]):
        with pytest.raises(TypeError):
            words.read_urls(urls, LEFT_OUT, url_words)
    for spell in (lambda url: "flood", lambda url: [b"flood"], lambda url: {}["flood"]):
        with pytest.raises((TypeError, KeyError)):
            words.read_urls(["http://h.test/%20"], LEFT_OUT, spell)
    with pytest.raises(ValueError, match="too many"):
        words.read_urls([], ("a",) * 33, url_words)
