"""Groups of scripts: pages in scripts of one group are compared with each other, and with no others (direction.py).

Scripts that many pages mix are in one group, as in Chinese documentation that is full of English words.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from topicrawl.frontier import Ids

MIXED = 4
"""Two scripts are mixed if of the pages in any of them one in so many is written in both."""


def script_groups(scripts: Ids) -> list[int]:
    """Groups of the scripts that pages are written in, which are numbers with a bit for each (topic_scripts.py)."""
    every = int(np.bitwise_or.reduce(scripts, initial=0))
    groups = [1 << number for number in range(every.bit_length()) if every >> number & 1]
    for one, other in combinations(groups, 2):
        both = np.count_nonzero((scripts & one > 0) & (scripts & other > 0))
        if both * MIXED >= np.count_nonzero(scripts & (one | other)):
            mixed = [group for group in groups if group & (one | other)]
            groups = [group for group in groups if group not in mixed] + [sum(mixed)]
    return sorted(groups)


def group_of(scripts: Ids, others: Sequence[int]) -> Ids:
    """For pages in these scripts: 0 for the first group, else the place of its group among the others, from 1 on.

    A page that has any script of the first group is in that, and so is one in no script of the topic.
    """
    found = np.zeros(len(scripts), np.int64)
    elsewhere = scripts & ~sum(others) == 0
    for number, group in reversed([*enumerate(others, 1)]):
        found[elsewhere & (scripts & group > 0)] = number
    return found
