"""Page relevance: worked examples of the papers, and invariants."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.model import TermCounts, Topic, pack_ints
from topicrawl.page.read import read
from topicrawl.page.relevance import PageRelevance
from topicrawl.topic.matcher import Matcher

FOUR_WORDS = Topic("four", ("a", "b", "c", "d"), (1.0, 0.6, 0.4, 0.2))
FOUR_ROWS = [[1, 0, 2, 4, 0], [2, 0, 0, 1, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 7]]
RAINSTORM = Topic(
    "rainstorm", ("rainstorm", "disaster", "rainfall", "weather", "meteorology"), (0.8, 0.5, 0.3, 0.1, 0.1)
)
RAINSTORM_ROWS = [[1, 1, 0, 3, 0], [0, 1, 1, 2, 1], [0, 0, 0, 1, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 2]]

rows = st.lists(st.lists(st.integers(0, 50), min_size=5, max_size=5), min_size=5, max_size=5)


def counts(rows: list[list[int]]) -> TermCounts:
    """Counts as the matcher gives them: only terms that are present."""
    present = [(term, row) for term, row in enumerate(rows) if any(row)]
    return TermCounts(
        terms=pack_ints([term for term, _ in present]), groups=pack_ints([row for _, row in present])
    )


def test_tag_weighted_frequencies_are_those_of_the_worked_example() -> None:
    relevance = PageRelevance(FOUR_WORDS)
    assert relevance.explain(counts(FOUR_ROWS)) == pytest.approx({"a": 2.1, "b": 2.5, "d": 0.2}, abs=1e-6)
    assert relevance(counts(FOUR_ROWS)) == pytest.approx(0.890937, abs=1e-6)


def test_a_page_about_rainstorms_is_relevant_as_computed_by_hand() -> None:
    relevance = PageRelevance(RAINSTORM)
    assert relevance.explain(counts(RAINSTORM_ROWS)) == pytest.approx(
        {"rainstorm": 2.166667, "disaster": 2.45, "rainfall": 1.0, "meteorology": 0.2}, abs=1e-6
    )
    assert relevance(counts(RAINSTORM_ROWS)) == pytest.approx(0.956920, abs=1e-6)


def test_the_description_counts_as_in_table_2_of_fcwseo_and_not_as_in_table_1_of_ielp() -> None:
    """By hand: ‖W_TK‖ = 1; group 1 weighs 2, group 4 weighs 1, and group 5, where IELP would put it, 0.2."""
    html = b"""<title>Rainstorm</title><meta name="description" content="weather"><p>disaster</p>"""
    page = read("http://h.test/", html, "text/html")
    assert page is not None
    value = PageRelevance(RAINSTORM)(Matcher(RAINSTORM.terms).count(page))
    assert value == pytest.approx((0.8 * 2 + 0.5 * 1 + 0.1 * 2) / 3)
    by_ielp = counts([[1, 0, 0, 0, 0], [0, 0, 0, 1, 0], [0] * 5, [0, 0, 0, 0, 1], [0] * 5])
    assert PageRelevance(RAINSTORM)(by_ielp) == pytest.approx(2.12 / math.sqrt(5.04))


def test_a_row_of_zeros_weighs_nothing() -> None:
    with_zeros = TermCounts(terms=pack_ints(range(4)), groups=pack_ints(FOUR_ROWS))
    assert PageRelevance(FOUR_WORDS)(with_zeros) == PageRelevance(FOUR_WORDS)(counts(FOUR_ROWS))


@pytest.mark.parametrize(
    "nothing", [TermCounts(), TermCounts(terms=pack_ints([1]), groups=pack_ints([0] * 5))]
)
def test_a_page_without_terms_has_no_relevance(nothing: TermCounts) -> None:
    assert PageRelevance(FOUR_WORDS)(nothing) == 0.0


@pytest.mark.parametrize("times", [1, 100])
def test_the_frequency_of_a_word_in_a_single_group_does_not_matter(times: int) -> None:
    assert PageRelevance(FOUR_WORDS).explain(counts([[0, 0, 0, times, 0]])) == {"a": 1.0}


def test_a_word_equally_frequent_everywhere_weighs_most() -> None:
    assert PageRelevance(FOUR_WORDS).explain(counts([[3] * 5])) == pytest.approx({"a": 5.9})


@given(rows, st.integers(1, 1000), st.integers(0, 4))
def test_multiplying_the_counts_of_a_word_changes_nothing(rows: list[list[int]], by: int, word: int) -> None:
    before = PageRelevance(RAINSTORM)(counts(rows))
    rows[word] = [count * by for count in rows[word]]
    assert PageRelevance(RAINSTORM)(counts(rows)) == pytest.approx(before, abs=1e-12)


@given(rows, st.lists(st.floats(0, 1e300), min_size=5, max_size=5).filter(any), st.floats(1e-6, 1e6))
def test_relevance_is_between_0_and_1_and_independent_of_the_scale_of_the_topic(
    rows: list[list[int]], weights: list[float], scale: float
) -> None:
    relevance = PageRelevance(Topic("t", RAINSTORM.terms, tuple(weights)))(counts(rows))
    assert 0.0 <= relevance <= 1.0
    scaled = tuple(weight / max(weights) * scale for weight in weights)
    assert PageRelevance(Topic("t", RAINSTORM.terms, scaled))(counts(rows)) == pytest.approx(
        relevance, abs=1e-9
    )


def test_a_page_whose_weights_are_the_topics_is_fully_relevant() -> None:
    topic = Topic("t", ("a", "b"), (2.0, 1.0))
    assert PageRelevance(topic)(counts([[1, 0, 0, 0, 0], [0, 0, 0, 1, 0]])) == pytest.approx(1.0)


def test_a_single_word_has_the_cosine_of_its_axis() -> None:
    expected = 0.5 / math.sqrt(0.8**2 + 0.5**2 + 0.3**2 + 0.1**2 + 0.1**2)
    assert PageRelevance(RAINSTORM)(counts([[0] * 5, [0, 7, 0, 2, 0]])) == pytest.approx(expected)
