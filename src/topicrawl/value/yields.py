"""Mean relevance of pages or links by a common key."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Floats

Keys = npt.NDArray[np.integer[Any]]


def surpluses(keys: Keys, relevances: Floats, size: int, mean: float, strength: float) -> Floats:
    """Relevance minus `mean`, averaged for each key from 0 to `size` − 1.

    Averages shrink towards 0, as if each key had `strength` more members of mean relevance.
    """
    counts = np.bincount(keys, minlength=size)
    sums = np.bincount(keys, relevances - mean, minlength=size)
    surplus: Floats = sums / (counts + strength)
    return surplus
