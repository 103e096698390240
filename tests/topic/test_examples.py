"""Example pages in a run's configuration."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.errors import ConfigError
from topicrawl.model import Links, Page, pack_ints
from topicrawl.topic.examples import example_entry, read_example

TEXT = st.text(max_size=30)


@given(url=TEXT, title=TEXT, text=TEXT, links=st.lists(TEXT, max_size=3), nofollow=st.booleans())
def test_a_stored_page_is_read_back_the_same(
    url: str, title: str, text: str, links: list[str], *, nofollow: bool
) -> None:
    found = Links(links, links, links, pack_ints(range(len(links))))
    page = Page(url, title, "en", text, pack_ints([0]), pack_ints([3]), found, nofollow=nofollow)
    assert read_example(example_entry(page), "run") == page


def test_an_example_stored_by_an_earlier_version_is_a_page_without_links() -> None:
    page = read_example({"url": "http://a.test/", "title": "A", "text": "storm"}, "run")
    assert page == Page("http://a.test/", "A", text="storm")


@pytest.mark.parametrize(
    "entry",
    [
        7,
        {"url": 7},
        {"structure": 7},
        {"structure": "no base64!"},
        {"structure": "AAAA"},
        {"structure": example_entry(Page("x"))["structure"][:12]},
    ],
)
def test_an_invalid_entry_is_an_error_that_names_the_source(entry: Any) -> None:
    with pytest.raises(ConfigError, match=r"run/config.toml: an example .* put the original back"):
        read_example(entry, "run/config.toml")
