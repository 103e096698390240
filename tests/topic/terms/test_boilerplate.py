"""Text that pages of a host share is removed; other text is kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.topic.corpus import Document
from topicrawl.topic.terms.boilerplate import without_boilerplate

FOOTER = "This reference article is available under the terms of a licence; see our disclaimer, page {}."


def pages(count: int, text: Callable[[int], str], host: str = "a.example") -> list[Document]:
    return [Document(f"{host}/{n}", text=text(n), host=host) for n in range(count)]


def test_a_footer_on_every_page_is_removed_though_its_numbers_and_addresses_differ() -> None:
    shown = pages(
        5, lambda n: f"Own text {'abcde'[n]}\n{FOOTER.format(n)}\nRetrieved from http://a.example/{n}"
    )
    assert without_boilerplate(shown) == [f"Own text {letter}" for letter in "abcde"]


def test_a_menu_is_removed_even_where_only_some_pages_have_it() -> None:
    menu = "Home\nStaff\nCourses"
    shown = pages(20, lambda n: f"{menu}\nStory {chr(97 + n)}" if n < 5 else f"Story {chr(97 + n)}")
    assert without_boilerplate(shown) == [f"Story {chr(97 + n)}" for n in range(20)]


def test_a_heading_that_some_pages_share_is_kept_where_the_text_below_differs() -> None:
    shown = pages(
        10, lambda n: f"Research interests\nTopic {chr(97 + n)}" if n < 5 else f"Life {chr(97 + n)}"
    )
    assert without_boilerplate(shown)[0] == "Research interests\nTopic a"


def test_a_heading_on_most_pages_is_removed() -> None:
    shown = pages(10, lambda n: f"Contents\nTopic {chr(97 + n)}")
    assert without_boilerplate(shown)[0] == "Topic a"


def test_a_list_of_numbered_items_is_no_menu() -> None:
    shown = pages(10, lambda n: f"Story {chr(97 + n)}" + "\nLecture 1\nLecture 2\nLecture 3" * (n < 3))
    assert without_boilerplate(shown)[0].endswith("Lecture 1\nLecture 2\nLecture 3")


def test_hosts_are_treated_separately() -> None:
    shown = [*pages(1, lambda n: FOOTER), *pages(1, lambda n: FOOTER, "b.example")]
    assert without_boilerplate(shown) == [FOOTER, FOOTER]


def test_ten_pages_are_enough_on_a_large_host() -> None:
    shown = pages(200, lambda n: f"Story number {chr(0x4E00 + n)}\n" + FOOTER * (n < 10))
    assert without_boilerplate(shown)[0] == "Story number 一"


@pytest.mark.parametrize("count", [0, 1])
def test_a_single_page_keeps_its_whole_text(count: int) -> None:
    shown = pages(count, lambda n: FOOTER)
    assert without_boilerplate(shown) == [document.text for document in shown]


@given(st.lists(st.text(alphabet="ab\n 1", max_size=30), max_size=6))
def test_the_remaining_blocks_are_in_the_order_of_the_page(texts: list[str]) -> None:
    shown = [Document(str(n), text=text) for n, text in enumerate(texts)]
    for left, document in zip(without_boilerplate(shown), shown, strict=True):
        blocks = iter(document.text.split("\n"))
        assert left == "" or all(block in blocks for block in left.split("\n"))
