"""The exact solution of MCOA's problem: bounded least squares.

The sum of squares over training links is convex in the four weights, so its minimum in [0, 1]⁴ needs no search: of
each weight it is known that it is 0, 1 or in between, and these 81 cases are tried. (Solvers of numpy and scipy give
results that depend on the processor.)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from topicrawl.strategies.weights.samples import TEXTS, Gram, Samples

FourWeights = tuple[float, ...]
BETWEEN = -1.0
"""A weight that is neither 0 nor 1."""
DEPENDENT = 1e-12
"""Relative pivot below which columns count as dependent: another case has the same minimum."""
ROUNDING = 1e-9


def exact_weights(samples: Samples) -> FourWeights:
    """The weights in [0, 1] of smallest squared error; equal quarters where there is nothing to learn from."""
    if not len(samples):
        return (1 / len(TEXTS),) * len(TEXTS)
    gram = Gram.of(samples)
    cases = (_solved(gram, case) for case in product((0.0, 1.0, BETWEEN), repeat=len(TEXTS)))
    possible = [weights for weights in cases if weights is not None]
    return tuple(possible[int(gram.fitness(np.array(possible)).argmax())])


def _solved(gram: Gram, case: Sequence[float]) -> list[float] | None:
    """The weights of smallest error where some are fixed; None if they are not unique, or leave [0, 1]."""
    weights = np.array(case)
    free = np.flatnonzero(weights == BETWEEN)
    weights[free] = 0.0
    aim = gram.targets[free] - (gram.products[free] * weights).sum(axis=1)
    found = _eliminated(gram.products[np.ix_(free, free)].tolist(), aim.tolist())
    if found is None or any(not -ROUNDING <= weight <= 1 + ROUNDING for weight in found):
        return None
    weights[free] = found
    return [float(min(max(weight, 0.0), 1.0)) for weight in weights]


def _eliminated(rows: list[list[float]], aim: list[float]) -> list[float] | None:
    """The solution of a symmetric positive system by Gauss elimination; None if it is singular."""
    size = len(rows)
    least = [DEPENDENT * rows[place][place] for place in range(size)]
    for place in range(size):
        if rows[place][place] <= least[place]:
            return None
        for below in range(place + 1, size):
            factor = rows[below][place] / rows[place][place]
            rows[below] = [
                left - factor * above for left, above in zip(rows[below], rows[place], strict=True)
            ]
            aim[below] -= factor * aim[place]
    found = [0.0] * size
    for place in reversed(range(size)):
        known = sum(rows[place][later] * found[later] for later in range(place + 1, size))
        found[place] = (aim[place] - known) / rows[place][place]
    return found
