"""The arithmetic that is the same on every processor: its accuracy, and its bits."""

from __future__ import annotations

import ast
import hashlib
import math
import re
from collections.abc import Iterator
from decimal import Context, Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl import floats
from topicrawl.floats import Floats, dot, exp, exp1, expm1, log, log_counts, median, norm, power

ROOT = Path(__file__).resolve().parents[1]
DECIDING = (
    "page",
    "topic",
    "frontier",
    "value",
    "knowledge",
    "strategies",
    "crawling",
    "web/invented",
    "model.py",
)
"""Packages whose figures are logged or decide, below src/topicrawl."""
NOT_THE_SAME = re.compile(
    r"\b(?:np|math)\.(?:exp|exp2|expm1|log|log2|log10|log1p|pow|power|sin|cos|tan|tanh|cbrt|dot|vdot|inner|matmul|tensordot)\("
    r"|np\.linalg|scipy\.(?:linalg|special|optimize)|from scipy(?:\.\w+)* import .*(?:linalg|special|optimize)"
    r"|from math import .*\b(?:exp|log|pow)|\.(?:normal|gauss|normalvariate|expovariate|gammavariate|lognormvariate)\("
    r"|argsort\((?!.*stable)|np\.(?:arg)?partition\("
)
SPARSE = (
    *("knowledge/classify.py", "knowledge/layers.py", "knowledge/learner.py", "topic/lda.py"),
    *("value/measures.py", "value/pagerank.py"),
)
"""Files that use @: of sparse matrices, which scipy multiplies in a fixed order."""
EXACTLY = Context(prec=40)


def deciding_files() -> Iterator[Path]:
    package = ROOT / "src" / "topicrawl"
    for name in DECIDING:
        yield from sorted((package / name).rglob("*.py")) or [package / name]


def test_what_decides_uses_no_function_that_depends_on_the_processor() -> None:
    """Where this fails, use topicrawl/floats.py; for @ of a sparse matrix, add the file to `SPARSE`."""
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in deciding_files()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if NOT_THE_SAME.search(line)
    ]
    products = [
        f"{path.relative_to(ROOT)}:{node.lineno}: @"
        for path in deciding_files()
        if not str(path).endswith(SPARSE)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)
    ]
    assert found + products == []


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


def test_exp_of_one_number_of_few_and_of_many_has_the_same_bits() -> None:
    x = np.append(spread(-760, 30), [0.0, -0.0, 1.0])
    together = exp(x).tolist()
    assert [exp1(value) for value in x.tolist()] == together
    assert exp(x[:3]).tolist() == together[:3]
    assert exp(x[:2].reshape(2, 1)).shape == (2, 1)


@pytest.mark.parametrize(("low", "high"), [(-1e-6, 1e-6), (-0.4, 0.4), (-30.0, 3.0)])
def test_expm1_is_accurate_near_0_too(low: float, high: float) -> None:
    x = spread(low, high)
    exact = [EXACTLY.exp(Decimal(value)) - 1 for value in x.tolist()]
    assert max(errors(expm1(x), exact)) < 4


def test_native_code_and_python_give_exp_the_same_bits() -> None:
    native = pytest.importorskip("topicrawl._native", reason="built without native code")
    x = np.concatenate((spread(-800, 709), spread(-1, 1), spread(-746, -700), [0.0, -0.0, -np.inf]))
    found = np.empty((2, len(x)))
    for of, into in zip((native.exp_all, floats.python_exp_all), found, strict=True):
        of(x, floats._EXP_CONSTANTS, into)
    assert found[0].tobytes() == found[1].tobytes()
    with pytest.raises(ValueError, match="needs a place"):
        native.exp_all(x, floats._EXP_CONSTANTS, found[0][:1].copy())


@pytest.mark.parametrize("exponent", [0.0, 0.5, 1.0, 1.7, 2.0, 3.0])
def test_powers_of_numbers_that_are_not_negative(exponent: float) -> None:
    x = np.append(spread(0, 10), [0.0, 1.0])
    assert power(x, exponent) == pytest.approx(x**exponent, rel=1e-14)


def test_logs_of_counts_are_those_of_log() -> None:
    counts = np.array([1, 2, 4094, 4095, 4096, 4097, 10**6, 3], np.int32)
    assert log_counts(counts).tolist() == log(counts).tolist()
    assert log_counts(counts[:0]).tolist() == []


def test_dot_takes_vectors_and_matrices() -> None:
    matrix = np.arange(12.0).reshape(3, 4)
    assert dot(matrix[1], matrix[2]) == matrix[1] @ matrix[2]
    assert dot(matrix, matrix[1]).tolist() == (matrix @ matrix[1]).tolist()
    assert norm(np.array([3.0, 4.0])) == 5.0


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=9))
def test_the_median_is_that_of_numpy(values: list[float]) -> None:
    assert median(np.array(values)) == np.median(values)
