"""Statistics: against scipy, tables worked out by hand, and the ranks in FCITS_OH's figures."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from topicrawl_lab.statistics import (
    bootstrap_interval,
    cliques,
    corrected,
    critical_difference,
    friedman,
    holm,
    nemenyi,
    pairing,
    permutation_test,
    rank_biserial,
    rank_by_measures,
)

# Six tasks (rows), four strategies (columns); ranks by hand in the tests below.
SCORES = [
    [0.76, 0.60, 0.60, 0.51],
    [0.81, 0.79, 0.72, 0.70],
    [0.55, 0.61, 0.50, 0.48],
    [0.90, 0.90, 0.85, 0.80],
    [0.67, 0.62, 0.66, 0.60],
    [0.73, 0.70, 0.69, 0.69],
]


def test_tied_scores_share_the_mean_of_their_ranks() -> None:
    # by hand: rows rank (1, 2.5, 2.5, 4), (1, 2, 3, 4), (2, 1, 3, 4), (1.5, 1.5, 3, 4), (1, 3, 2, 4), (1, 2, 3.5, 3.5)
    assert friedman(SCORES).ranks == pytest.approx((7.5 / 6, 12 / 6, 17 / 6, 23.5 / 6))


def test_friedman_agrees_with_scipy_also_with_ties() -> None:
    ours, theirs = friedman(SCORES), stats.friedmanchisquare(*np.transpose(SCORES))
    assert ours.chi_square == pytest.approx(theirs.statistic)
    assert ours.p == pytest.approx(theirs.pvalue)


def test_friedman_by_hand_without_ties() -> None:
    # ranks (1,2,3), (1,3,2), (1,2,3), (2,1,3): sums 5, 8, 11; 12/(4·3·4)·(25+64+121) − 3·4·4 = 4.5
    result = friedman([[3, 2, 1], [3, 1, 2], [3, 2, 1], [2, 3, 1]])
    assert result.chi_square == pytest.approx(4.5)
    assert result.agreement == pytest.approx(4.5 / 8)
    # F = (4 − 1)·4.5 / (4·2 − 4.5) = 27/7 with 2 and 6 degrees of freedom
    assert result.p_iman_davenport == pytest.approx(stats.f.sf(27 / 7, 2, 6))


@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=3, max_size=9))
@settings(max_examples=60, deadline=None)
def test_friedman_ranks_have_a_fixed_sum_and_p_values_are_probabilities(scores: list[list[int]]) -> None:
    result = friedman(scores)
    assert sum(result.ranks) == pytest.approx(6)
    assert 0 <= result.p <= 1
    assert 0 <= result.p_iman_davenport <= 1
    assert -1e-9 <= result.agreement <= 1 + 1e-9


def test_two_strategies_that_always_tie_do_not_differ() -> None:
    result = friedman([[1, 1], [2, 2], [0, 0]])
    assert (result.p, result.chi_square, result.ranks) == (1.0, 0.0, (1.5, 1.5))


def test_unanimous_blocks_give_a_tiny_p_and_full_agreement() -> None:
    result = friedman([[2, 1]] * 40)
    assert result.p < 1e-9
    assert result.agreement == pytest.approx(1)


def test_p_is_1_for_one_strategy() -> None:
    assert friedman([[1], [2]]).p == 1.0


def test_scores_that_are_no_table_are_refused() -> None:
    with pytest.raises(ValueError, match="blocks × columns"):
        friedman([1, 2, 3])


@pytest.mark.parametrize(("columns", "q"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (10, 3.164)])
def test_the_critical_difference_uses_the_published_quantiles(columns: int, q: float) -> None:
    assert critical_difference(columns, 14) == pytest.approx(
        q * math.sqrt(columns * (columns + 1) / 84), abs=2e-3
    )


def test_the_critical_difference_is_where_nemenyis_p_is_alpha() -> None:
    apart = critical_difference(4, 20)
    p = nemenyi([1, 1 + apart, 1.9, 4], 20)
    assert p[0, 1] == pytest.approx(0.05, abs=1e-3)
    assert p[0, 3] < 0.05 < p[0, 2]
    assert p[2, 2] == 1.0
    assert np.allclose(p, p.T)


def test_cliques_join_strategies_that_do_not_differ_and_only_maximal_ones_are_kept() -> None:
    assert cliques([1.0, 1.5, 1.9, 3.5], 1.0) == [(0, 1, 2)]
    assert cliques([3.0, 1.0, 2.0], 1.5) == [(1, 2), (2, 0)]
    assert cliques([1.0, 3.0], 1.0) == []
    assert cliques([1.0, 1.2, 2.0, 2.1], 1.0) == [(0, 1), (1, 2, 3)]


def test_a_small_permutation_test_by_hand() -> None:
    # differences 3, 2, 1: of eight sign patterns only +++ and −−− reach |6|
    assert permutation_test([4, 4, 4], [1, 2, 3]) == pytest.approx(2 / 8)
    # differences 3, −1: |2| is reached by ±(3 − 1) and ±(3 + 1): all four
    assert permutation_test([4, 1], [1, 2]) == 1.0


def test_pairs_without_a_difference_are_ignored() -> None:
    assert permutation_test([1, 2], [1, 2]) == 1.0
    assert permutation_test([5, 1, 1], [1, 1, 1]) == permutation_test([5], [1]) == 1.0


@pytest.mark.parametrize("pairs", [8, 30])
def test_the_permutation_test_agrees_with_scipy(pairs: int) -> None:
    rng = np.random.default_rng(3)
    first, second = rng.normal(0.35, 1, pairs), rng.normal(0, 1, pairs)
    theirs = stats.permutation_test(
        (first, second),
        lambda a, b, axis: np.mean(a - b, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=20_000,
        rng=1,
    )
    assert permutation_test(first, second) == pytest.approx(theirs.pvalue, abs=0.015 if pairs > 12 else 1e-9)


def test_random_permutations_are_determined_by_the_seed() -> None:
    first, second = np.linspace(0, 1, 20), np.linspace(1, 0.05, 20)
    assert permutation_test(first, second, seed=5) == permutation_test(first, second, seed=5)
    assert permutation_test(np.ones(40), np.zeros(40), seed=5) == pytest.approx(1 / 10_001)


def test_values_that_cannot_be_paired_are_refused() -> None:
    with pytest.raises(ValueError, match="3 values cannot be paired with 2"):
        permutation_test([1, 2, 3], [1, 2])


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_keeps_the_order_and_never_lowers_a_p_value(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(before <= after <= 1 for before, after in zip(p_values, adjusted, strict=True))
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    assert [adjusted[i] for i in order] == sorted(adjusted)


def test_the_bootstrap_interval_is_near_the_normal_one_and_deterministic() -> None:
    sample = np.random.default_rng(0).normal(10, 2, 200)
    low, high = bootstrap_interval(sample, seed=1)
    half = 1.96 * sample.std() / math.sqrt(200)
    assert (low, high) == pytest.approx((sample.mean() - half, sample.mean() + half), abs=0.03)
    assert (low, high) == bootstrap_interval(sample, seed=1)
    assert bootstrap_interval([0.4]) == (0.4, 0.4)
    assert all(math.isnan(end) for end in bootstrap_interval([]))


def test_effect_sizes_by_hand() -> None:
    # differences 4, −1, 2, 0: ranks 3, 1, 2 of the three that differ
    first, second = [5, 1, 3, 2], [1, 2, 1, 2]
    assert rank_biserial(first, second) == pytest.approx((3 - 1 + 2) / 6)
    assert rank_biserial([1], [1]) == 0.0


FCITS_TOURISM = {
    "BFS": (5610, 0.3740, 0.4247, 0.2848),
    "OPS": (10230, 0.6820, 0.6966, 0.2317),
    "FCSA": (11254.5, 0.7503, 0.7292, 0.1769),
    "FCWSEO": (12129, 0.8086, 0.7553, 0.1293),
    "FCOITS": (12679.5, 0.8453, 0.7806, 0.1413),
    "FCITS_OH": (13081.5, 0.8721, 0.7912, 0.1340),
}
FCITS_RAINSTORM = {
    "BFS": (3549, 0.2366, 0.2947, 0.3096),
    "OPS": (9813, 0.6542, 0.6376, 0.2599),
    "FCSA": (10506, 0.7004, 0.6627, 0.1953),
    "FCWSEO": (12154.5, 0.8103, 0.8200, 0.1570),
    "OLMOACO": (11125.5, 0.7417, 0.7781, 0.1375),
    "FCOITS": (11953.5, 0.7969, 0.7306, 0.1495),
    "FCITS_OH": (12393, 0.8262, 0.7421, 0.1444),
}


def test_the_ranks_of_fcits_oh_follow_from_its_figures() -> None:
    assert rank_by_measures(FCITS_TOURISM) == {
        "FCITS_OH": 1.25, "FCOITS": 2.25, "FCWSEO": 2.5, "FCSA": 4.0, "OPS": 5.0, "BFS": 6.0,
    }  # fmt: skip
    assert rank_by_measures(FCITS_RAINSTORM) == {
        "FCITS_OH": 1.75, "FCWSEO": 2.25, "OLMOACO": 2.75, "FCOITS": 3.25, "FCSA": 5.0, "OPS": 6.0, "BFS": 7.0,
    }  # fmt: skip


def test_a_pairing_is_decided_only_after_its_correction() -> None:
    better = pairing("a", "ops", "bfs", ([0.9, 0.8, 0.85, 0.7, 0.9, 0.8], [0.1, 0.2, 0.3, 0.1, 0.2, 0.1]))
    even = pairing("b", "ops", "bfs", ([0.5, 0.6, 0.4], [0.6, 0.5, 0.4]))
    assert better.verdict() == "undecided"  # nothing was corrected yet
    alone, family = corrected([better])[0], corrected([better, even])
    assert (better.p, alone.corrected, alone.verdict()) == (2 / 64, 2 / 64, "ops")
    assert (family[0].corrected, family[0].verdict()) == (4 / 64, "undecided")
    assert better.interval[0] < better.difference < better.interval[1]
    assert better.effect == 1.0
