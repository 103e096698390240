"""Tests of whether strategies differ: rank tests, permutation tests, confidence intervals, effect sizes.

A table of scores has a row for every block (a task, a seed set) and a column for every strategy; larger is better.
Functions that draw random numbers take a seed, so that a report can be reproduced exactly.

Paper: FCITS_OH ranks its crawlers by their average rank over LP, AC, AR (larger is better) and SD (smaller is better).
Differs: it calls that a Friedman test. The four measures of one crawl are not independent blocks, so `rank_by_measures`
returns ranks and no p-value; `friedman` takes tasks as blocks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import numpy.typing as npt
from numpy.random import default_rng
from scipy.special import chdtrc, fdtrc
from scipy.stats import rankdata, studentized_range

Floats = npt.NDArray[np.float64]
EXACT_PAIRS = 12
"""Most pairs for which every assignment of signs is tried (4,096)."""
DRAWS = 10_000
"""Number of random assignments or resamples otherwise."""
UNDECIDED = "undecided"
"""The verdict where no test shows a difference."""


@dataclass(frozen=True, slots=True)
class Friedman:
    """The Friedman test of a table of scores."""

    ranks: tuple[float, ...]
    """Average rank of each column, 1 the best; ties share the mean of their ranks."""
    blocks: int
    chi_square: float
    p: float
    """By the χ² distribution with columns − 1 degrees of freedom, corrected for ties."""
    p_iman_davenport: float
    """By the F distribution: less conservative than χ², the better choice for few blocks."""
    agreement: float
    """Kendall's W, the effect size: 0 when the blocks order the columns at random, 1 when they all agree."""


def friedman(scores: npt.ArrayLike) -> Friedman:
    """Test whether the columns differ; p is 1 for fewer than two columns."""
    table = _table(scores)
    blocks, columns = table.shape
    ranks = _ranks(table)
    means = ranks.mean(axis=0)
    spread = float(((means - (columns + 1) / 2) ** 2).sum()) * 12 * blocks / (columns * (columns + 1))
    untied = 1 - _ties(ranks) / (blocks * columns * (columns**2 - 1)) if columns > 1 else 0.0
    chi_square = spread / untied if untied > 0 else 0.0
    freedom = columns - 1
    p = float(chdtrc(freedom, chi_square)) if freedom else 1.0
    agreement = chi_square / (blocks * freedom) if freedom else 0.0
    return Friedman(
        tuple(means.tolist()), blocks, chi_square, p, _iman_davenport(chi_square, blocks, columns), agreement
    )


def _iman_davenport(chi_square: float, blocks: int, columns: int) -> float:
    rest = blocks * (columns - 1) - chi_square
    if columns < 2 or blocks < 2:
        return 1.0
    if rest <= 1e-12:  # all blocks agree: F is infinite
        return 0.0
    return float(fdtrc(columns - 1, (columns - 1) * (blocks - 1), (blocks - 1) * chi_square / rest))


def critical_difference(columns: int, blocks: int, alpha: float = 0.05) -> float:
    """Nemenyi: the least difference of average ranks that is significant at level `alpha`."""
    quantile = float(studentized_range.ppf(1 - alpha, columns, math.inf)) / math.sqrt(2)
    return quantile * math.sqrt(columns * (columns + 1) / (6 * blocks))


def nemenyi(ranks: Sequence[float], blocks: int) -> Floats:
    """p-values of all pairs of columns by their average ranks, already corrected for the number of pairs."""
    means, columns = np.asarray(ranks, dtype=np.float64), len(ranks)
    apart = np.abs(means[:, None] - means[None, :]) / math.sqrt(columns * (columns + 1) / (6 * blocks))
    p: Floats = np.clip(studentized_range.sf(apart * math.sqrt(2), columns, math.inf), 0.0, 1.0)
    np.fill_diagonal(p, 1.0)
    return p


def cliques(ranks: Sequence[float], difference: float) -> list[tuple[int, ...]]:
    """The largest groups of columns whose average ranks differ by less than `difference`, best first.

    These are the bars of a critical-difference diagram; columns that differ from all others are in none.
    """
    order = sorted(range(len(ranks)), key=lambda column: ranks[column])
    groups: list[tuple[int, ...]] = []
    reached = 0
    for first, column in enumerate(order):
        last = first
        while last + 1 < len(order) and ranks[order[last + 1]] - ranks[column] < difference:
            last += 1
        if last > first and last > reached:
            groups.append(tuple(order[first : last + 1]))
            reached = last
    return groups


