"""Turns and the clock: missed turns, a clock that was set, webs with time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from topicrawl.cli import run
from topicrawl.store.run import Run
from topicrawl.watching.clock import MachineClock, WebClock, time_of, web_at
from topicrawl.watching.watch import Watch
from topicrawl.web.invented import InventedWeb

HOUR = 3600.0
BEGIN = 1_767_225_600.0


class SetClock(WebClock):
    """A clock that people set, and that a test reads."""

    waits: list[float]

    def __init__(self, now: float) -> None:
        super().__init__(now)
        self.waits = []

    def set(self, now: float) -> None:
        self._now = now

    async def wait(self, seconds: float, stopped: asyncio.Event) -> None:
        self.waits.append(seconds)
        await super().wait(seconds, stopped)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clock") / "run"
    words = [
        "crawl",
        "--web",
        "invented:7@day=0",
        "--topic",
        "tourism",
        "--pages",
        "3",
        "--strategy",
        "bfs",
        "-q",
    ]
    assert (
        run([*words, "--seeds", InventedWeb(7).seeds("tourism", 1)[0], "--no-warc", "--out", str(folder)])
        == 0
    )
    return folder


def test_clocks_that_jump_are_named_and_the_watch_goes_on(path: Path) -> None:
    said: list[str] = []
    clock = SetClock(BEGIN)

    async def go() -> None:
        watch = Watch(path, 6 * HOUR, 2, say=said.append, clock=clock, sitemaps=False)
        await watch.go(2)
        assert (said, clock.waits) == ([], [6 * HOUR])
        clock.set(BEGIN + 72 * HOUR)
        await watch.go(3)
        assert said == ["10 turns were missed since 2026-01-01 06:00 UTC; one is made now"]
        assert clock.waits[1] <= 0
        clock.set(BEGIN)
        await watch.go(4)
        assert "the clock says 2026-01-01 00:00 UTC, and the last turn was at 2026-01-04 00:00 UTC" in said[1]
        assert clock.waits[2] == 6 * HOUR, "no longer than between two turns"
        clock.set(BEGIN + 100 * 8766 * HOUR)
        await watch.go(5)
        assert len(said) == 3

    asyncio.run(go())
    with Run.open(path, writable=False) as opened:
        assert len(list(opened.turned())) == 5


def test_the_clock_of_the_machine_waits_until_it_is_stopped() -> None:
    async def stop() -> None:
        stopped = asyncio.Event()
        waiting = asyncio.ensure_future(MachineClock().wait(1000, stopped))
        await asyncio.sleep(0.01)
        stopped.set()
        await asyncio.wait_for(waiting, 5)
        await asyncio.wait_for(MachineClock().wait(0.01, asyncio.Event()), 5)
        await asyncio.wait_for(MachineClock().wait(-1, asyncio.Event()), 5)

    asyncio.run(stop())


def test_a_web_with_time_has_its_day_in_its_name() -> None:
    assert time_of("invented:7@day=2") == BEGIN + 48 * HOUR
    assert time_of("invented:7") is None
    assert time_of("http") is None
    assert web_at("invented:7@day=0", BEGIN + 36 * HOUR) == "invented:7@day=1.5000"
    assert web_at("invented:7", BEGIN) == "invented:7"
