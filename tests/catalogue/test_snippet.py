"""Passages of pages for a query."""

from __future__ import annotations

from topicrawl.catalogue.snippet import snippet
from topicrawl.model import Page

FILLER = "Nothing of interest happened here on that day. " * 20


def passage(text: str, *wanted: str, language: str = "en") -> str:
    return snippet(Page("http://a.test/", "Title", language, text), set(wanted))


def test_the_passage_is_where_most_of_the_words_are_close_together() -> None:
    text = f"A flood. {FILLER} Floods led to insurance claims in Florida. {FILLER}"
    assert "Floods led to insurance claims" in passage(text, "flood", "insurance", "claim")


def test_a_word_within_another_is_not_matched() -> None:
    text = f"The carpet lay there. {FILLER} A CAR, a pet. {FILLER}"
    assert "A CAR, a pet" in passage(text, "car")


def test_letters_that_grow_in_lower_case_shift_nothing() -> None:
    text = f"{'İstanbul ' * 60} {FILLER} The flood came. {FILLER}"
    assert "The flood came" in passage(text, "flood")


def test_a_page_without_the_words_is_shown_from_its_beginning() -> None:
    assert passage(f"First words. {FILLER}", "volcano").startswith("First words.")


def test_chinese_is_found_without_spaces() -> None:
    text = "天气晴朗。" * 60 + "洪水保险理赔增加。" + "天气晴朗。" * 60
    assert "洪水保险理赔" in passage(text, "洪水", "保险", language="zh")


def test_the_passage_is_from_the_main_text_if_that_has_one_of_the_words() -> None:
    page = Page(
        "http://a.test/", "Title", "en", f"Flood news. Flood archive. {FILLER} The flood came at night."
    )
    assert snippet(page, {"flood"}, "The flood came at night.") == "The flood came at night."
    assert "Flood archive" in snippet(page, {"archive"}, "The flood came at night.")
