"""Native code and Python see the same shapes of URLs."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from topicrawl.scout import url_shapes
from topicrawl.scout.url_shapes import group_name

native = pytest.importorskip("topicrawl._native", reason="built without native code")

PATHS = st.text(alphabet="ab1Z/.?#%é٣ж", max_size=24)


@given(st.lists(PATHS, max_size=5))
@example(
    ["", "a", "a.html", "a/b/c/d/12/e3.PDF?x/y", "1.2", "12", "//a///b/", "index", "x.toolong", ".css", "3/?"]
)
def test_urls_have_the_same_groups(paths: list[str]) -> None:
    urls = [f"http://h1.test:80/{path}" for path in paths] + ["http://h.test", "http://h.test/?q=/a"]
    assert native.group_names(urls, group_name) == url_shapes.group_names(urls, group_name)


def test_what_is_no_url_is_refused() -> None:
    with pytest.raises(TypeError):
        native.group_names(1, group_name)
    with pytest.raises(ZeroDivisionError):
        native.group_names(["http://é.test/"], lambda url: 1 / 0)
