"""Selection by several objectives, larger being better: non-dominated sorting, and samples of a front.

A link dominates another if it is worse in no objective and better in one. The links that none dominates are front 0;
without them the next ones are front 1, and so on. Equal links are in the same front.

Paper: FCWSEO §6.2, Eq. (15): the sorting is NSGA-II's, the sampling (NFCS) the authors' own.
Differs: one link may be the best by several objectives, so "q ≤ m" and "q − m" of the text are about the number of
different best links; of equally good or equally far links the first is taken.
"""

from __future__ import annotations

import random
from typing import Protocol

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Floats, Ids

Points = npt.NDArray[np.float64]
"""One row a link, one column an objective."""


def dominates(one: Floats, other: Floats) -> bool:
    """Whether `one` is worse in no objective and better in one."""
    return bool((one >= other).all() and (one > other).any())


def front_of(points: Points) -> Ids:
    """The number of the front each row is in, 0 for non-dominated rows. Equal rows are sorted once."""
    from moocore import pareto_rank

    if len(points) == 0:
        return np.empty(0, dtype=np.int64)
    order = np.lexsort(points.T)
    ordered = points[order]
    is_new = np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1))
    fronts = np.empty(len(points), dtype=np.int64)
    fronts[order] = pareto_rank(ordered[is_new], maximise=True)[is_new.cumsum() - 1]
    return fronts


class Sample(Protocol):
    """`q` rows of a front, in the order they are taken; all of them if there are no more."""

    def __call__(self, points: Points, q: int, rng: random.Random) -> list[int]: ...


def nearest_and_farthest(points: Points, q: int, rng: random.Random) -> list[int]:
    """The best by each objective, then repeatedly the row farthest from its nearest chosen row (NFCS)."""
    if len(points) <= q:
        return list(range(len(points)))
    best = list(dict.fromkeys(points.argmax(axis=0).tolist()))
    if q <= len(best):
        return rng.sample(best, q)
    taken = best
    nearest = np.min([_distances(points, row) for row in best], axis=0)
    nearest[best] = -1.0
    while len(taken) < q:
        farthest = int(nearest.argmax())
        taken.append(farthest)
        nearest = np.minimum(nearest, _distances(points, farthest))
        nearest[farthest] = -1.0
    return taken


def least_crowded(points: Points, q: int, rng: random.Random) -> list[int]:
    """The rows of largest crowding distance (NSGA-II)."""
    if len(points) <= q:
        return list(range(len(points)))
    rows: list[int] = np.argsort(-crowding(points), kind="stable")[:q].tolist()
    return rows


SAMPLES: dict[str, Sample] = {"nfcs": nearest_and_farthest, "crowding": least_crowded}


def crowding(points: Points) -> Floats:
    """NSGA-II's crowding distance: that between a row's two neighbours, summed over objectives; inf at the ends."""
    around = np.zeros(len(points))
    for column in points.T:
        order = np.argsort(column, kind="stable")
        spread = column[order[-1]] - column[order[0]]
        if spread > 0:
            around[order[1:-1]] += (column[order[2:]] - column[order[:-2]]) / spread
            around[order[[0, -1]]] = np.inf
    return around


def best(points: Points, q: int, rng: random.Random, sample: Sample) -> tuple[list[int], Ids]:
    """`q` rows, and the front of every row: whole fronts in order, then a sample of the first that does not fit."""
    fronts = front_of(points)
    taken: list[int] = []
    for number in range(int(fronts.max(initial=-1)) + 1):
        rows = np.flatnonzero(fronts == number)
        left = q - len(taken)
        if left < len(rows):
            return taken + [
                int(rows[row]) for row in sample(points[rows], left, rng)
            ] if left else taken, fronts
        taken += rows.tolist()
    return taken, fronts


def _distances(points: Points, row: int) -> Floats:
    """How far every row is from one."""
    away: Floats = np.sqrt(((points - points[row]) ** 2).sum(axis=1))  # Eq. (15)
    return away
