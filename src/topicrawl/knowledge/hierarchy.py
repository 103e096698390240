"""The hierarchy of labels, by subsumption: nearly every item of the narrower label has the broader one too.

Paper: Semantic HMC builds a label hierarchy from the conditional proportions of terms; the formula follows the
subsumption method of Sanderson and Croft. A broader term describes more items than a narrower one, so there is no
cycle.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from topicrawl.knowledge.cooccurrence import Cooccurrence

Pair = tuple[int, int]
"""Broader, narrower."""
Relation = npt.NDArray[np.bool_]


def subsumes(counts: Cooccurrence, terms: Sequence[int], threshold: float) -> Relation:
    """[i, j]: terms[i] is broader than terms[j]."""
    if not terms:
        return np.zeros((0, 0), dtype=bool)
    share = np.stack([counts.proportion(x, terms) for x in terms])  # P(x|y)
    return (share >= threshold) & (threshold > share.T)


def reduced(relation: Relation) -> Relation:
    """The transitive reduction: the relation without pairs that follow from others."""
    rows = _bits(relation)
    closure = _closure(rows)
    return _relation([row & ~_through(row, closure) for row in rows])


def closed(relation: Relation) -> Relation:
    """The transitive closure of an acyclic relation."""
    return _relation(_closure(_bits(relation)))


def _closure(rows: list[int]) -> list[int]:
    """The transitive closure of rows of bits: faster than matrix products for a few thousand pairs."""
    rows, changed = list(rows), True
    while changed:
        changed = False
        for place, row in enumerate(rows):
            reached = row | _through(row, rows)
            changed |= reached != row
            rows[place] = reached
    return rows


def _through(row: int, rows: list[int]) -> int:
    """The union of the rows of all members of `row`."""
    reached = 0
    while row:
        lowest = row & -row
        reached |= rows[lowest.bit_length() - 1]
        row ^= lowest
    return reached


def _bits(relation: Relation) -> list[int]:
    packed = np.packbits(relation, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def _relation(rows: list[int]) -> Relation:
    size = len(rows)
    packed = b"".join(row.to_bytes(-(-size // 8), "little") for row in rows)
    columns = np.frombuffer(packed, np.uint8).reshape(size, -(-size // 8))
    return np.unpackbits(columns, axis=1, bitorder="little", count=size).astype(bool)


def broader_pairs(counts: Cooccurrence, terms: Sequence[int], threshold: float) -> frozenset[Pair]:
    """The hierarchy of `terms`, reduced to its direct pairs."""
    direct = reduced(subsumes(counts, terms, threshold))
    return frozenset((terms[x], terms[y]) for x, y in np.argwhere(direct).tolist())
