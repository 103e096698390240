"""The clocks of a watch: that of the machine, and one of a web with time, which does not wait."""

from __future__ import annotations

import asyncio
import re
import time
from typing import Protocol

from topicrawl.web.invented.days import EPOCH

DAY = 86400.0
LOOK = 30.0
"""Seconds after which a waiting watch looks at the clock again: the machine may have slept."""
_DAY = re.compile(r"@day=([\d.]+)$")


class Clock(Protocol):
    """What a watch needs of time."""

    def now(self) -> float:
        """Seconds since 1970."""

    async def wait(self, seconds: float, stopped: asyncio.Event) -> None:
        """Wait so long, or until `stopped`."""


class MachineClock:
    """The clock of this machine."""

    def now(self) -> float:
        return time.time()

    async def wait(self, seconds: float, stopped: asyncio.Event) -> None:
        """Wait so long by either clock: the one that people set, or the one that only runs while the machine does."""
        due, patience = time.time() + seconds, time.monotonic() + seconds
        while not stopped.is_set():
            left = min(due - time.time(), patience - time.monotonic())
            if left <= 0:
                return
            try:
                await asyncio.wait_for(stopped.wait(), min(left, LOOK))
            except TimeoutError:
                continue


class WebClock:
    """The clock of an invented web with time: it begins at the day of the web, or of the last turn."""

    def __init__(self, now: float) -> None:
        self._now = now

    def now(self) -> float:
        return self._now

    async def wait(self, seconds: float, stopped: asyncio.Event) -> None:
        """Have the time pass at once."""
        self._now += max(seconds, 0.0)
        await asyncio.sleep(0)  # a signal may have come


def time_of(web: str) -> float | None:
    """The time of an invented web with time, such as `invented:7@day=30`, in seconds since 1970; None of any other."""
    found = _DAY.search(web) if web.startswith("invented:") else None
    return EPOCH + DAY * float(found[1]) if found else None


def web_at(web: str, moment: float) -> str:
    """The web with time called `web`, as of a moment; any other web as it is."""
    if time_of(web) is None:
        return web
    return _DAY.sub(f"@day={max(moment - EPOCH, 0.0) / DAY:.4f}", web)
