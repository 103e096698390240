"""What the terminal shows while something is done whose end is known: the cells of a comparison, mostly.

    34/140 cells · 2 failed · 1:20 min left · ops on biology

On a terminal this is one line that renews itself; elsewhere it is printed now and then.
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
    """The line of a running comparison. Cells weigh what they may fetch, so that long ones do not mislead."""

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

    def cell(self, said: str, pages: int, failed: bool, cells_left: int, pages_left: int) -> None:
        """A cell has come to its end: its name and budget, and what is left to do in all."""
        self._done += 1
        self._failed += failed
        self._pages += pages
        now = self._clock()
        every = REDRAW if self._console.is_terminal else LOG
        if now - self._drawn >= every or not cells_left:
            self._drawn = now
            self._draw(self.line(now, said, cells_left, pages_left))

    def line(self, now: float, said: str, cells_left: int, pages_left: int) -> str:
        """What is shown at the moment `now` of the clock."""
        left = (now - self._began) / self._pages * pages_left if self._pages else 0.0
        parts = [
            f"{self._done:,}/{self._done + cells_left:,} {self._what}",
            f"{self._failed:,} failed" if self._failed else "",
            f"{clock_time(left)} left" if cells_left else f"in {clock_time(now - self._began)}",
            said,
        ]
        return " · ".join(filter(None, parts))

    def _draw(self, line: str) -> None:
        text = Text(line, no_wrap=True, overflow="ellipsis")
        if self._console.is_terminal:
            self._live.update(text, refresh=True)
        else:
            self._console.print(text, soft_wrap=True)
