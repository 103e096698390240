"""Features of links, written to columns of the frontier. Native code has the same functions, with equal results."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Floats, Ids
from topicrawl.model import Ints

Column = npt.NDArray[np.float32]


def measure_links(
    links: Ids,
    predicted: Column,
    shares: Floats,
    constants: Floats,
    judged_sum: Floats,
    parents_count: Ints,
    start: Ints,
    parents: Column,
    token: Column,
    share: Column,
) -> None:
    """Set the columns `parents`, `token` and `share`; `predicted` is the relevance of each link, minus the mean.

    `constants`: the mean relevance of pages, and how many parents of mean relevance are added to those of a link.
    """
    mean, added = constants.tolist()
    parents[links] = (judged_sum[links] + added * mean) / (parents_count[links] + added)
    token[links] = np.maximum(predicted[links], np.float32(-mean))
    share[links] = shares[start[links]]


def measure_hosts(
    links: Ids,
    host: Ints,
    pages: Floats,
    relevance: Floats,
    shown: Floats,
    constants: Floats,
    column: Column,
) -> None:
    """Set the column `host_worth` from what is known of the hosts of links (hosts.py)."""
    level, says, doubt, few_pages = constants.tolist()
    hosts = host[links]
    visited, relevant = pages[hosts], relevance[hosts]
    led = np.minimum(shown[hosts] / (visited + few_pages), 1.0)
    poor = np.maximum(1 - relevant / np.maximum(visited, 1) / level, 0.0) * visited / (visited + doubt)
    column[links] = says * (led - poor * (1 - led))


def in_a_row(chances: Floats, count: int) -> Floats:
    """The chance that `count` links with this chance all fail, by multiplication: the same bits everywhere."""
    result: Floats = np.ones(len(chances))
    while count:
        if count % 2:
            result = result * chances
        chances, count = chances * chances, count // 2
    return result
