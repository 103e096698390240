"""What the terminal shows while a crawl runs, and the table at its end.

    482/500 pages · harvest 61.4% · 38.2 pages/s · 1 s left · frontier 12,804 · 57 hosts

On a terminal this line is redrawn; elsewhere (a log file, a pipe) it is printed every `LOG` seconds.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from rich.live import Live
from rich.table import Table
from rich.text import Text

from topicrawl.report.summary import why_stopped
from topicrawl.terminal import messages

if TYPE_CHECKING:
    from rich.console import Console

REDRAW = 0.2
"""Seconds between two drawings on a terminal."""
LOG = 15.0
"""Seconds between two lines where there is no terminal."""
RATE_OVER = 30.0
"""Seconds over which the rate is averaged: politeness makes crawls uneven."""


class Progress:
    """The line of a running crawl. `budget` is the number of pages wanted; None when there is no such limit."""

    def __init__(
        self,
        budget: int | None,
        console: Console | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._budget = budget
        self._console = console or messages()
        self._clock = clock
        self._every = REDRAW if self._console.is_terminal else LOG
        self._due = clock()
        self._latest: tuple[int, int, int, int] | None = None
        self._drawn: tuple[int, int, int, int] | None = None
        self._marks: deque[tuple[float, int]] = deque()
        self._live = Live(console=self._console, auto_refresh=False, transient=True, redirect_stdout=False)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if self._latest and self._latest != self._drawn:
            self._draw(self._clock())
        self._live.stop()

    def update(self, fetches: int, relevant: int, frontier: int, hosts: int) -> None:
        """Update the counts. May be called for every page: it seldom draws."""
        self._latest = (fetches, relevant, frontier, hosts)
        now = self._clock()
        if now >= self._due:
            self._due = now + self._every
            self._draw(now)

    def line(self, now: float) -> str:
        """What is shown at the moment `now` of the clock."""
        fetches, relevant, frontier, hosts = self._latest or (0, 0, 0, 0)
        rate = self._rate(now, fetches)
        of = f"/{self._budget:,}" if self._budget else ""
        left = f"{clock_time((self._budget - fetches) / rate)} left" if self._budget and rate > 0 else ""
        parts = [
            f"{fetches:,}{of} pages",
            f"harvest {relevant / fetches if fetches else 0:.1%}",
            f"{rate:,.1f} pages/s",
            left,
            f"frontier {frontier:,}",
            _hosts(hosts),
        ]
        return " · ".join(filter(None, parts))

    def _draw(self, now: float) -> None:
        text = Text(self.line(now), no_wrap=True, overflow="ellipsis")
        self._drawn = self._latest
        if self._console.is_terminal:
            self._live.update(text, refresh=True)
        else:
            self._console.print(text, soft_wrap=True)

    def _rate(self, now: float, fetches: int) -> float:
        """Pages per second over the last `RATE_OVER` seconds; a resumed crawl starts at its own count."""
        marks = self._marks
        marks.append((now, fetches))
        while len(marks) > 2 and now - marks[1][0] >= RATE_OVER:
            marks.popleft()
        then, before = marks[0]
        return (fetches - before) / (now - then) if now > then else 0.0


def clock_time(seconds: float) -> str:
    """A duration: 8 s, 2:05 min, 3:20 h."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02} min"
    return f"{whole // 3600:,}:{whole % 3600 // 60:02} h"


def _hosts(count: int) -> str:
    return "1 host" if count == 1 else f"{count:,} hosts"


def print_summary(summary: Mapping[str, Any], console: Console) -> None:
    """The numbers of summary.json as a table."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim")
    table.add_column(justify="right")
    table.add_column(style="dim")
    for name, value, more in _rows(summary):
        table.add_row(Text(name), Text(value, style="bold"), Text(more))
    console.print(table)


def _rows(summary: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    failures: Mapping[str, int] = summary["failures"]
    cost = summary["pages_per_cpu_second"]
    kinds = ", ".join(f"{kind} {count:,}" for kind, count in failures.items())
    sure = summary.get("expected")
    likely = f"; expected precision {sure['precision']:.0%}, recall {sure['recall']:.0%}" if sure else ""
    return [
        ("pages fetched", f"{summary['fetches']:,}", f"from {_hosts(summary['hosts'])}"),
        ("relevant", f"{summary['relevant']:,}", f"relevance above {summary['threshold']:g}{likely}"),
        ("harvest rate", f"{summary['harvest_rate']:.1%}", ""),
        (
            "average relevance",
            f"{summary['average_relevance']:.3f}",
            f"standard deviation {summary['standard_deviation']:.3f}",
        ),
        ("failures", f"{sum(failures.values()):,}", kinds),
        ("time", clock_time(summary["seconds"]), "" if cost is None else f"{cost:,.0f} pages per CPU-second"),
        ("stopped", "", why_stopped(summary)),
    ]
