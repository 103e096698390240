"""Anchor relevance: a cosine per link, all links at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.model import Ints, Topic
from topicrawl.relevance.anchor import AnchorRelevance

TOPIC = Topic("four", ("a", "b", "c", "d"), (1.0, 0.6, 0.4, 0.2))
LENGTH = np.sqrt(1.0 + 0.36 + 0.16 + 0.04)


def array(*values: int) -> Ints:
    return np.array(values, dtype=np.int32)


def test_each_link_has_the_cosine_of_its_own_terms() -> None:
    relevance = AnchorRelevance(TOPIC)(array(0, 0, 2), array(0, 1, 1), array(2, 1, 5), links=4)
    expected = [(2 * 1.0 + 0.6) / np.sqrt(5) / LENGTH, 0.0, 0.6 / LENGTH, 0.0]
    assert relevance.tolist() == pytest.approx(expected)


def test_a_one_word_anchor_scores_the_words_share_of_the_topic() -> None:
    assert AnchorRelevance(TOPIC)(array(0), array(0), array(3), links=1)[0] == pytest.approx(
        0.800641, abs=1e-6
    )


def test_no_links_have_no_relevance() -> None:
    assert AnchorRelevance(TOPIC)(array(), array(), array(), links=0).shape == (0,)


@given(st.dictionaries(st.tuples(st.integers(0, 6), st.integers(0, 3)), st.integers(1, 9)), st.integers(1, 5))
def test_relevance_is_between_0_and_1_and_blind_to_repetition(
    cells: dict[tuple[int, int], int], times: int
) -> None:
    rows, terms = array(*(row for row, _ in cells)), array(*(term for _, term in cells))
    counts = array(*cells.values())
    relevance = AnchorRelevance(TOPIC)(rows, terms, counts, links=7)
    assert ((relevance >= 0) & (relevance <= 1)).all()
    assert ((relevance > 0) == np.isin(np.arange(7), rows)).all()
    repeated = AnchorRelevance(TOPIC)(rows, terms, counts * np.int32(times), links=7)
    assert repeated.tolist() == pytest.approx(relevance.tolist())
