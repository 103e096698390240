"""The topic as a direction: what every cosine with it needs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


def unit(weights: Sequence[float]) -> npt.NDArray[np.float64]:
    """`weights` scaled to length 1; at least one must be above 0. Neither huge nor tiny weights overflow."""
    scaled = np.asarray(weights, dtype=np.float64) / max(weights)
    direction: npt.NDArray[np.float64] = scaled / np.sqrt(scaled @ scaled)
    return direction
