"""The words around a link."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.model import Page
from topicrawl.page.context import spans
from topicrawl.page.html import read_html

URL = "http://h.test/"


def context(page: Page, row: int, tokens: int = 20) -> str:
    """The text between the bounds of one link's context, on one line."""
    left, right = (int(bounds[row]) for bounds in spans(page, tokens))
    return " ".join(page.text[left:right].split())


def test_the_context_is_the_anchor_with_words_on_either_side() -> None:
    page = read_html(URL, "<p>one two three <a href=x>the anchor</a>, four five six</p>")
    assert context(page, 0, 2) == "two three the anchor, four"
    assert context(page, 0, 3) == "one two three the anchor, four five"
    assert context(page, 0) == page.text


def test_chinese_is_counted_in_characters() -> None:
    page = read_html(URL, "<p>昨晚的强降雨<a href=x>暴雨灾害</a>造成城市内涝 in 2021</p>")
    assert context(page, 0, 3) == "强降雨暴雨灾害造成城"
    assert context(page, 0, 7) == "昨晚的强降雨暴雨灾害造成城市内涝 in"


def test_context_reaches_over_blocks_and_stays_on_one_line() -> None:
    page = read_html(URL, "<h2>head</h2><ul><li>a<li><a href=x>b</a><li>c</ul>")
    assert context(page, 0) == "head a b c"


@pytest.mark.parametrize("tokens", [0, 1])
def test_a_link_alone_is_its_own_context(tokens: int) -> None:
    assert context(read_html(URL, "<a href=x>alone</a>"), 0, tokens) == "alone"


@given(st.text(max_size=50), st.text(max_size=50), st.integers(0, 10))
def test_the_anchor_is_always_in_its_context(before: str, after: str, tokens: int) -> None:
    page = read_html(URL, f"<p>{before}</p><a href=x>anchor</a><p>{after}</p>")
    for row, anchor in enumerate(page.links.anchors):
        assert anchor in context(page, row, tokens)


def test_a_very_long_word_is_cut() -> None:
    page = read_html(URL, f"<p>{'x' * 5000}<a href=x>anchor</a>{'y' * 5000}</p>")
    assert len(context(page, 0)) == 600 + len("anchor") + 600
