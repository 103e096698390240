"""From samples to weights: learned on the first half, tested on the second, against equal quarters.

Paper: SVSM-MCOA §4.2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from topicrawl.errors import UsageError
from topicrawl.strategies.weights.exact import exact_weights
from topicrawl.strategies.weights.membranes import Membranes, optimise
from topicrawl.strategies.weights.samples import QUARTERS, Floats, Gram, Samples

METHODS = ("mcoa", "exact")
FEWEST = 8
"""Least number of links to learn and test weights."""


@dataclass(frozen=True)
class Learned:
    """Weights and their errors: mean absolute errors over groups of test links, as in the paper."""

    weights: tuple[float, ...]
    method: str
    train: int
    test: int
    of_optimum: float
    """Fitness on the training links divided by the optimum."""
    errors: Floats
    equal_errors: Floats
    exact_errors: Floats

    @property
    def links(self) -> int:
        """Number of training and test links."""
        return self.train + self.test

    @property
    def error(self) -> float:
        """Mean absolute error on the test links."""
        return float(self.errors.mean())

    @property
    def equal_error(self) -> float:
        """The same with equal quarters."""
        return float(self.equal_errors.mean())

    @property
    def better_groups(self) -> int:
        """Groups with a smaller error than equal quarters."""
        return int(np.count_nonzero(self.errors < self.equal_errors))

    def facts(self) -> dict[str, Any]:
        """How the weights were learned, for weights.toml."""
        return {
            "method": self.method,
            "training_links": self.train,
            "test_links": self.test,
            "fitness_of_optimum": round(self.of_optimum, 6),
            "error": round(self.error, 6),
            "error_of_equal_quarters": round(self.equal_error, 6),
            "groups_better": f"{self.better_groups} of {len(self.errors)}",
        }


def learn_weights(
    samples: Samples,
    method: str = "mcoa",
    settings: Membranes | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Learned:
    """The weights of `samples` by `method`; `progress` is called with the number of generations done."""
    if len(samples) < FEWEST:
        raise UsageError(
            f"only {len(samples)} links to learn from, and {FEWEST} are needed; give more seeds, or a larger --links"
        )
    train, test = samples.halves()
    weights = exact = exact_weights(train)
    if method == "mcoa":
        settings = settings or Membranes()
        weights = optimise(train, settings, progress).weights
        method = f"mcoa, {settings.mutation} mutation, {settings.generations} generations"
    gram = Gram.of(train)
    best, found = (float(gram.fitness(np.array(each))) for each in (exact, weights))
    return Learned(
        weights,
        method,
        len(train),
        len(test),
        found / best,
        test.grouped_errors(weights),
        test.grouped_errors(QUARTERS),
        test.grouped_errors(exact),
    )
