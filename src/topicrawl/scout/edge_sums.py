"""Sums over the edges of the link graph. Native code has the same functions, with equal results.

The edges are in the order of the graph: numbers are added in this order.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Floats, Ids
from topicrawl.model import Ints

EACH_AS_ONE = np.zeros(0, np.int32)
"""The `parents` of `add_visited` where every edge counts as one."""


def add_to_targets(targets: Ints, given_by: Ints, values: Floats, sums: Floats) -> None:
    """Add values[given_by[i]] to the sum of targets[i]: `given_by` is the page of an edge, or its group."""
    np.add.at(sums, targets, values[given_by])


def add_visited(
    targets: Ints,
    groups: Ints,
    visited: npt.NDArray[np.bool_],
    judged: Floats,
    parents: Ints,
    mean: Floats,
    sums: Floats,
    counts: Floats,
) -> None:
    """Add to the groups of edges what their links led to, for those that were visited: relevance minus `mean`, and 1.

    With `parents`, in how many pages each link is, both are divided by that.
    """
    done = np.flatnonzero(visited[targets])
    surplus, share = judged[targets[done]] - mean[0], np.ones(len(done))
    if len(parents):
        share = 1.0 / np.maximum(parents[targets[done]], 1)
    np.add.at(sums, groups[done], surplus * share)
    np.add.at(counts, groups[done], share)


def add_places(
    numbers: npt.NDArray[np.uint8],
    rows: Ids,
    places: npt.NDArray[np.uint16],
    targets: Ids,
    parents: Ints,
    worth: Floats,
    place_of_edge: npt.NDArray[np.uint16],
    path: npt.NDArray[np.float32],
) -> None:
    """Set the place of edges to `targets`, which are in these `rows` of a page; and `path` of links on no other page.

    `numbers` says of each row which of `places` it has; those beyond have the last. `path` is what the place is worth.
    """
    place_of_edge[:] = found = places[np.minimum(numbers[rows], len(places) - 1)]
    fresh = parents[targets] <= 1
    path[targets[fresh]] = worth[found[fresh]]
