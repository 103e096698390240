"""Arithmetic on floats that gives the same bits on every processor, for all that is logged or decides.

BLAS (`@` of dense arrays, `np.linalg`) adds in an order that depends on its threads and on the processor. `exp`, `log`
and powers of numpy and of the C library are computed by different instructions on different processors, and differ in
the last bit. IEEE 754 fixes the results of + − × ÷ and √; so everything here is made of these alone, each a step of its
own, and of `sum`, which numpy adds in the same order everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.float64] | npt.NDArray[np.integer[Any]]

_LN2_HIGH, _LN2_LOW = float.fromhex("0x1.62e42feep-1"), float.fromhex("0x1.a39ef35793c76p-33")
"""ln 2 in two parts; the first has 32 bits, so that its product with an exponent is exact."""
_ONE_BY_LN2 = 1.4426950408889634
_ROOT_HALF = math.sqrt(0.5)
_EXP_TERMS = [1.0 / math.factorial(power) for power in range(13, 1, -1)]
"""Taylor series of (eʳ − 1 − r) / r², the highest power first: the rest is below 1e-17 for |r| ≤ ln 2 / 2."""
_LOG_TERMS = [2.0 / (2 * power + 1) for power in range(10, 0, -1)]
"""Series of ln((1 + s) / (1 − s)) / s − 2 in s², the highest power first: the rest is below 1e-17 for |s| ≤ 0.172."""

_EXP_CONSTANTS = np.array([_LN2_HIGH, _LN2_LOW, _ONE_BY_LN2, *_EXP_TERMS])

FEW = 16
"""Numbers that are faster one by one than as an array."""


def dot(first: Numbers, second: Numbers) -> Floats:
    """Σ first · second over the last axis; one of them may be a vector and the other a matrix."""
    sums: Floats = np.add.reduce(first * second, axis=-1)
    return sums


def norm(vector: Floats) -> float:
    """The Euclidean length of a vector."""
    return math.sqrt(dot(vector, vector))


def nth_largest(values: Floats, number: int) -> float:
    """The value with this number in descending order, the largest being number 1.

    How equal values are ordered may depend on the processor; the value does not.
    """
    return float(nth_largest_of_rows(values, number))


def median(values: Floats) -> float:
    """The middle value, or the mean of the two in the middle; `np.median` would import numpy.ma at the first call."""
    half = len(values) // 2
    return (nth_largest(values, half + 1) + nth_largest(values, len(values) - half)) / 2


def nth_largest_of_rows(values: Floats, number: int) -> Floats:
    """`nth_largest` of each row of a matrix."""
    place = values.shape[-1] - number
    found: Floats = np.partition(values, place)[..., place]
    return found


def exp(values: npt.ArrayLike) -> Floats:
    """eˣ, with an error below one unit in the last place. For x up to 709, where floats end."""
    x: Floats = np.ascontiguousarray(values, np.float64).reshape(np.shape(values))
    if x.size < FEW:
        return np.array([exp1(value) for value in x.ravel().tolist()]).reshape(x.shape)
    found = np.empty(x.shape)
    exp_all(x, _EXP_CONSTANTS, found)
    return found


def python_exp_all(values: Floats, constants: Floats, found: Floats) -> None:
    """Set `found`: eˣ of each value. Native code has the same function, with equal results."""
    high, low, one_by_ln2, *terms = constants.tolist()
    x = np.maximum(values, -746.0)  # below: 0
    twos = np.rint(x * one_by_ln2)
    rest = (x - twos * high) - twos * low
    found[...] = np.ldexp(1.0 + (rest + rest * rest * _polynomial(terms, rest)), twos.astype(np.int32))


def exp1(x: float) -> float:
    """`exp` of a single number, with equal bits: faster than an array of one."""
    x = max(x, -746.0)
    twos = round(x * _ONE_BY_LN2)
    rest = (x - twos * _LN2_HIGH) - twos * _LN2_LOW
    total = _EXP_TERMS[0]
    for term in _EXP_TERMS[1:]:
        total = total * rest + term
    return math.ldexp(1.0 + (rest + rest * rest * total), twos)


def expm1(values: npt.ArrayLike) -> Floats:
    """eˣ − 1, accurate near 0 too. For x up to 709."""
    x = np.asarray(values, np.float64)
    near = np.clip(x, -0.3, 0.3)
    return np.where(x == near, near + near * near * _polynomial(_EXP_TERMS, near), exp(x) - 1.0)


def log(values: npt.ArrayLike) -> Floats:
    """ln x, with an error below one unit in the last place. For finite x above 0."""
    part, twos = np.frexp(np.asarray(values, np.float64))
    low = part < _ROOT_HALF
    beyond = np.where(low, 2.0 * part, part) - 1.0
    twos = twos - low
    ratio, half = beyond / (2.0 + beyond), 0.5 * beyond * beyond
    square = ratio * ratio
    curved = ratio * (half + square * _polynomial(_LOG_TERMS, square))
    found: Floats = twos * _LN2_HIGH - ((half - (curved + twos * _LN2_LOW)) - beyond)
    return found


def log_counts(counts: npt.NDArray[np.integer[Any]]) -> Floats:
    """ln of counts above 0; most are small and are looked up."""
    logs: Floats = _SMALL_LOGS.take(counts, mode="clip")
    large = np.flatnonzero(counts >= len(_SMALL_LOGS))
    if len(large):
        logs[large] = log(counts[large])
    return logs


def power(values: Floats, exponent: float) -> Floats:
    """xⁿ for x of 0 or more. For n of 0, ½, 1 and 2 exact to the last bit."""
    if exponent in _SIMPLE_POWERS:
        return _SIMPLE_POWERS[exponent](values)
    above = values > 0
    raised: Floats = np.where(above, exp(exponent * log(np.where(above, values, 1.0))), 0.0)
    return raised


def _polynomial(terms: list[float], x: Floats) -> Floats:
    """Horner's rule, the highest power first."""
    total: Floats = np.full(x.shape, terms[0])
    for term in terms[1:]:
        total *= x
        total += term
    return total


_SIMPLE_POWERS: dict[float, Callable[[Floats], Floats]] = {
    0: np.ones_like,
    0.5: np.sqrt,
    1: np.positive,
    2: np.square,
}
_SMALL_LOGS = np.append(0.0, log(np.arange(1, 4096)))

try:
    from topicrawl._native import exp_all
except ImportError:  # the same in Python, several times slower
    exp_all = python_exp_all
