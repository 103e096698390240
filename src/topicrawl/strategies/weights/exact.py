"""The exact solution of MCOA's problem: bounded least squares.

The sum of squares over training links is convex in the four weights, so its minimum in [0, 1]⁴ needs no search.
"""

from __future__ import annotations

from scipy.optimize import lsq_linear

from topicrawl.strategies.weights.samples import TEXTS, Samples

FourWeights = tuple[float, ...]


def exact_weights(samples: Samples) -> FourWeights:
    """The weights in [0, 1] of smallest squared error; equal quarters where there is nothing to learn from."""
    if not len(samples):
        return (1 / len(TEXTS),) * len(TEXTS)
    found = lsq_linear(samples.texts, samples.pages, bounds=(0.0, 1.0), method="bvls")
    return tuple(float(min(max(weight, 0.0), 1.0)) for weight in found.x)
