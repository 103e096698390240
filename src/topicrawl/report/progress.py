"""What the terminal shows while a crawl runs, and the table at its end.

    482/500 pages · harvest 61.4% · 38.2 pages/s · 1 s left · frontier 12,804 · 57 hosts

A crawl with a limit of requests also shows those: 482/500 pages · 611/2,000 requests · …
On a terminal this line is redrawn; elsewhere (a log file, a pipe) it is printed every `LOG` seconds.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from topicrawl.report.summary import need_of_browser, why_stopped
from topicrawl.terminal import messages

if TYPE_CHECKING:
    from rich.console import Console

REDRAW = 0.2
"""Seconds between two drawings on a terminal."""
LOG = 15.0
"""Seconds between two lines where there is no terminal."""
SOURCES_SHOWN = 4
LEFT_OUT = ("hosts", "frontier", "speed", "harvest")
"""Parts that are left out of a line that is too wide, in this order."""
RATE_OVER = 30.0
"""Seconds over which the rate is averaged: politeness makes crawls uneven."""
PAUSE = 10
"""A time without a page that is longer than this many are apart on average is a pause, and counts for no rate."""


class Counts(NamedTuple):
    """What the line shows."""

    fetches: int = 0
    relevant: int = 0
    frontier: int = 0
    hosts: int = 0
    requests: int = 0
    more: str = ""
    """Shown at the end of the line."""


class Progress:
    """The line of a running crawl. `budget` and `requests` are most pages and requests; None: no such limit."""

    def __init__(
        self,
        budget: int | None,
        console: Console | None = None,
        *,
        requests: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limit(budget, requests)
        self._console = console or messages()
        self._clock = clock
        self._every = REDRAW if self._console.is_terminal else LOG
        self._due = clock()
        self._latest: Counts | None = None
        self._updated = 0.0
        """Time when the counts came."""
        self._drawn: Counts | None = None
        self._marks: deque[tuple[float, Counts]] = deque()
        from rich.live import Live  # Rich delays the start, and crawls with --quiet do without it

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

    def limit(self, budget: int | None, requests: int | None) -> None:
        """Most pages and requests from now on: people may change them while the crawl runs."""
        self._budget, self._most_requests = budget, requests

    def update(
        self, fetches: int, relevant: int, frontier: int, hosts: int, requests: int = 0, more: str = ""
    ) -> None:
        """Update the counts. May be called for every page: it seldom draws."""
        now, counts = self._clock(), Counts(fetches, relevant, frontier, hosts, requests, more)
        if self._is_after_pause(now):
            self._marks = deque([(now, counts)])
        self._latest, self._updated = counts, now
        if now >= self._due:
            self._due = now + self._every
            self._draw(now)

    def line(self, now: float) -> str:
        """What is shown at the moment `now` of the clock."""
        counts = self._latest or Counts()
        pages, requests = self._rates(now, counts)
        of = f"/{self._budget:,}" if self._budget else ""
        limits = ((self._budget, counts.fetches, pages), (self._most_requests, counts.requests, requests))
        left = min(((most - had) / rate for most, had, rate in limits if most and rate > 0), default=None)
        parts = {
            "pages": f"{counts.fetches:,}{of} pages",
            "requests": f"{counts.requests:,}/{self._most_requests:,} requests"
            if self._most_requests
            else "",
            "harvest": f"harvest {counts.relevant / counts.fetches if counts.fetches else 0:.1%}",
            "speed": f"{pages:,.1f} pages/s",
            "left": "" if left is None else f"{clock_time(left)} left",
            "frontier": f"frontier {counts.frontier:,}",
            "hosts": _hosts(counts.hosts),
            "more": counts.more,
        }
        line = " · ".join(filter(None, parts.values()))
        for name in LEFT_OUT:
            if len(line) <= self._console.width:
                break
            del parts[name]
            line = " · ".join(filter(None, parts.values()))
        return line

    def _draw(self, now: float) -> None:
        from rich.text import Text

        text = Text(self.line(now), no_wrap=True, overflow="ellipsis")
        self._drawn = self._latest
        if self._console.is_terminal:
            self._live.update(text, refresh=True)
        else:
            self._console.print(text, soft_wrap=True)

    def _rates(self, now: float, counts: Counts) -> tuple[float, float]:
        """Pages, and requests, per second over `RATE_OVER` seconds; a resumed crawl starts at its own counts."""
        marks = self._marks
        marks.append((now, counts))
        while len(marks) > 2 and now - marks[1][0] >= RATE_OVER:
            marks.popleft()
        then, before = marks[0]
        if now <= then:
            return 0.0, 0.0
        pages, requests = counts.fetches - before.fetches, counts.requests - before.requests
        return pages / (now - then), requests / (now - then)

    def _is_after_pause(self, now: float) -> bool:
        """Whether nothing came for much longer than before."""
        if self._latest is None or not self._marks or now - self._updated < RATE_OVER:
            return False
        began, first = self._marks[0]
        came = self._latest.fetches + self._latest.requests - first.fetches - first.requests
        return came > 0 and now - self._updated > PAUSE * (self._updated - began) / came


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
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim")
    table.add_column(justify="right")
    table.add_column(style="dim")
    for name, value, more in _rows(summary):
        table.add_row(Text(name), Text(value, style="bold"), Text(more))
    console.print(table)


def _rows(summary: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    failures: Mapping[str, int] = summary["failures"]
    failed = sum(failures.values())
    cost = summary["pages_per_cpu_second"]
    kinds = ", ".join(f"{kind} {count:,}" for kind, count in failures.items())
    sure = summary.get("expected_precision")
    likely = [] if sure is None else [("precision", f"{sure:.0%}", "expected")]
    return [
        ("pages fetched", f"{summary['fetches']:,}", f"from {_hosts(summary['hosts'])}"),
        (
            "relevant",
            f"{summary['relevant']:,}",
            f"{summary['harvest_rate']:.0%} of them; relevance above {summary['threshold']:g}",
        ),
        *likely,
        (
            "failures",
            f"{failed:,}",
            f"of {summary['fetches'] + failed:,} requests{f': {kinds}' if kinds else ''}",
        ),
        *_watch(summary),
        *_browser(summary),
        *_sources(summary),
        ("time", clock_time(summary["seconds"]), "" if cost is None else f"{cost:,.0f} pages per CPU-second"),
        ("stopped", "", why_stopped(summary)),
        *(("warning", "", sentence) for sentence in summary.get("learning", {}).get("warnings", ())),
    ]


def _watch(summary: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """What a watch has by now: each page counted once, as it was last seen."""
    if not (watch := summary.get("watch")):
        return []
    more = f"{watch['relevant']:,} of them relevant, after {watch['turns']:,} turns of the watch"
    return [("pages now", f"{watch['pages']:,}", more)]


def _browser(summary: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Pages that a browser rendered, and pages that need one."""
    rows = []
    if shown := summary.get("rendered"):
        late, failed = shown["cut_short"], shown["failed"]
        rows.append(
            ("rendered", f"{shown['pages']:,}", f"{late:,} still changing at the end, {failed:,} failed")
        )
    if needing := summary.get("needs_script", 0):
        rows.append(("need a browser", f"{needing:,}", need_of_browser(summary)))
    return rows


def _sources(summary: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """The sources of seeds that brought most relevant pages."""
    rows = []
    for place, source in enumerate(summary.get("sources", ())[:SOURCES_SHOWN]):
        brought = f"of {source['pages']:,} pages from {source['seeds']:,} seeds by {source['source']}"
        rows.append(("" if place else "relevant by source", f"{source['relevant_pages']:,}", brought))
    if (more := len(summary.get("sources", ())) - SOURCES_SHOWN) > 0:
        rows.append(("", "", f"and {more:,} more sources; see the report"))
    return rows
