"""Texts by number and numbers by text."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.frontier import hash_table
from topicrawl.frontier.texts import FIRST_SLOTS, Texts

native = pytest.importorskip("topicrawl._native", reason="built without native code")

texts = st.lists(st.text(st.characters(), max_size=20), unique=True, max_size=40)


class Clash(str):
    """A text whose hash collides with all others."""

    __slots__ = ()

    def __hash__(self) -> int:
        return 2**31 - 2


def many(count: int) -> list[str]:
    return [f"http://h{number % 7}.test/{number}" for number in range(count)]


@given(texts, texts)
def test_texts_are_found_by_number_and_numbers_by_text(first: list[str], second: list[str]) -> None:
    urls, known = Texts(), list[str]()
    for some in (first, [text for text in second if text not in first]):
        urls.extend(some)
        known += some
    assert list(urls) == known
    assert urls[1:3] == known[1:3]
    assert urls.numbers(known) == list(range(len(known)))
    assert urls.numbers([text + "?" for text in known]) == [
        known.index(text + "?") if text + "?" in known else None for text in known
    ]


def test_the_table_grows_with_the_texts() -> None:
    urls, all_of_them = Texts(), many(3 * FIRST_SLOTS)
    for begin in range(0, len(all_of_them), 500):
        urls.extend(all_of_them[begin : begin + 500])
        assert urls.numbers(all_of_them) == [
            number if number < begin + 500 else None for number in range(len(all_of_them))
        ]
    assert urls[-1] == all_of_them[-1]
    with pytest.raises(IndexError):
        urls[len(all_of_them)]


@pytest.mark.parametrize("lookup", [native.lookup, hash_table.lookup])
@pytest.mark.parametrize("insert", [native.insert, hash_table.insert])
def test_texts_with_equal_hashes_are_distinguished(
    lookup: object, insert: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("topicrawl.frontier.texts.lookup", lookup)
    monkeypatch.setattr("topicrawl.frontier.texts.insert", insert)
    urls, clashing = Texts(), [Clash(text) for text in ("http://a.test/", "http://b.test/", "http://é.test/")]
    urls.extend(clashing[:2])
    assert urls.numbers([*clashing, "http://a.test/"]) == [0, 1, None, None]
    urls.extend(clashing[2:])
    assert urls.numbers(clashing) == [0, 1, 2]


@given(texts)
def test_native_code_looks_up_and_inserts_as_python_does(some: list[str]) -> None:
    ours, theirs = bytearray(8 * 64), bytearray(8 * 64)
    hash_table.insert(some, memoryview(ours).cast("q"), 0)
    native.insert(some, memoryview(theirs).cast("q"), 0)
    assert ours == theirs
    urls = Texts()
    urls.extend(some)
    looked_up = ([*some, "?"], urls._slots, urls._stops, urls._bytes)
    assert native.lookup(*looked_up) == hash_table.lookup(*looked_up)
    between = len(some) // 3, len(some), *looked_up[2:]
    assert native.texts_of(*between) == hash_table.texts_of(*between) == some[len(some) // 3 :]


def test_native_code_rejects_an_invalid_table_and_a_value_that_is_no_text() -> None:
    slots, nothing = memoryview(bytearray(8 * 2)).cast("q"), memoryview(b"")
    with pytest.raises(ValueError, match="power of two"):
        native.lookup(["a"], memoryview(bytearray(8 * 3)).cast("q"), nothing, nothing)
    with pytest.raises(ValueError, match="full"):
        native.insert(["a", "b", "c"], slots, 0)
    with pytest.raises(TypeError, match="str"):
        native.lookup([7], slots, nothing, nothing)
    ends, letters = memoryview(array("q", [0, 2])), memoryview(b"ab")
    for first, end in ((0, 2), (-1, 1), (1, 0)):
        with pytest.raises(ValueError, match="outside"):
            native.texts_of(first, end, ends, letters)
    with pytest.raises(ValueError, match="outside"):
        native.texts_of(0, 1, ends, letters[:1])
    assert native.lookup(["a", "b"], slots, nothing, nothing) == [None, None]


@given(texts)
def test_a_table_made_of_all_texts_at_once_finds_them(some: list[str]) -> None:
    urls = Texts()
    urls.extend(some)
    for name in ("_table", "_slots", "_bytes", "_stops"):  # as after loading
        vars(urls).pop(name, None)
    assert [urls.numbers([text])[0] for text in some] == list(range(len(some)))  # searched, without a table
    assert urls.numbers(["http://unknown.test/"]) == [None]
    assert "_table" not in vars(urls)
    assert urls.numbers([*some, "http://unknown.test/"]) == [*range(len(some)), None]
    assert urls.numbers(some) == list(range(len(some)))
    assert urls.numbers(["http://unknown.test/no such text of twenty letters"]) == [None]
    urls.extend(["one more, longer than twenty letters"])
    assert urls.numbers(["one more, longer than twenty letters", *some]) == [len(some), *range(len(some))]


@given(texts)
def test_native_code_and_python_make_the_same_table(some: list[str]) -> None:
    urls = Texts()
    urls.extend(some)
    tables = [array("q", bytes(8 * FIRST_SLOTS)) for _ in range(2)]
    for insert_all, slots in zip((hash_table.insert_all, native.insert_all), tables, strict=True):
        insert_all(memoryview(slots), urls._stops, urls._bytes)
    assert tables[0] == tables[1]


def test_native_code_refuses_texts_that_are_not_there() -> None:
    with pytest.raises(ValueError, match="outside"):
        native.insert_all(memoryview(array("q", [0] * 4)), memoryview(array("q", [0, 9])), memoryview(b"abc"))
