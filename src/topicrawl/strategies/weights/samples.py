"""Training data: links with the similarities of their four texts to the topic, and of their target pages.

Paper: SVSM-MCOA §4.1.2, the training data; §4.2, errors in groups of ten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from topicrawl.floats import dot

Floats = npt.NDArray[np.float64]
TEXTS = ("full", "anchor", "title", "context")
"""The order of the four weights, as in the paper's Table 3."""
QUARTERS = (0.25, 0.25, 0.25, 0.25)
"""Equal weights: the paper's manual method."""
GROUPS = 50


@dataclass(frozen=True)
class Samples:
    """`texts` (n × 4) are the similarities of the four texts of n links, `pages` (n) those of their target pages."""

    texts: Floats
    pages: Floats

    @classmethod
    def of(cls, rows: Sequence[Sequence[float]]) -> Samples:
        """Rows of five: the four texts, then the page."""
        table = np.asarray(rows, dtype=np.float64).reshape(-1, len(TEXTS) + 1)
        return cls(table[:, :-1], table[:, -1])

    @classmethod
    def joined(cls, parts: Sequence[Samples]) -> Samples:
        """The samples of all `parts`, one after the other."""
        if not parts:
            return cls.of([])
        return cls(
            np.concatenate([each.texts for each in parts]), np.concatenate([each.pages for each in parts])
        )

    def __len__(self) -> int:
        return len(self.pages)

    def halves(self) -> tuple[Samples, Samples]:
        """The first half, for training, and the second, for testing."""
        cut = (len(self) + 1) // 2
        return Samples(self.texts[:cut], self.pages[:cut]), Samples(self.texts[cut:], self.pages[cut:])

    def errors(self, weights: Sequence[float]) -> Floats:
        """The absolute error of the weighted sum of the texts, for each link."""
        errors: Floats = np.abs(self.pages - dot(self.texts, np.asarray(weights)))
        return errors

    def grouped_errors(self, weights: Sequence[float], groups: int = GROUPS) -> Floats:
        """Mean error of each of `groups` equal stretches; fewer where there are fewer links than groups."""
        parts = np.array_split(self.errors(weights), min(groups, max(1, len(self))))
        return np.array([part.mean() if len(part) else 0.0 for part in parts])


@dataclass(frozen=True)
class Gram:
    """The normal equations of samples: |y − Xλ|² = λᵀGλ − 2bᵀλ + c, of constant size for any number of links."""

    products: Floats
    targets: Floats
    square: float

    @classmethod
    def of(cls, samples: Samples) -> Gram:
        x, y = samples.texts, samples.pages
        return cls(np.einsum("ni,nj->ij", x, x), np.einsum("ni,n->i", x, y), float(dot(y, y)))

    def fitness(self, weights: Floats) -> Floats:
        """1 / √(squared error) of each row of weights, at most `BEST`."""
        product = np.einsum("...i,ij->...j", weights, self.products)
        error = np.einsum("...i,...i->...", product - 2 * self.targets, weights) + self.square
        fitness: Floats = 1 / np.sqrt(np.maximum(error, 1 / BEST**2))  # Eq. (4)
        return fitness


BEST = 1e12
"""Fitness of an error of 0."""
