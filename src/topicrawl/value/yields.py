"""What came of pages or links that have something in common."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Floats

Keys = npt.NDArray[np.integer[Any]]


def surpluses(keys: Keys, relevances: Floats, size: int, mean: float, strength: float) -> Floats:
    """By how much those of each key, 0 to `size` − 1, were more relevant than the `mean` of all.

    A key of few is pulled towards 0, as if it had `strength` more of mean relevance.
    """
    counts = np.bincount(keys, minlength=size)
    sums = np.bincount(keys, relevances - mean, minlength=size)
    surplus: Floats = sums / (counts + strength)
    return surplus
