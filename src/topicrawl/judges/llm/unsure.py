"""Which pages are asked about: the share that a cheap judge is least sure of, decided as they come."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right, insort


class Unsure:
    """Picks pages by their doubt: 0.5 where the cheap judge says 0.5, 0 where it says 0 or 1.

    A page is picked if its doubt is among the largest `share` of all so far, and never more than share · pages + 1.
    """

    def __init__(self, share: float) -> None:
        self.share = share
        self.picked = 0
        self._doubts: list[float] = []

    def pick(self, probability: float) -> bool:
        """Whether to ask about the next page."""
        doubt = 0.5 - abs(probability - 0.5)
        larger = len(self._doubts) - bisect_right(self._doubts, doubt)
        no_smaller = len(self._doubts) - bisect_left(self._doubts, doubt)
        insort(self._doubts, doubt)
        allowed = self.share * len(self._doubts)
        if no_smaller < math.ceil(allowed):  # among the largest for certain
            is_picked = self.picked + 1 <= allowed + 1
        else:  # one of several with the same doubt
            is_picked = larger < allowed and self.picked + 1 <= allowed
        self.picked += is_picked
        return is_picked
