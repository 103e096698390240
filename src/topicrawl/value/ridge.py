"""Ridge regression over sparse rows, cheap to repeat as rows are added."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from topicrawl.floats import dot

Floats = npt.NDArray[np.float64]

STEPS = 30
"""Steps of conjugate gradients, at most: with rows of length 1 and a penalty of 1 ten are enough."""
CLOSE = 1e-8
"""Relative squared residual at which iteration stops."""


def ridge(rows: csr_array, targets: Floats, penalty: float, start: Floats) -> Floats:
    """The weights w that minimise |rows · w − targets|² + penalty · |w|².

    By conjugate gradients from `start`, the solution of an earlier fit. A step reads the rows twice; an exact solution
    would be cubic in their number.
    """
    columns = rows.T  # a view: a copy would take as much memory again
    weights = np.zeros(rows.shape[1])
    weights[: len(start)] = start[: len(weights)]
    aim = columns @ targets
    residual = aim - columns @ (rows @ weights) - penalty * weights
    direction, left = residual.copy(), float(dot(residual, residual))
    for _ in range(STEPS):
        if left <= CLOSE * max(float(dot(aim, aim)), 1e-30):
            break
        pushed = columns @ (rows @ direction) + penalty * direction
        length = left / float(dot(direction, pushed))
        weights += length * direction
        residual -= length * pushed
        left, before = float(dot(residual, residual)), left
        direction = residual + left / before * direction
    return weights
