"""What came of links that have something in common, and what that says about those that wait."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Floats

Keys = npt.NDArray[np.integer[Any]]


def surpluses(keys: Keys, relevances: Floats, size: int, mean: float, strength: float) -> Floats:
    """By how much the links of each key, 0 to `size` − 1, were more relevant than the `mean` of all.

    A key of few links is pulled towards 0, as if it had `strength` more links of mean relevance.
    """
    counts = np.bincount(keys, minlength=size)
    sums = np.bincount(keys, relevances - mean, minlength=size)
    surplus: Floats = sums / (counts + strength)
    return surplus


def averages(links: Keys, values: Floats, size: int) -> Floats:
    """The mean of the values that each link, 0 to `size` − 1, has; 0 for one without."""
    mean: Floats = np.bincount(links, values, size) / np.maximum(np.bincount(links, minlength=size), 1)
    return mean
