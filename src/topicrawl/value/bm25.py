"""BM25 weights of terms in anchors: repetitions saturate, long pages count less.

Paper: FCITS_OH Eq. (5), the sum over the pages that contain the anchor; k = 2 and b = 0.75 are published, the shape
of the equation is reconstructed from its description.
Differs: the mean page length is that of the pages visited before the anchor was found; it is not updated later.
"""

from __future__ import annotations

from topicrawl.frontier import Floats


def saturated(counts: Floats, length: float, mean_length: float, k: float = 2.0, b: float = 0.75) -> Floats:
    """The tf part of Eq. (5) for counts of terms in the anchors of one page of this length, in tokens."""
    norm = k * (1 - b + b * length / mean_length)
    return counts * (k + 1) / (counts + norm)
