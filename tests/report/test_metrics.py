"""Metrics: a hand-computed example, their bounds, and curves that end in the measure."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.report.metrics import (
    average_curve,
    average_relevance,
    deviation_curve,
    expected_precision,
    harvest_curve,
    harvest_rate,
    standard_deviation,
)

TEN = [0.9, 0.8, 0.75, 0.71, 0.7, 0.5, 0.2, 0.0, 0.65, 0.95]
relevances = st.lists(st.floats(0, 1), min_size=1, max_size=60)


def test_ten_pages_measure_as_computed_by_hand() -> None:
    assert harvest_rate(TEN, 0.7) == 0.5
    assert average_relevance(TEN) == pytest.approx(0.616, abs=1e-6)
    assert standard_deviation(TEN) == pytest.approx(0.287583, abs=1e-6)


def test_no_pages_measure_zero() -> None:
    assert harvest_rate([], 0.7) == average_relevance([]) == standard_deviation([]) == 0.0
    assert harvest_curve([], 0.7).size == average_curve([]).size == deviation_curve([]).size == 0


@given(relevances)
def test_the_deviation_is_at_most_that_of_zeros_and_ones_with_the_same_mean(values: list[float]) -> None:
    mean = average_relevance(values)
    assert standard_deviation(values) <= math.sqrt(max(mean * (1 - mean), 0)) + 1e-9


@given(relevances, st.floats(0, 1))
def test_a_curve_holds_the_measure_of_every_prefix(values: list[float], threshold: float) -> None:
    prefixes = [values[: n + 1] for n in range(len(values))]
    assert harvest_curve(values, threshold).tolist() == pytest.approx(
        [harvest_rate(prefix, threshold) for prefix in prefixes]
    )
    assert average_curve(values).tolist() == pytest.approx([average_relevance(prefix) for prefix in prefixes])
    assert deviation_curve(values).tolist() == pytest.approx(
        [standard_deviation(prefix) for prefix in prefixes], abs=1e-7
    )


def test_a_precision_is_expected_only_where_both_kinds_of_pages_were_seen() -> None:
    assert expected_precision([0.9] * 20 + [0.1] * 5, 0.5) == pytest.approx(0.9)
    assert expected_precision([0.9] * 19 + [0.1] * 50, 0.5) is None
    assert expected_precision([0.9] * 96 + [0.1] * 4, 0.5) is None
    assert expected_precision([], 0.5) is None
