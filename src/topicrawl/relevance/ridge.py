"""Ridge regression, twice: over the tokens of documents, and over a handful of features with a guess to start from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

Floats = npt.NDArray[np.float64]

STEPS = 30
"""Steps of conjugate gradients, at most: with rows of length 1 and a penalty of 1 ten are enough."""
CLOSE = 1e-8
"""Share of the squared residual at which the solution is good enough."""


def ridge(rows: csr_array, targets: Floats, penalty: float, start: Floats) -> Floats:
    """The weights w that minimise |rows · w − targets|² + penalty · |w|².

    By conjugate gradients from `start`: the solution of an earlier fit makes the next one cheap, and a step costs as
    much as reading the rows twice, where solving exactly is cubic in their number.
    """
    columns = rows.T.tocsr()
    weights = np.zeros(rows.shape[1])
    weights[: len(start)] = start[: len(weights)]
    aim = columns @ targets
    residual = aim - columns @ (rows @ weights) - penalty * weights
    direction, left = residual.copy(), float(residual @ residual)
    for _ in range(STEPS):
        if left <= CLOSE * max(float(aim @ aim), 1e-30):
            break
        pushed = columns @ (rows @ direction) + penalty * direction
        length = left / float(direction @ pushed)
        weights += length * direction
        residual -= length * pushed
        left, before = float(residual @ residual), left
        direction = residual + left / before * direction
    return weights


@dataclass(frozen=True, slots=True)
class Belief:
    """What is believed of the weights of features: their mean and the factor of their covariance."""

    mean: Floats
    spread: Floats

    def drawn(self, normal: Floats, share: float) -> Floats:
        """Weights drawn from the belief, with its deviation times `share`; `normal` are standard normal numbers."""
        weights: Floats = self.mean + share * (self.spread @ normal)
        return weights


def corrected(features: Floats, errors: Floats, penalty: float) -> Belief:
    """What must be added to a guess, as an offset and a weight of each feature, that was wrong by `errors`.

    Features count in units of their deviation, so that the penalty means the same for each; the offset is free. The
    more has been seen, the more the errors count against the guess.
    """
    middle, deviation = features.mean(axis=0), features.std(axis=0)
    scale = np.where(deviation > 1e-6, 1 / np.maximum(deviation, 1e-6), 0.0)
    design = np.column_stack((np.ones(len(features)), (features - middle) * scale))
    precision = design.T @ design + np.diag([1e-3, *np.full(features.shape[1], penalty)])
    covariance = np.linalg.inv(precision)
    mean = covariance @ (design.T @ errors)
    noise = float(np.sqrt(np.mean((errors - design @ mean) ** 2)))
    back = np.diag([1.0, *scale])
    back[0, 1:] = -middle * scale
    return Belief(back @ mean, noise * (back @ np.linalg.cholesky(covariance)))
