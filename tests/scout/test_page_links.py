"""Native code and Python find the same links of a page."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from topicrawl.frontier import PEEKED
from topicrawl.scout import page_links

native = pytest.importorskip("topicrawl._native", reason="built without native code")

OWN = 3
STATE = np.array([0, 1, 2, 0, 3, 1, 0, 4], np.uint8)


@settings(max_examples=60)
@given(st.lists(st.integers(-1, 7), max_size=40), st.randoms())
def test_links_rows_and_first_places_are_the_same(said: list[int], random: object) -> None:
    different = list(dict.fromkeys(link for link in said if link not in (-1, OWN)))
    random.shuffle(different)  # type: ignore[attr-defined]  # in any order
    given = said, OWN, np.array(different, np.int64), STATE
    ours, theirs = native.links_on_page(*given), page_links.links_on_page(*given)
    assert ours == theirs
    links, rows, places = (np.frombuffer(ours[at], np.int64) for at in (0, 1, 3))
    assert links.tolist() == [said[row] for row in rows]
    assert links[places].tolist() == different
    assert [flag > 0 for flag in ours[2]] == [STATE[link] <= PEEKED for link in links]


def test_native_code_refuses_links_that_are_not_known() -> None:
    none = np.zeros(0, np.int64)
    with pytest.raises(IndexError):
        native.links_on_page([8], OWN, none, STATE)
    with pytest.raises(ValueError, match="not on the page"):
        native.links_on_page([1], OWN, np.array([2]), STATE)
    for said in (["1"], (1,)):
        with pytest.raises(TypeError):
            native.links_on_page(said, OWN, none, STATE)
