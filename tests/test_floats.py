"""The arithmetic that is the same on every processor: its accuracy, and its bits."""

from __future__ import annotations

import hashlib
import math
from decimal import Context, Decimal

import numpy as np
import pytest

from topicrawl.floats import Floats, dot, exp, log, log_counts, norm

EXACTLY = Context(prec=40)


def spread(low: float, high: float, count: int = 4_000) -> Floats:
    """Numbers from low to high in no simple ratio, made without a random generator."""
    return low + (high - low) * ((np.arange(count) * 0.6180339887498949) % 1.0)


def errors(found: Floats, exact: list[Decimal]) -> list[Decimal]:
    """In units of the last place."""
    return [
        abs(Decimal(value) - right) / Decimal(math.ulp(value))
        for value, right in zip(found.tolist(), exact, strict=True)
    ]


@pytest.mark.parametrize(("low", "high"), [(-700.0, 700.0), (-30.0, 30.0), (-1e-3, 1e-3)])
def test_exp_is_exact_to_one_unit_in_the_last_place(low: float, high: float) -> None:
    x = spread(low, high)
    assert max(errors(exp(x), [EXACTLY.exp(Decimal(value)) for value in x.tolist()])) < 1


@pytest.mark.parametrize(("low", "high"), [(1e-9, 5.0), (0.99, 1.01), (1.0, 1e300), (5e-324, 1e-310)])
def test_log_is_exact_to_one_unit_in_the_last_place(low: float, high: float) -> None:
    x = spread(low, high)
    x = x[x != 1.0]
    assert max(errors(log(x), [EXACTLY.ln(Decimal(value)) for value in x.tolist()])) < 1


def test_exp_and_log_of_round_values() -> None:
    assert exp([0.0, -1e9]).tolist() == [1.0, 0.0]
    assert log([1.0, 2.0]).tolist() == [0.0, math.log(2)]
    assert float(exp(-745.0)) == 5e-324
    assert float(log(math.e)) == 1.0


def test_the_bits_of_exp_and_log_are_these() -> None:
    """Pinned: where this fails on another processor or version of numpy, crawls differ there too."""
    found = np.concatenate((exp(spread(-30, 30)), log(spread(1e-9, 5)))).astype("<f8")
    assert hashlib.sha256(found.tobytes()).hexdigest()[:16] == "ecbbb168b8f6db04"


def test_logs_of_counts_are_those_of_log() -> None:
    counts = np.array([1, 2, 1022, 1023, 1024, 1025, 10**6, 3], np.int32)
    assert log_counts(counts).tolist() == log(counts).tolist()
    assert log_counts(counts[:0]).tolist() == []


def test_dot_takes_vectors_and_matrices() -> None:
    matrix = np.arange(12.0).reshape(3, 4)
    assert dot(matrix[1], matrix[2]) == matrix[1] @ matrix[2]
    assert dot(matrix, matrix[1]).tolist() == (matrix @ matrix[1]).tolist()
    assert norm(np.array([3.0, 4.0])) == 5.0
