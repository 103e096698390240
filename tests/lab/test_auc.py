"""The area under the ROC curve, against worked examples and its own definition."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.model import Topic
from topicrawl.page.read import read
from topicrawl_lab.auc import page_auc, topic_auc


def test_pages_in_the_right_order_have_area_one_and_in_the_wrong_order_zero() -> None:
    assert page_auc([0.1, 0.2, 0.9], [False, False, True]) == 1.0
    assert page_auc([0.1, 0.2, 0.9], [True, True, False]) == 0.0


def test_ties_count_half() -> None:
    assert page_auc([0.5, 0.5, 0.1], [True, False, False]) == 0.75


def test_the_area_is_one_half_when_all_pages_are_of_one_kind() -> None:
    assert page_auc([0.1, 0.2], [True, True]) == 0.5
    assert page_auc([], []) == 0.5


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=30))
def test_the_area_is_the_probability_that_a_good_page_is_rated_above_a_bad_one(
    pages: list[tuple[int, bool]],
) -> None:
    good, bad = ([score for score, truth in pages if truth is kind] for kind in (True, False))
    pairs = list(product(good, bad))
    expected = sum((g > b) + (g == b) / 2 for g, b in pairs) / len(pairs) if pairs else 0.5
    assert page_auc([score for score, _ in pages], [truth for _, truth in pages]) == pytest.approx(expected)


def test_the_area_of_a_topic_is_that_of_its_page_relevance() -> None:
    storm, cake = (
        read("http://a.example/", text) for text in (b"<p>A storm came</p>", b"<p>Bake a cake</p>")
    )
    assert storm
    assert cake
    topic = Topic("storms", ("storm",), (1.0,))
    assert topic_auc(topic, [(storm, True), (cake, False)]) == 1.0
