"""Conjugate gradients against the exact solution."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import random_array

from text.sparse import dense, sparse
from topicrawl.scout.ridge import ridge
from topicrawl.text.sparse_rows import SparseRows


def problem(seed: int) -> tuple[SparseRows, np.ndarray[tuple[int], np.dtype[np.float64]]]:
    rng = np.random.default_rng(seed)
    rows = random_array((60, 200), density=0.05, rng=rng, format="csr")
    lengths = np.sqrt(rows.multiply(rows).sum(axis=1))
    return sparse(rows.multiply(1 / np.maximum(lengths, 1e-9)[:, None]).toarray()), rng.normal(size=60)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("penalty", [1.0, 2.0])
def test_it_is_the_exact_solution(seed: int, penalty: float) -> None:
    rows, targets = problem(seed)
    all_of = dense(rows)
    exact = all_of.T @ np.linalg.solve(all_of @ all_of.T + penalty * np.eye(60), targets)
    found = ridge(rows, targets, penalty, np.zeros(1))
    assert np.abs(found - exact).max() < 1e-3


def test_a_start_at_the_solution_stays_there() -> None:
    rows, targets = problem(1)
    solved = ridge(rows, targets, 1.0, np.zeros(1))
    assert np.allclose(ridge(rows, targets, 1.0, solved), solved, atol=1e-3)


def test_a_start_of_fewer_tokens_is_enough() -> None:
    rows, targets = problem(2)
    assert ridge(rows, targets, 1.0, np.ones(7)).shape == (200,)


def test_without_rows_all_weights_are_0() -> None:
    assert not ridge(sparse(np.zeros((0, 3))), np.zeros(0), 1.0, np.zeros(1)).any()
