"""How many pages a second a crawl has fetched of late."""

from __future__ import annotations

from collections import deque

OVER = 10
"""Readings over which the speed is measured."""
APART = 0.9
"""Seconds between two readings that are kept, at least."""


class Speed:
    """Told the number of pages again and again, it says how fast the number grows."""

    def __init__(self) -> None:
        self._readings: deque[tuple[float, int]] = deque(maxlen=OVER)

    def at(self, now: float, pages: int) -> float:
        """Pages for each second since the oldest reading that is kept; `now` is in seconds of any clock."""
        if not self._readings or now - self._readings[-1][0] >= APART:
            self._readings.append((now, pages))
        then, before = self._readings[0]
        return (pages - before) / (now - then) if now > then else 0.0
