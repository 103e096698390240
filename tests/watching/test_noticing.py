"""What changed in a text, as people read it."""

from __future__ import annotations

from topicrawl.watching.noticing import MOST_LINES, MOST_WIDTH, difference

SENTENCES = [f"The gauge at bridge {number} shows {3 * number} centimetres." for number in range(60)]


def test_of_a_long_paragraph_the_sentences_that_changed_are_shown() -> None:
    now = [*SENTENCES[:40], "The dike at bridge 40 broke!", *SENTENCES[41:]]
    assert difference(" ".join(SENTENCES), " ".join(now)) == [
        "- The gauge at bridge 40 shows 120 centimetres.",
        "+ The dike at bridge 40 broke!",
    ]


def test_sentences_end_in_scripts_without_spaces_too() -> None:
    assert difference("河水上涨。堤坝稳固。", "河水上涨。堤坝决口。") == ["- 堤坝稳固。", "+ 堤坝决口。"]


def test_a_paragraph_that_is_broken_elsewhere_has_not_changed() -> None:
    assert difference(" ".join(SENTENCES), "\n".join(SENTENCES)) == []


def test_a_long_line_without_sentences_is_shown_where_it_differs() -> None:
    words = " ".join(f"word{number}" for number in range(500))
    removed, added = difference(words, words.replace("word400", "another"))
    assert removed.startswith("- … ")
    assert "word399 word400 word401" in removed
    assert "word399 another word401" in added
    assert max(len(removed), len(added)) <= MOST_WIDTH + 6


def test_what_was_only_added_or_is_too_much_is_cut() -> None:
    assert difference("", "one " * 500) == [f"+ {('one ' * 500)[:MOST_WIDTH]} …"]
    found = difference("", "\n".join(SENTENCES))
    assert len(found) == MOST_LINES + 1
    assert found[-1] == "… and 20 more lines"
