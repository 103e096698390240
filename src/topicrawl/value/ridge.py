"""Ridge regression over sparse rows, cheap to repeat as rows are added."""

from __future__ import annotations

import numpy as np

from topicrawl.floats import Floats, dot
from topicrawl.value.sparse_rows import SparseRows

STEPS = 30
"""Steps of conjugate gradients, at most: with rows of length 1 and a penalty of 1 ten are enough."""
CLOSE = 1e-8
"""Relative squared residual at which iteration stops."""


def ridge(rows: SparseRows, targets: Floats, penalty: float, start: Floats) -> Floats:
    """The weights w that minimise |rows · w − targets|² + penalty · |w|².

    By conjugate gradients from `start`, the solution of an earlier fit. A step reads the rows twice; an exact solution
    would be cubic in their number.
    """
    weights = np.zeros(rows.width)
    weights[: len(start)] = start[: len(weights)]
    aim = rows.combined(targets)
    residual = aim - rows.combined(rows.times(weights)) - penalty * weights
    direction, left = residual.copy(), float(dot(residual, residual))
    for _ in range(STEPS):
        if left <= CLOSE * max(float(dot(aim, aim)), 1e-30):
            break
        pushed = rows.combined(rows.times(direction)) + penalty * direction
        length = left / float(dot(direction, pushed))
        weights += length * direction
        residual -= length * pushed
        left, before = float(dot(residual, residual)), left
        direction = residual + left / before * direction
    return weights
