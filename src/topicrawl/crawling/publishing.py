"""live.json: what a running crawl does now, written once a second while somebody looks; the same of a run that stands.

    who looks     touches ui/watching in the folder of the run (`look`), at least every `WATCHED` seconds
    the crawl     sees that, and writes live.json; without it nothing is computed

A run that stands has no live.json: `live_state_of` makes the same from its newest snapshot and its log.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock

import msgspec

from topicrawl.crawling.core import Crawl, Tally
from topicrawl.crawling.live import Live
from topicrawl.crawling.live_state import Limit, LiveState, live_state
from topicrawl.crawling.make import now_of
from topicrawl.crawling.speed import Speed
from topicrawl.errors import TopicrawlError
from topicrawl.report.digest import failure_kind
from topicrawl.report.stop_rules import LIMITS
from topicrawl.setup.config import Config
from topicrawl.setup.run_config import config_of
from topicrawl.store.disk import read_small, replace_file
from topicrawl.store.run import Run
from topicrawl.web import Web

LIVE, WATCHING = "live.json", Path("ui", "watching")
SECONDS = 1.0
"""Time between two writes."""
WATCHED = 10.0
"""Seconds for which a touch of ui/watching counts."""
FRESH = 3.0
"""Seconds for which live.json counts as the present."""
LARGEST = 16_000_000
"""Bytes of live.json that are read; with a thousand links in flight it has some 300,000."""

_decode = msgspec.json.Decoder(LiveState).decode


def look(path: Path) -> LiveState | None:
    """What the running crawl in `path` does now; None if it has not published that in the last seconds.

    Call it every few seconds: the crawl publishes while somebody looks, from one second after the first look on.
    """
    watching = path / WATCHING
    watching.parent.mkdir(exist_ok=True)
    watching.touch()
    try:
        state = _decode(read_small(path / LIVE, LARGEST))
    except (OSError, msgspec.DecodeError):
        return None
    return state if time.time() - state.time < FRESH else None


def live_state_of(run: Run, crawl: Crawl | None = None) -> LiveState:
    """The state of a run that stands; `crawl` is its crawl after the last event, where it is at hand."""
    crawl = crawl or now_of(run)
    failures = Counter[str]()
    _count_failures(run, 0, failures)
    ended = [timing.started + timing.fetched + timing.parsed for _, timing in run.timings(run.last_n - 1)]
    return msgspec.structs.replace(
        live_state(crawl),
        time=max(ended, default=0.0),
        failures=dict(failures.most_common()),
        limits=[] if crawl.revisits else _limits(config_of(run), crawl.tally, 0.0),
    )


class Publisher:
    """Writes live.json of the run in `path`; `config` is the configuration as it is by now."""

    def __init__(self, path: Path, live: Live, web: Web, config: Callable[[], Config]) -> None:
        self._path, self._live, self._web, self._config = path, live, web, config
        self._began = time.monotonic()
        self._failures, self._counted = Counter[str](), 0
        self._speed = Speed()
        self._writing, self._is_closed = Lock(), False

    async def publish(self) -> None:
        """Write live.json once a second while somebody looks, until cancelled. What fails is left out."""
        try:
            while True:
                await asyncio.sleep(SECONDS)
                if self._is_watched():
                    state = self._told(await self._live.look(live_state))
                    with suppress(OSError, TopicrawlError):
                        await asyncio.to_thread(self._write, state)
        finally:
            self._close()

    def _close(self) -> None:
        """End: a thread that is writing still is waited for, so that nothing is left behind."""
        with self._writing:
            self._is_closed = True
            with suppress(OSError):
                (self._path / LIVE).unlink(missing_ok=True)

    def _is_watched(self) -> bool:
        try:
            return time.time() - (self._path / WATCHING).stat().st_mtime < WATCHED
        except OSError:
            return False

    def _told(self, state: LiveState) -> LiveState:
        """The state of the crawl with what its driver knows."""
        now = time.monotonic()
        tally = Tally(state.visits, state.pages, state.relevant, state.failed, bytes=state.bytes)
        return msgspec.structs.replace(
            state,
            time=time.time(),
            running=True,
            pages_per_second=self._speed.at(now, state.pages),
            resting=self._web.resting(),
            limits=[] if state.watched else _limits(self._config(), tally, now - self._began),
        )

    def _write(self, state: LiveState) -> None:
        with self._writing:
            if self._is_closed:
                return
            with Run.open(self._path, writable=False) as run:
                self._counted = _count_failures(run, self._counted, self._failures)
            whole = msgspec.structs.replace(state, failures=dict(self._failures.most_common()))
            replace_file(self._path / LIVE, msgspec.json.encode(whole))


def _count_failures(run: Run, after: int, failures: Counter[str]) -> int:
    """Add the failures of the visits with a number above `after`; returns the number of the last visit."""
    for visit in run.visits(after):
        after = visit.n
        if not visit.fetched:
            failures[failure_kind(visit)] += 1
    return after


def _limits(config: Config, tally: Tally, seconds: float) -> list[Limit]:
    """The limits that a configuration sets, and how much of each is used."""
    found = [(limit.setting, getattr(tally, limit.tally), getattr(config, limit.setting)) for limit in LIMITS]
    found.append(("max_time", seconds, config.max_time))
    return [Limit(name, used, most) for name, used, most in found if most is not None]
