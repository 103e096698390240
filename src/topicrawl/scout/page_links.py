"""The links of a page that lead to known ones. Native code has the same function, with equal results."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import PEEKED, Ids


def links_on_page(
    said: Sequence[int], own: int, different: Ids, state: npt.NDArray[np.uint8]
) -> tuple[bytearray, bytearray, bytearray, bytearray]:
    """Of the rows of a page that lead to a known link and not to the page itself, `own`: link, row, whether it waits.

    `said` has the link of every row, −1 for none, `different` each of these links once. The last result says where in
    the first the links of `different` occur first. 64 bits a number, one byte a flag.
    """
    links = np.array(said, dtype=np.int64)
    rows = np.flatnonzero((links >= 0) & (links != own))
    links = links[rows]
    known, first = np.unique(links, return_index=True)
    waits = state[links] <= PEEKED
    places = first[np.searchsorted(known, different)]
    found = [bytearray(each.tobytes()) for each in (links, rows, waits, places)]
    return found[0], found[1], found[2], found[3]
