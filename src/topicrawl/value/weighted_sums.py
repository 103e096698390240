"""Weighted sums of columns. Native code has the same function, with equal results."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Floats, Ids


def weighted_sums(links: Ids, weights: Floats, sums: Floats, *columns: npt.NDArray[np.float32]) -> None:
    """Add to `sums` for each link: Σ weight · column, in the order of the columns."""
    for weight, column in zip(weights.tolist(), columns, strict=True):
        sums += weight * column[links].astype(np.float64)
