"""Watches a run: a turn, what it noticed, who is told; then the wait for the next.

Each turn is a session of its own: the run is opened, its log replayed from the newest snapshot, and closed at the end.
So other commands may use the run in between, and a turn after a crash begins as any other does. A turn that was cut
short is completed first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from topicrawl.crawling.core import Crawl
from topicrawl.crawling.event_loop import signals
from topicrawl.crawling.lifecycle import go_on
from topicrawl.crawling.session import REQUESTS, Session
from topicrawl.errors import RunError, StorageError
from topicrawl.model import Topic, Turn, Turned
from topicrawl.setup.run_config import config_of
from topicrawl.store.heap import release_ended
from topicrawl.store.lock import Lock
from topicrawl.store.run import Run
from topicrawl.store.shard_files import read_route
from topicrawl.watching.announced import announced_since, asked_sites
from topicrawl.watching.clock import Clock, MachineClock, WebClock, time_of, web_at
from topicrawl.watching.feed import FEED, latest, write_feed
from topicrawl.watching.noticing import failures, with_texts
from topicrawl.watching.own_pages import OwnPages
from topicrawl.watching.telling import Listener, keep_told, pages_of, told_until, untold

LOCK = "watch-lock"
COMPLETE = (REQUESTS, "frontier empty")
"""Reasons of a session that has completed its turn."""
TURN = "turn"
"""The reason in the summary of a turn that is complete."""
CLOCK_SLACK = 60.0
"""Seconds by which a clock may be behind the last turn without a word."""


@dataclass
class Watch:
    """A watch of the run in `path`."""

    path: Path
    every: float
    """Seconds between two turns."""
    fetches: int
    """Requests of a turn."""
    listener: Listener | None = None
    sitemaps: bool = True
    say: Callable[[str], None] = lambda sentence: None
    """Called with what is unusual."""
    ended: Callable[[Turned, dict[str, Any]], None] = lambda turned, summary: None
    """Called after each turn, with what it noticed and the summary of the run."""
    prepare: Callable[[Session], None] = lambda session: None
    """Called with the session of each turn."""
    waiting: Callable[[float], None] = lambda due: None
    """Called before a wait, with the time of the next turn."""
    clock: Clock | None = None
    turns: int = field(default=0, init=False)
    """Turns that were completed."""

    def __post_init__(self) -> None:
        self._stopped = asyncio.Event()
        self._session: Session | None = None
        if read_route(self.path) is not None:
            raise RunError(
                f"{self.path} is a crawl in shards, which cannot be watched; watch a crawl without --local"
            )
        with Run.open(self.path, writable=False) as run:
            config = config_of(run)
            last = run.last_turn
        self._web = config.web
        self._began = time_of(config.web)
        if self.clock is None:
            begin = self._began
            self.clock = (
                MachineClock() if begin is None else WebClock(max(begin, last.time if last else begin))
            )

    @property
    def interrupted(self) -> bool:
        """Whether it was ended before it had made all its turns."""
        return self._stopped.is_set()

    def stop(self, reason: str = "interrupted") -> None:
        """End the watch; a turn under way is saved and completed by the next watch."""
        self._stopped.set()
        if self._session is not None:
            self._session.stop(reason)

    async def go(self, turns: int | None = None, *, at_once: bool = False) -> None:
        """Make turns, so many or until `stop`; `at_once`: the first also where it is not due."""
        lock = Lock(self.path / LOCK)
        try:
            with signals(self.stop):
                await self._tell()
                while not self._stopped.is_set() and (turns is None or self.turns < turns):
                    await self._wait(at_once=at_once and not self.turns)
                    if not self._stopped.is_set():
                        await self._turn()
                        release_ended()
        finally:
            lock.release()

    async def _wait(self, *, at_once: bool) -> None:
        """Wait until a turn is due; says where the clock is behind the last turn, or turns were missed."""
        assert self.clock is not None
        with Run.open(self.path, writable=False) as run:
            last, under_way = run.last_turn, run.turn_under_way
        if last is None or under_way is not None:
            return  # the first turn, or one that was cut short
        now = self.clock.now()
        if now < last.time - CLOCK_SLACK:
            self.say(
                f"the clock says {moment(now)}, and the last turn was at {moment(last.time)}: "
                "the time between them counts as none"
            )
        missed = int((now - last.time) // self.every) - 1
        if missed > 0:
            self.say(f"{missed:,} turns were missed since {moment(last.time)}; one is made now")
        if not at_once:
            seconds = min(last.time + self.every - now, self.every)
            if seconds > 0:
                self.waiting(now + seconds)
            await self.clock.wait(seconds, self._stopped)

    async def _turn(self) -> None:
        """Make a turn, or complete the one that was cut short."""
        assert self.clock is not None
        now = self.clock.now()
        session = go_on(self.path, self.say if not self.turns else _silent)
        run = session.run
        assert run is not None
        with run:
            self._session = session
            unfinished = run.turn_under_way
            moment_ = unfinished.time if unfinished else now
            session.say = self.say
            session.web_name = web_at(self._web, moment_)
            session.around = partial(OwnPages, earlier=run.path)
            session.turn = partial(self._begin, session, now)
            self.prepare(session)
            if self._stopped.is_set():
                return
            reason = await session.drive()
            turned = self._end(session, run) if reason in COMPLETE else None
            summary = session.finish(TURN if turned else reason)
            if turned is not None:
                self._write_feed(session, run)
        self._session = None
        if turned is None:
            self._stopped.set()  # interrupted, or somebody told it to stop
            return
        self.turns += 1
        self.ended(turned, summary)
        await self._tell()

    async def _begin(self, session: Session, now: float, crawl: Crawl) -> Turn | None:
        """The turn to begin; None where one is under way."""
        if crawl.revisits is not None and crawl.revisits.under_way:
            return None
        assert session.run is not None
        before = self._before(session.run, crawl)
        announced = list[tuple[str, float]]()
        if self.sitemaps:
            since = crawl.revisits.time if crawl.revisits else before
            sites = asked_sites(crawl, session.run.last_seq)
            announced = await announced_since(session.config, session.web_name, sites, since, now)
        return Turn(now, self.every, self.fetches, before, announced)

    def _before(self, run: Run, crawl: Crawl) -> float:
        """When the crawl before the first turn ended."""
        if crawl.revisits is not None:
            return 0.0
        if self._began is not None:
            return self._began
        return max((timing.started for _, timing in run.timings(max(run.last_n - 1, 0))), default=0.0)

    def _end(self, session: Session, run: Run) -> Turned:
        """End a turn: log what it noticed."""
        watch = session.crawl.revisits
        assert watch is not None
        visits = session.crawl.tally.visits - watch.visits
        noticed = list(with_texts(run, watch.noticed))
        failed = failures(run.visits(watch.visits))
        turned = Turned(watch.turn.time, visits, watch.again, noticed, failed)
        session.end_turn(turned)
        return turned

    def _write_feed(self, session: Session, run: Run) -> None:
        assert self.clock is not None
        assert isinstance(session.config.topic, Topic)
        entries = latest((turned for _, turned in run.turned()), session.config.threshold)
        write_feed(run.path / FEED, run.id, session.config.topic.name, entries, self.clock.now())

    async def _tell(self) -> None:
        """Tell the listener what it was not told yet."""
        if self.listener is None:
            return
        with Run.open(self.path, writable=False) as run:
            threshold = config_of(run).threshold
            last, _ = next(run.turned(), (0, None))
            waiting = untold(self.path, run.turned())
        if told_until(self.path) is None:
            keep_told(self.path, last)
            return
        if not waiting:
            return
        pages = pages_of((turned for _, turned in waiting), threshold)
        problem = await self.listener.tell(pages) if pages else ""
        if problem:
            self.say(f"--on-new failed ({problem}); {len(pages):,} pages are told again after the next turn")
            return
        try:
            keep_told(self.path, waiting[-1][0])
        except StorageError as error:
            self.say(f"{error}; the same pages will be told again")


def moment(seconds: float) -> str:
    """A time for people."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _silent(sentence: str) -> None:
    """Say nothing: it was said at the first turn."""
