"""Anchor relevance: a cosine per link over all its anchors, in three forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.frontier import Floats
from topicrawl.model import Topic
from topicrawl.value.anchor import AnchorRelevance
from topicrawl.value.bm25 import saturated
from topicrawl.value.term_amounts import Triples
from value.seen import frontier_of, observed

TOPIC = Topic("four", ("a", "b", "c", "d"), (1.0, 0.6, 0.4, 0.2))
FORMS = ("plain", "tfidf", "bm25")
LENGTH = math.sqrt(1.0 + 0.36 + 0.16 + 0.04)


def triples(*rows: tuple[int, int, float]) -> Triples:
    places, terms, amounts = zip(*rows, strict=True) if rows else ((), (), ())
    return Triples(np.array(places, np.int32), np.array(terms, np.int32), np.array(amounts, np.float64))


def with_counts(form: str, pages: int, with_term: tuple[int, ...]) -> AnchorRelevance:
    """A measure after `pages` pages, `with_term[i]` of them with term i."""
    anchors, frontier = AnchorRelevance(TOPIC, form), frontier_of(pages)
    anchors.start(frontier)
    for page in range(pages):
        terms = [term for term, number in enumerate(with_term) if page < number]
        anchors.observe(observed(frontier, page, terms=terms), frontier)
    return anchors


def test_each_link_has_the_cosine_of_its_own_terms() -> None:
    relevance = AnchorRelevance(TOPIC)(triples((0, 0, 2), (0, 1, 1), (2, 1, 5)), 4)
    expected = [(2 * 1.0 + 0.6) / math.sqrt(5) / LENGTH, 0.0, 0.6 / LENGTH, 0.0]
    assert relevance.tolist() == pytest.approx(expected)


@pytest.mark.parametrize("form", FORMS)
def test_a_one_word_anchor_scores_the_words_share_of_the_topic(form: str) -> None:
    anchors = with_counts(form, 10, (5, 1, 0, 0))
    assert anchors(triples((0, 0, 3)), 1)[0] == pytest.approx(0.800641, abs=1e-6)


def test_no_links_have_no_relevance() -> None:
    assert AnchorRelevance(TOPIC)(triples(), 0).shape == (0,)


def test_rare_terms_weigh_more_as_worked_out_by_hand() -> None:
    anchors = with_counts("tfidf", 100, (50, 10, 5, 0))
    assert anchors.collection.idf[:2] * np.array([2, 1]) / 3 == pytest.approx([0.465423, 0.767862], abs=1e-6)
    assert anchors(triples((0, 0, 2), (0, 1, 1)), 1)[0] == pytest.approx(0.825819, abs=1e-6)


def test_bm25_saturates_and_discounts_long_pages_as_worked_out_by_hand() -> None:
    first = saturated(np.array([2.0, 1.0]), 300, 600)
    second = saturated(np.array([1.0]), 900, 600)
    assert [*first, *second] == pytest.approx([1.846154, 1.333333, 0.8], abs=1e-6)
    anchors = with_counts("bm25", 100, (50, 10, 5, 1))
    amounts = (first[0] + second[0], first[1])
    assert anchors.collection.idf[:2] * np.array(amounts) == pytest.approx([1.847372, 3.071446], abs=1e-6)
    assert anchors(triples((0, 0, amounts[0]), (0, 1, amounts[1])), 1)[0] == pytest.approx(0.824326, abs=1e-6)


def test_before_the_first_page_every_idf_is_1() -> None:
    assert AnchorRelevance(TOPIC, "tfidf").collection.idf.tolist() == [1, 1, 1, 1]


def test_a_term_on_every_page_has_a_positive_weight() -> None:
    assert with_counts("tfidf", 5, (5, 0, 0, 0)).collection.idf[0] == pytest.approx(math.log(1.01))


def test_anchors_of_several_pages_count_together_and_each_page_alone() -> None:
    frontier, anchors = frontier_of(4), AnchorRelevance(TOPIC)
    anchors.start(frontier)
    assert anchors.observe(observed(frontier, 0, (2, 3), [(0, 0, 1)]), frontier) == {
        2: pytest.approx(1 / LENGTH)
    }
    alone = anchors.observe(observed(frontier, 1, (2, 3), [(0, 1, 1)]), frontier)
    assert alone == {2: pytest.approx(0.6 / LENGTH)}
    assert frontier.columns["anchor"][[2, 3]] == pytest.approx([1.6 / math.sqrt(2) / LENGTH, 0.0], abs=1e-6)
    assert anchors.terms(2) == {0: 1.0, 1: 1.0}


def test_two_anchors_to_one_link_on_a_page_are_one() -> None:
    frontier, anchors = frontier_of(3), AnchorRelevance(TOPIC)
    anchors.start(frontier)
    anchors.observe(observed(frontier, 0, (2, 2), [(0, 0, 1), (1, 0, 2), (1, 3, 1)]), frontier)
    assert anchors.terms(2) == {0: 3.0, 3: 1.0}


def test_a_refresh_recomputes_only_links_that_depend_on_idf() -> None:
    frontier, anchors = frontier_of(20), AnchorRelevance(TOPIC, "tfidf")
    anchors.start(frontier)
    anchors.observe(observed(frontier, 0, (18, 19), [(0, 0, 1), (0, 1, 1), (1, 2, 1)], terms=(0,)), frontier)
    before = frontier.columns["anchor"][[18, 19]].tolist()
    for page in range(1, 10):
        anchors.observe(observed(frontier, page, terms=(0,)), frontier)
    assert frontier.columns["anchor"][[18, 19]].tolist() == before
    anchors.refresh(frontier)
    weights = np.log([10 / 10 + 0.01, 10 / 1 + 0.01])
    expected = weights @ [1.0, 0.6] / np.linalg.norm(weights) / LENGTH
    assert frontier.columns["anchor"][18] == pytest.approx(expected, abs=1e-6)
    assert frontier.columns["anchor"][19] == before[1]


cells = st.dictionaries(st.tuples(st.integers(0, 6), st.integers(0, 3)), st.integers(1, 9))


@given(cells, st.integers(1, 5), st.sampled_from(FORMS))
def test_relevance_is_between_0_and_1_and_independent_of_repetition(
    found: dict[tuple[int, int], int], times: int, form: str
) -> None:
    anchors = AnchorRelevance(TOPIC, form)
    once = triples(*((place, term, count) for (place, term), count in found.items()))
    relevance = anchors(once, 7)
    assert ((relevance >= 0) & (relevance <= 1)).all()
    assert ((relevance > 0) == np.isin(np.arange(7), once.places)).all()
    repeated = anchors(once._replace(amounts=once.amounts * times), 7)
    assert repeated == pytest.approx(relevance)


@given(
    st.lists(st.integers(1, 9), min_size=4, max_size=4), st.lists(st.integers(0, 99), min_size=4, max_size=4)
)
def test_the_base_of_the_logarithm_and_the_number_of_words_cancel(
    counts: list[int], with_term: list[int]
) -> None:
    def cosine(weights: Floats) -> float:
        return float(weights @ TOPIC.weights / np.linalg.norm(weights) / LENGTH)

    idf = np.log(100 / np.maximum(with_term, 1) + 0.01)
    natural = cosine(np.array(counts) / sum(counts) * idf)
    assert cosine(np.array(counts) * idf / math.log(2)) == pytest.approx(natural)
    assert cosine(np.array(counts) * idf / math.log(10)) == pytest.approx(natural)
