"""Time in an invented web: when pages are added, change and vanish. Each is a function of seed, page and hour.

At hour 0 the web has exactly the pages of the web without time. From then on

    pages change      half of them never, the others every 12 hours to 60 days on average (`PACES`)
    pages vanish      one in four will, after 300 days on average; home pages and lists of sections stay
    pages are added   to each section, every 12 hours to 80 days on average (`ARRIVALS`); its list names the latest

Times between two events are drawn from a table of the quantiles of the exponential distribution, so that integers
are enough, and a change is a Poisson process as estimators of change assume.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

from topicrawl.floats import log
from topicrawl.web.invented.random_stream import RandomStream, hash_numbers, stream_name

HOURS = 24
"""Of a day."""
EPOCH = 1_767_225_600
"""Day 0 in seconds since 1970: the first of January 2026."""
QUANTILES = 64
WAITS = tuple(round(-256 * each) for each in log((np.arange(QUANTILES) + 0.5) / QUANTILES).tolist())
"""Quantiles of the exponential distribution of mean 256."""
PACES = ((500, 0), (750, 1440), (900, 240), (970, 48), (1000, 12))
"""Of 1,000 pages so many (counted from the first) change after so many hours on average; 0: never."""
ARRIVALS = (12, 40, 120, 480, 1920)
"""Hours between two new pages of a section, on average; a fifth of the sections each."""
MORTAL = 250
"""Pages, per mille, that will vanish."""
LIFETIME = 7200
"""Hours after which such a page vanishes, on average."""
Place = tuple[int, int, int]
"""Host, section, page."""


class Days:
    """What has happened in a web up to an hour."""

    def __init__(self, seed: int, hour: int, size: Callable[[int, int], int]) -> None:
        """It is `hour`; `size` says how many pages a section of a host had at hour 0."""
        self.seed = seed
        self.hour = hour
        self._size = size
        self.added = lru_cache(maxsize=4096)(self._added)

    def go_to(self, hour: int) -> None:
        """Have it be this hour."""
        self.hour = hour
        self.added.cache_clear()

    def size(self, host: int, section: int) -> int:
        """Pages of a section so far, those that vanished included."""
        return self._size(host, section) + len(self.added(host, section))

    def birth(self, place: Place) -> int:
        """The hour at which a page was added; 0 for one that was there from the start."""
        host, section, page = place
        row = page - self._size(host, section)
        return self.added(host, section)[row] if row >= 0 else 0

    def changes(self, place: Place) -> list[int]:
        """The hours at which the page changed so far."""
        share = self._numbers(place)[0] * 1000 >> 16
        mean = next(mean for most, mean in PACES if share < most)
        return list(self._times("change", place, mean, self.birth(place))) if mean else []

    def has_vanished(self, place: Place) -> bool:
        """Whether the page is gone by now."""
        if place[1] == 0 or place[2] == 0 or self._numbers(place)[1] * 1000 >> 16 >= MORTAL:
            return False
        return any(True for _ in self._times("end", place, LIFETIME, self.birth(place)))

    def latest(self, host: int, section: int, count: int, hour: int | None = None) -> list[int]:
        """The pages added last to a section (up to `hour`), the newest first."""
        added = self.added(host, section)
        seen = len(added) if hour is None else bisect_right(added, hour)
        return [self._size(host, section) + row for row in reversed(range(max(0, seen - count), seen))]

    def _added(self, host: int, section: int) -> tuple[int, ...]:
        """The hours at which pages were added to a section so far."""
        if section == 0:
            return ()
        place = (host, section, 0)
        mean = ARRIVALS[self._numbers(place)[2] % len(ARRIVALS)]
        return tuple(self._times("arrival", place, mean, 0))

    def _times(self, what: str, place: Place, mean: int, start: int) -> Iterator[int]:
        """The hours after `start`, up to now, of a process with this mean time between two events."""
        rng = RandomStream(stream_name(self.seed, what, *place))
        hour = start
        while True:
            hour += 1 + (mean * WAITS[rng.below(QUANTILES)] >> 8)
            if hour > self.hour:
                return
            yield hour

    def _numbers(self, place: Place) -> tuple[int, ...]:
        return hash_numbers(stream_name(self.seed, "pace", *place))
