"""Priorities of links, and the largest of a column. Native code has the same functions, with equal results."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from topicrawl.floats import Floats
from topicrawl.model import Ints

BITS = 10
BLOCK = 1 << BITS
"""Rows of a block."""
PEEKED = 1
"""The last of the states in which a link waits."""

Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]


def set_priorities(
    links: npt.NDArray[np.int64],
    priorities: Floats,
    state: Bytes,
    host: Ints,
    held: Bytes,
    priority: Floats,
    key: Floats,
    is_stale: Flags,
) -> None:
    """Set the priority of links, their key if they may be chosen now, and mark their blocks of keys as changed."""
    priority[links] = priorities
    open_now = (state[links] <= PEEKED) & (held[host[links]] == 0)
    key[links] = np.where(open_now, priorities, -np.inf)
    is_stale[links >> BITS] = True


def largest_place(column: Floats, largest: Floats, is_stale: Flags) -> int:
    """The row of the largest value, the first among equals; those of blocks that have changed are computed anew."""
    for block in np.flatnonzero(is_stale).tolist():
        largest[block] = column[block << BITS : (block + 1) << BITS].max()
    is_stale[:] = False
    best = int(largest.argmax())
    return (best << BITS) + int(column[best << BITS : (best + 1) << BITS].argmax())
