"""The progress line: correct, cheap, and rare without a terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from topicrawl.report.progress import LOG, REDRAW, Progress, clock_time, print_summary


class Clock:
    """A clock that a test sets."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def plain() -> Console:
    return Console(file=io.StringIO(), force_terminal=False, width=200)


def terminal() -> Console:
    return Console(file=io.StringIO(), force_terminal=True, width=200, legacy_windows=False)


def written(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_line_shows_pages_harvest_rate_speed_time_left_frontier_and_hosts() -> None:
    clock, console = Clock(), plain()
    progress = Progress(500, console, clock=clock)
    progress.update(0, 0, 10, 1)
    clock.now += 20
    progress.update(100, 60, 12_804, 57)
    assert written(console).splitlines()[-1] == (
        "100/500 pages · harvest 60.0% · 5.0 pages/s · 1:20 min left · frontier 12,804 · 57 hosts"
    )


def test_a_limit_of_requests_is_shown_and_the_limit_reached_first_tells_the_time_left() -> None:
    clock, console = Clock(), plain()
    progress = Progress(500, console, requests=400, clock=clock)
    progress.update(0, 0, 10, 1, 0)
    clock.now += 20
    progress.update(100, 60, 12_804, 57, 200)
    assert written(console).splitlines()[-1] == (
        "100/500 pages · 200/400 requests · harvest 60.0% · 5.0 pages/s · 20 s left · frontier 12,804 · 57 hosts"
    )


@pytest.mark.parametrize("force_terminal", [True, False])
def test_no_line_is_wider_than_the_terminal(force_terminal: bool) -> None:
    clock = Clock()
    console = Console(file=io.StringIO(), force_terminal=force_terminal, width=80, legacy_windows=False)
    progress = Progress(100_000, console, requests=200_000, clock=clock)
    progress.update(12_345, 9_876, 1_234_567, 4_321, 12_999)
    clock.now += 20
    progress.update(12_845, 9_999, 1_234_567, 4_321, 13_500, "4 shards")
    line = progress.line(clock.now)
    assert line == "12,845/100,000 pages · 13,500/200,000 requests · 58:06 min left · 4 shards"
    assert Progress(500, console, clock=clock).line(clock.now).endswith(" · 0 hosts")


def test_a_pause_counts_for_no_rate() -> None:
    clock = Clock()
    progress = Progress(1000, plain(), clock=clock)
    for pages in range(100):
        progress.update(pages, 0, 10, 1)
        clock.now += 0.1
    clock.now += 600
    progress.update(100, 0, 10, 1)
    clock.now += 5
    progress.update(150, 0, 10, 1)
    assert "10.0 pages/s · 1:25 min left" in progress.line(clock.now)
    clock, console = Clock(), plain()
    slow = Progress(1000, console, clock=clock)
    for pages in range(5):
        slow.update(pages, 0, 10, 1)
        clock.now += 60
    assert "16:36 h left" in written(console).splitlines()[-1]


def test_a_limit_that_is_changed_while_it_runs_is_shown() -> None:
    progress = Progress(500, plain(), clock=Clock())
    progress.update(100, 60, 12_804, 57)
    progress.limit(900, None)
    assert progress.line(101.0).startswith("100/900 pages · harvest")


def test_a_resumed_crawl_measures_its_speed_from_where_it_resumed() -> None:
    clock, console = Clock(), plain()
    progress = Progress(None, console, clock=clock)
    progress.update(10_000, 1, 1, 1)
    clock.now += LOG
    progress.update(10_030, 1, 1, 1)
    assert "2.0 pages/s" in written(console)
    assert "left" not in written(console)


def test_the_speed_is_that_of_the_latest_half_minute() -> None:
    clock, console = Clock(), plain()
    progress = Progress(None, console, clock=clock)
    for second in range(0, 600, 15):
        clock.now = 100.0 + second
        progress.update(10 * second if second <= 300 else 3000 + second - 300, 0, 0, 0)
    assert "1.0 pages/s" in written(console).splitlines()[-1]


def test_a_log_gets_a_line_now_and_then_and_the_last_state() -> None:
    clock, console = Clock(), plain()
    with Progress(10_000, console, clock=clock) as progress:
        for page in range(1, 1001):
            clock.now += 0.02
            progress.update(page, 0, 0, 0)
    lines = written(console).splitlines()
    assert len(lines) == 3
    assert lines[-1].startswith("1,000/10,000 pages")
    assert "\x1b" not in written(console)


def test_a_terminal_is_redrawn_at_most_five_times_a_second() -> None:
    clock, console = Clock(), terminal()
    drawn = []
    with Progress(10_000, console, clock=clock) as progress:
        for page in range(1, 2001):
            clock.now += 0.001
            before = len(written(console))
            progress.update(page, 0, 0, 0)
            drawn.append(len(written(console)) > before)
    assert 5 <= sum(drawn) <= 2 / REDRAW + 1


def test_without_an_update_nothing_is_shown() -> None:
    console = plain()
    with Progress(5, console):
        pass
    assert written(console) == ""


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(-3, "0 s"), (8.4, "8 s"), (59.7, "1:00 min"), (125, "2:05 min"), (12_000, "3:20 h")],
)
def test_durations_are_short(seconds: float, words: str) -> None:
    assert clock_time(seconds) == words


def test_the_final_table_shows_what_is_known_and_takes_no_markup_from_a_server() -> None:
    console = plain()
    summary = {
        "fetches": 1500,
        "relevant": 900,
        "harvest_rate": 0.6,
        "average_relevance": 0.5512,
        "standard_deviation": 0.21,
        "hosts": 57,
        "failures": {"timeout": 3, "[bold]x": 1},
        "stop_reason": "1,500 pages fetched",
        "seconds": 75.0,
        "pages_per_cpu_second": None,
        "bytes": 1,
        "threshold": 0.62,
        "expected_precision": 0.91,
    }
    print_summary(summary, console)
    table = written(console)
    print_summary({**summary, "expected_precision": None}, console)
    assert written(console).count("expected") == 1
    for words in (
        "1,500",
        "900",
        "60% of them",
        "91%  expected",
        "57 hosts",
        "timeout 3, [bold]x 1",
        "1:15 min",
        "0.62",
    ):
        assert words in table