def permutation_test(
    first: npt.ArrayLike, second: npt.ArrayLike, *, seed: int = 0, draws: int = DRAWS
) -> float:
    """Two-sided p-value of the mean difference of pairs, by random exchange within pairs.

    All sign assignments are tried up to `EXACT_PAIRS` pairs that differ, `draws` random ones beyond (the observed
    assignment then counts as one of them, so p is never 0).
    """
    differences = _differences(first, second)
    differences = differences[differences != 0]
    pairs = len(differences)
    if not pairs:
        return 1.0
    observed = abs(differences.sum()) * (1 - 1e-12)
    if pairs <= EXACT_PAIRS:
        signs = np.array(list(product((1.0, -1.0), repeat=pairs)))
        return float(np.mean(np.abs(signs @ differences) >= observed))
    signs = default_rng(seed).integers(0, 2, (draws, pairs)) * 2.0 - 1.0
    return float(1 + np.sum(np.abs(signs @ differences) >= observed)) / (draws + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction: p-values of a family of tests at a family-wise error rate of α."""
    order = sorted(range(len(p_values)), key=lambda test: p_values[test])
    corrected, highest = [0.0] * len(p_values), 0.0
    for place, test in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - place) * p_values[test]))
        corrected[test] = highest
    return corrected


def bootstrap_interval(
    values: npt.ArrayLike, *, level: float = 0.95, seed: int = 0, draws: int = DRAWS
) -> tuple[float, float]:
    """Confidence interval of the mean of `values`, by percentiles of resampled means; nan for no values."""
    sample = np.asarray(values, dtype=np.float64)
    if not sample.size:
        return math.nan, math.nan
    picked = default_rng(seed).integers(0, sample.size, (draws, sample.size))
    low, high = np.quantile(sample[picked].mean(axis=1), ((1 - level) / 2, (1 + level) / 2))
    return float(low), float(high)


def rank_biserial(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """Effect size of pairs: share of the rank sum where `first` is larger, minus the share where it is smaller.

    1 when the first of every pair is larger, −1 when it is always smaller; equal pairs are ignored.
    """
    differences = _differences(first, second)
    differences = differences[differences != 0]
    if not differences.size:
        return 0.0
    ranks = rankdata(np.abs(differences))
    return float((ranks * np.sign(differences)).sum() / ranks.sum())


Measures = tuple[float, float, float, float]
"""LP, AC, AR, SD of one crawler."""


def rank_by_measures(crawlers: Mapping[str, Measures]) -> dict[str, float]:
    """The ranking of FCITS_OH: the average rank over LP, AC, AR (descending) and SD (ascending), best first."""
    table = np.array(list(crawlers.values()), dtype=np.float64).reshape(-1, 4)
    ranks = _ranks((table * (1, 1, 1, -1)).T).mean(axis=0)
    named = dict(zip(crawlers, ranks.tolist(), strict=True))
    return dict(sorted(named.items(), key=lambda item: item[1]))


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two strategies compared within one task, paired by seed set."""

    task: str
    first: str
    second: str
    pairs: int
    difference: float
    """Mean of first − second."""
    interval: tuple[float, float]
    p: float
    effect: float
    """Rank-biserial."""
    corrected: float = math.nan
    """p after Holm's correction over the family of tests."""

    def verdict(self, alpha: float = 0.05) -> str:
        """Which of the two is better, or `undecided`."""
        if not self.corrected < alpha:
            return UNDECIDED
        return self.first if self.difference > 0 else self.second


def pairing(
    task: str, first: str, second: str, scores: tuple[npt.ArrayLike, npt.ArrayLike], seed: int = 0
) -> Pairing:
    """Test one pair of strategies in one task; `scores` have one value for each seed set, in the same order."""
    differences = _differences(*scores)
    return Pairing(
        task=task,
        first=first,
        second=second,
        pairs=len(differences),
        difference=float(differences.mean()) if differences.size else 0.0,
        interval=bootstrap_interval(differences, seed=seed),
        p=permutation_test(*scores, seed=seed),
        effect=rank_biserial(*scores),
    )


def corrected(family: Sequence[Pairing]) -> list[Pairing]:
    """The pairings with p-values corrected as one family."""
    adjusted = holm([each.p for each in family])
    return [replace(each, corrected=p) for each, p in zip(family, adjusted, strict=True)]


def _table(scores: npt.ArrayLike) -> Floats:
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or not table.size:
        raise ValueError(f"scores have the shape {table.shape}; give blocks × columns")
    return table


def _ranks(table: Floats) -> Floats:
    """Ranks within each row, 1 for the largest."""
    ranks: Floats = rankdata(-table, axis=1)
    return ranks


def _ties(ranks: Floats) -> float:
    """Σ (t³ − t) over all groups of t equal ranks in a row."""
    sizes = (np.unique(row, return_counts=True)[1] for row in ranks)
    return float(sum((size.astype(np.float64) ** 3 - size).sum() for size in sizes))


def _differences(first: npt.ArrayLike, second: npt.ArrayLike) -> Floats:
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.shape != other.shape:
        raise ValueError(f"{one.size} values cannot be paired with {other.size}")
    difference: Floats = one - other
    return difference
