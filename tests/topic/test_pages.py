"""A topic as pages: their words of largest weight, in a file."""

from __future__ import annotations

import pytest

from languages import TEXTS
from topicrawl.errors import TopicError
from topicrawl.topic.letters import fold
from topicrawl.topic.pages import HEAVIEST, read_page, read_pages, spell_page, topic_pages, write_pages
from topicrawl.topic.words import marks, spans, words


def test_the_heaviest_words_of_a_page_are_kept_with_their_counts() -> None:
    first, second = topic_pages(["the storm and the storm", "storm flood"])
    assert first == (("storm", 2.0),)
    assert second == (("flood", 1.0), ("storm", 1.0)), "the rarer word comes first"


def test_a_page_keeps_at_most_fifty_words() -> None:
    text = " ".join(f"{chr(97 + i)}{chr(97 + j)}{chr(97 + j)}" for i in range(20) for j in range(20))
    (only,) = topic_pages([text])
    assert len(only) == HEAVIEST


def test_pages_without_words_are_left_out() -> None:
    assert topic_pages(["", "the of 12", "storm"]) == ((("storm", 1.0),),)


def test_pages_are_read_back_from_their_file() -> None:
    pages = topic_pages(["storm flood flood", "暴雨 洪水", "naïve café"])
    assert read_pages(write_pages(pages).encode(), "pages.txt") == pages
    assert read_page(spell_page(pages[0]), "x") == pages[0]


@pytest.mark.parametrize("line", ["storm", "storm many", "storm -1", "storm nan", " 3"])
def test_a_line_that_is_no_page_is_named(line: str) -> None:
    with pytest.raises(TopicError, match=r"pages\.txt"):
        read_pages(line.encode(), "pages.txt")


@pytest.mark.parametrize("content", [b"", b"# only a remark\n", b"\xff\xfe"])
def test_a_file_without_pages_is_refused(content: bytes) -> None:
    with pytest.raises(TopicError, match="build the topic again"):
        read_pages(content, "pages.txt")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Rain-storms in 1998, a1b", ["rain", "storms", "in", "a", "b"]),
        ("Ärger mit İstanbul", ["ärger", "mit", "istanbul"]),
        ("暴雨, rain", ["暴", "雨", "rain"]),
        ("", []),
    ],
)
def test_words_are_runs_of_letters(text: str, found: list[str]) -> None:
    assert words(text) == found
    starts, ends = spans(text)
    assert [fold(text)[at:end] for at, end in zip(starts, ends, strict=True)] == found


def test_a_word_has_the_same_hash_at_every_position() -> None:
    text = fold("Rain, then storms; then rain — and Straßen, rain, 雨雨, the strassen")
    found = marks(text, *spans(text)).tolist()
    assert len(set(found)) == len(set(words(text))) < len(found)
    assert [int(marks(word, *spans(word))[0]) for word in words(text)] == found


def test_the_words_of_a_page_that_is_not_english_are_none_that_say_nothing() -> None:
    (page,) = topic_pages([TEXTS["de"].pages[0]])
    assert "zug" in dict(page)
    assert not dict(page).keys() & {"der", "die", "und", "ist"}
