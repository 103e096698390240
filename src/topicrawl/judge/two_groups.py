"""Whether the pages of a crawl fall into two groups by their log odds, and what these are raised by then.

The constants of odds.py are right for most crawls, but a web or a topic may shift all its log odds: where a topic has
seventy terms, no page contains most of them, and even pages about nothing else are given even odds. A gap between two
groups of pages shows it. The lower group is taken as not relevant, and all log odds are raised so that those at the
border between the groups come near 0. They are never lowered: few pages far above the others are a part of the
relevant ones, such as the seeds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from topicrawl.frontier import Floats, Ids

FEWEST = 50
"""Pages that are needed."""
LEAST = 0.04
"""Share of the pages that each group has at least."""
APART = (2.3, 2.8)
"""Distance of the groups' means, in sums of their standard deviations, from which on log odds are raised, and fully."""
NARROWEST = 0.1
"""Standard deviation of a group, at least."""
RAISED = 0.7
"""Share of the border's distance from 0 by which they are raised."""
LOWEST = -3.0
"""Bound of the border."""


class Groups(NamedTuple):
    """What two groups of pages say of all."""

    are_apart: float
    """How clearly there are two, the border between them below 0: from 0 to 1."""
    lift: float
    """What is added to the log odds of every page."""


ONE = Groups(0.0, 0.0)
"""No two groups."""


def groups(odds: Floats) -> Groups:
    """The groups of a crawl's pages by their log odds."""
    if len(odds) < FEWEST:
        return ONE
    border, apart = farthest_apart(np.sort(odds))
    if border >= 0 or apart <= APART[0]:
        return ONE
    are_apart = min((apart - APART[0]) / (APART[1] - APART[0]), 1.0)
    return Groups(are_apart, -RAISED * are_apart * max(border, LOWEST))


def groups_of_each(odds: Floats, parts: Ids) -> list[Groups]:
    """The groups of the pages of each part, which are numbered from 0 on."""
    return [groups(odds[parts == part]) for part in range(int(parts.max(initial=0)) + 1)]


def farthest_apart(ascending: Floats) -> tuple[float, float]:
    """The border between the two groups that are farthest apart, and how far they are."""
    number = len(ascending)
    below = np.arange(1, number)
    above = number - below
    sums, squares = np.cumsum(ascending), np.cumsum(ascending * ascending)
    low, low_spread = _spread(sums[:-1], squares[:-1], below)
    high, high_spread = _spread(sums[-1] - sums[:-1], squares[-1] - squares[:-1], above)
    apart = (high - low) / (low_spread + high_spread)
    apart[np.minimum(below, above) < LEAST * number] = 0.0
    best = int(apart.argmax())
    return float(ascending[best] + ascending[best + 1]) / 2, float(apart[best])


def _spread(sums: Floats, squares: Floats, numbers: Ids) -> tuple[Floats, Floats]:
    """Means and standard deviations."""
    means = sums / numbers
    return means, np.sqrt(np.maximum(squares / numbers - means * means, NARROWEST**2))
