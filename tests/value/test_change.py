"""The rate of change of a page: Cho2003's estimators."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from topicrawl.value.change import HIGHEST, LOWEST, USUAL_RATE, gained, lasting, pooled_rate, rate, site_rate

NONE = np.zeros(0)


def test_without_a_visit_a_page_changes_as_its_site_does() -> None:
    assert rate(NONE, 0.0, 0.25) == pytest.approx(0.25, rel=1e-5)


def test_the_rate_solves_the_equation_of_the_likeliest_rate() -> None:
    changed, unchanged, site = np.array([1.0, 4.0, 2.0]), 9.0, 0.2
    found = rate(changed, unchanged, site)
    left = sum(tau / math.expm1(found * tau) for tau in changed.tolist()) + 1 / found
    assert left == pytest.approx(unchanged + 1 / site, rel=1e-4)


@pytest.mark.parametrize("true", [0.02, 0.1, 0.5, 2.0])
def test_the_rate_of_a_process_is_found_from_irregular_visits(true: float) -> None:
    rng = random.Random(3)
    changed, unchanged = [], 0.0
    for _ in range(400):
        days = rng.uniform(0.2, 2.0) / true**0.5
        if rng.random() < 1 - math.exp(-true * days):
            changed.append(days)
        else:
            unchanged += days
    assert rate(np.array(changed), unchanged, USUAL_RATE) == pytest.approx(true, rel=0.25)


def test_a_page_that_always_had_changed_and_one_that_never_had_have_finite_rates() -> None:
    assert 0.05 < rate(np.array([1.0] * 16), 0.0, 0.05) < HIGHEST
    assert LOWEST <= rate(NONE, 1e6, 0.05) < 0.05
    assert LOWEST <= rate(np.array([1e9]), 1e9, 1e-4) <= HIGHEST


def test_the_rate_of_regular_visits_is_the_estimator_of_the_paper() -> None:
    assert pooled_rate(10, 4, 20.0) == pytest.approx(-math.log((10 - 4 + 0.5) / (10 + 0.5)) / 2.0)
    assert pooled_rate(0, 0, 0.0) == USUAL_RATE


def test_a_site_with_few_visits_is_judged_by_all_sites() -> None:
    everywhere = (1000.0, 500.0, 1000.0)
    assert site_rate((0.0, 0.0, 0.0), everywhere) == pytest.approx(pooled_rate(4, 2, 4))
    often = site_rate((200.0, 200.0, 200.0), everywhere)
    assert often > 3 * site_rate((0.0, 0.0, 0.0), everywhere)
    assert site_rate((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)) == USUAL_RATE


def test_what_a_fetch_gains_is_the_growth_of_freshness_with_the_number_of_fetches() -> None:
    def freshness(fetches: float, changes: float) -> float:
        return (1 - math.exp(-changes / fetches)) * fetches / changes

    for changes, days in ((0.1, 5.0), (2.0, 5.0), (0.01, 0.5)):
        step = 1e-5 / days
        grown = (freshness(1 / days + step, changes) - freshness(1 / days - step, changes)) / (2 * step)
        assert gained(np.array([changes]), np.array([days]))[0] == pytest.approx(grown, rel=1e-3)
    assert gained(np.array([5.0]), np.array([1e9])).tolist() == [0.2]
    assert gained(np.array([5.0]), np.array([0.0])).tolist() == [0.0]


def test_a_copy_lasts_until_its_page_changes_or_the_time_is_over() -> None:
    assert lasting(0.1, 1e9) == pytest.approx(10)
    assert lasting(1e-4, 2.0) == pytest.approx(2, rel=1e-3)
