"""Priorities of links, from their features to the queue. Native code has the same function, with equal results."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Floats, Ids
from topicrawl.frontier.priorities import Bytes, Flags, set_priorities
from topicrawl.model import Ints
from topicrawl.scout.link_features import in_a_row


def prioritise_links(
    links: Ids,
    weights: Floats,
    counts: Ids,
    group: Ints,
    chances: Floats,
    depth: npt.NDArray[np.int16],
    state: Bytes,
    host: Ints,
    held: Bytes,
    priority: Floats,
    key: Floats,
    is_stale: Flags,
    *features: npt.NDArray[np.float32],
) -> None:
    """Give links Σ weight · feature, in the order of the features, less the part that is lost to failures.

    That is lost where as many links of the same `group` as `counts` says fail in a row; 0: nothing is. `chances` are
    those of the groups. Seeds, of depth 0, keep their priority.
    """
    links = links[depth[links] != 0]
    sums = np.zeros(len(links))
    for weight, column in zip(weights.tolist(), features, strict=True):
        sums += weight * column[links].astype(np.float64)
    if counts[0]:
        sums -= in_a_row(chances[group[links]], int(counts[0])) * np.maximum(sums, 0.0)
    set_priorities(links, sums, state, host, held, priority, key, is_stale)
