"""Ridge regression over sparse rows, cheap to repeat as rows are added."""

from __future__ import annotations

import numpy as np

from topicrawl.floats import Floats, dot
from topicrawl.text.sparse_rows import SparseRows

STEPS = 30
"""Steps of conjugate gradients, at most: with rows of length 1 and a penalty of 1 ten are enough."""
CLOSE = 1e-8
"""Relative squared residual at which iteration stops."""


def ridge(rows: SparseRows, targets: Floats, penalty: float, start: Floats) -> Floats:
    """The weights w that minimise |rows · w − targets|² + penalty · |w|².

    By conjugate gradients from `start`, the solution of an earlier fit. A step reads the rows once; an exact solution
    would be cubic in their number.
    """
    compact, used = rows.compact()
    weights = np.zeros(len(used))
    known = np.searchsorted(used, len(start))
    weights[:known] = start[used[:known]]
    aim = compact.combined(targets)
    residual = aim - compact.combined_times(weights) - penalty * weights
    direction, left = residual.copy(), float(dot(residual, residual))
    step = np.empty(len(used))
    enough = CLOSE * max(float(dot(aim, aim)), 1e-30)
    for _ in range(STEPS):
        if left <= enough:
            break
        pushed = compact.combined_times(direction)
        np.multiply(direction, penalty, out=step)
        pushed += step
        length = left / float(dot(direction, pushed))
        np.multiply(direction, length, out=step)
        weights += step
        pushed *= length
        residual -= pushed
        left, before = float(dot(residual, residual)), left
        direction *= left / before
        direction += residual
    found = np.zeros(rows.width)
    found[used] = weights
    return found
