"""Cosine similarity with the topic vector."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from topicrawl.floats import norm


def unit(weights: Sequence[float]) -> npt.NDArray[np.float64]:
    """`weights` scaled to length 1; at least one must be above 0. Neither huge nor tiny weights overflow."""
    scaled = np.asarray(weights, dtype=np.float64) / max(weights)
    direction: npt.NDArray[np.float64] = scaled / norm(scaled)
    return direction


def cosines(
    direction: npt.NDArray[np.float64],
    places: npt.NDArray[np.int32],
    terms: npt.NDArray[np.int32],
    weights: npt.NDArray[np.float64],
    count: int,
) -> npt.NDArray[np.float64]:
    """The cosine with the topic of each of `count` things, in [0, 1]; 0 for a thing without a term.

    `weights[i]` is the weight of term `terms[i]` in thing `places[i]`; each pair occurs at most once.
    """
    along = np.bincount(places, weights * direction[terms], minlength=count)
    lengths = np.sqrt(np.bincount(places, weights * weights, minlength=count))
    cosine = np.divide(along, lengths, out=np.zeros(count), where=lengths > 0)
    return np.minimum(cosine, 1.0)
