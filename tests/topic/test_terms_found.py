"""Native code finds the same terms as the search in Python (Aho–Corasick)."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from topicrawl.model import pack_ints
from topicrawl.topic import term_search as terms_found
from topicrawl.topic.letters import DIGIT, LETTER, fold, kind, kind_block

native = pytest.importorskip("topicrawl._native", reason="built without native code")

ALPHABET = "aAbB1٣ -_é\u0301İςΣ暴雨あ한\n\r\t\x0b\x1f\x85\xa0\u2028\u3000\U00020000"
WORD = st.text(alphabet=ALPHABET, min_size=1, max_size=4)


def found_by(terms: type[Any], spellings: list[str]) -> Any:
    """`spellings` in a finder of this kind, the way a matcher gives them."""
    folded = [fold(spelling) for spelling in spellings]
    ends = [bytes(_excluded_beside(spelling[place]) for spelling in folded) for place in (0, -1)]
    return terms(folded, list(range(len(folded))), *ends, fold, kind_block)


def _excluded_beside(end: str) -> int:
    return kind(end) if kind(end) in (LETTER, DIGIT) else 255


@given(
    st.lists(WORD, max_size=8),
    st.text(alphabet=ALPHABET, max_size=60),
    st.lists(st.text(ALPHABET, max_size=9)),
)
@settings(max_examples=300)
@example([], "two words", ["anchor"])
@example(["a", "a b", "b"], "a b a", ["a b", "", "b"])
@example(["a\nb", "\nb", "a\n", "\n"], "a\nb", ["a", "b", "a\nb", "\n", ""])
def test_both_find_and_count_the_same(spellings: list[str], text: str, anchors: list[str]) -> None:
    ours, theirs = found_by(native.Terms, spellings), found_by(terms_found.Terms, spellings)
    assert ours.find(text) == theirs.find(text)
    cut = len(text) // 2
    segments = (pack_ints([0, cut] if cut else [0]), pack_ints([3, 1] if cut else [3]))
    assert ours.count(text, *segments, anchors) == theirs.count(text, *segments, anchors)


def test_folding_a_character_does_not_change_its_kind() -> None:
    assert [code for code in range(sys.maxunicode + 1) if kind(chr(code)) != kind(fold(chr(code)))] == []


def test_thousands_of_terms_are_distinguished() -> None:
    spellings = [f"{a}{b}{c}" for a in "abcdefghij" for b in "klmnopqrst" for c in "uvwxyz暴雨災害"]
    ours = found_by(native.Terms, spellings)
    assert [term for _, term in ours.find(" ".join(spellings))] == list(range(len(spellings)))


@pytest.mark.parametrize(
    "arguments",
    [
        (["a"], [], b"", b"", fold, kind_block),
        (["a"], [-1], b"\1", b"\1", fold, kind_block),
        ([b"a"], [0], b"\1", b"\1", fold, kind_block),
        (["a"], [0], b"\1", b"\1", fold, lambda block: b""),
    ],
)
def test_invalid_terms_are_refused(arguments: tuple[Any, ...]) -> None:
    with pytest.raises((TypeError, ValueError)):
        native.Terms(*arguments)


def test_a_match_outside_all_segments_is_an_error_and_no_crash() -> None:
    ours = found_by(native.Terms, ["a"])
    with pytest.raises(IndexError):
        ours.count("a", b"", b"", [])
    with pytest.raises(IndexError):
        ours.count("a", pack_ints([0]), pack_ints([7]), [])
    with pytest.raises(TypeError):
        ours.count("a", pack_ints([0]), pack_ints([3]), [b"x"])
