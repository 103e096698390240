"""The progress line of a job with a known number of parts, such as the cells of a comparison.

    34/140 cells · 2 failed · 1:20 min left · ops on biology

On a terminal this is one line that is redrawn; in a file or pipe a line is printed from time to time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.text import Text

from topicrawl.report.progress import LOG, REDRAW, clock_time


class Countdown:
    """Counts parts done and left. The time left is estimated by pages, since parts differ in length."""

    def __init__(
        self, console: Console, clock: Callable[[], float] = time.monotonic, *, what: str = "cells"
    ) -> None:
        self._what = what
        self._console = console
        self._clock = clock
        self._live = Live(console=console, auto_refresh=False, transient=True, redirect_stdout=False)
        self._began = self._drawn = clock()
        self._done = self._failed = self._pages = 0

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._live.stop()

    def cell(self, name: str, pages: int, failed: bool, cells_left: int, pages_left: int) -> None:
        """Count a part that has ended: its name, its pages, and how many parts and pages are left in all."""
        self._done += 1
        self._failed += failed
        self._pages += pages
        now = self._clock()
        every = REDRAW if self._console.is_terminal else LOG
        if now - self._drawn >= every or not cells_left:
            self._drawn = now
            self._draw(self.line(now, name, cells_left, pages_left))

    def line(self, now: float, name: str, cells_left: int, pages_left: int) -> str:
        """The text of the line when the clock shows `now`, in seconds."""
        left = (now - self._began) / self._pages * pages_left if self._pages else 0.0
        parts = [
            f"{self._done:,}/{self._done + cells_left:,} {self._what}",
            f"{self._failed:,} failed" if self._failed else "",
            f"{clock_time(left)} left" if cells_left else f"in {clock_time(now - self._began)}",
            name,
        ]
        return " · ".join(filter(None, parts))

    def _draw(self, line: str) -> None:
        text = Text(line, no_wrap=True, overflow="ellipsis")
        if self._console.is_terminal:
            self._live.update(text, refresh=True)
        else:
            self._console.print(text, soft_wrap=True)
