"""One session of a crawl: replay the log of its run, continue crawling, write summary and report."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from topicrawl.crawling.budget import Budget
from topicrawl.crawling.core import Crawl
from topicrawl.crawling.event_loop import beside, signals
from topicrawl.crawling.hooks import NO_HOOKS, Hooks
from topicrawl.crawling.judged import relevance_now, revised
from topicrawl.crawling.listening import Listener
from topicrawl.crawling.live import Live, instructed
from topicrawl.crawling.make import configure, make_crawl, past_of, post_of, version_of
from topicrawl.crawling.marks import as_marked
from topicrawl.crawling.parsing.lazy import LazyParseWorkers
from topicrawl.crawling.publishing import Publisher
from topicrawl.crawling.recrawl import ConditionalWeb
from topicrawl.crawling.rendering import NEVER, Rendering
from topicrawl.crawling.reporting import report, watch_figures
from topicrawl.crawling.snapshots import Snapshots, restored
from topicrawl.errors import RunError
from topicrawl.frontier import Frontier
from topicrawl.frontier.columns import in_memory
from topicrawl.judge.registry import TERMS
from topicrawl.model import Event, Instruction, Page, Topic, Turn, Turned, Visit
from topicrawl.report.sources import source_yields
from topicrawl.report.summary import summarise
from topicrawl.setup.config import Config
from topicrawl.setup.resolve import check_resume
from topicrawl.setup.run_config import changed
from topicrawl.store.allocator import MappedFiles
from topicrawl.store.disk import Room, wait_for_room
from topicrawl.store.heap import Heap
from topicrawl.store.run import Run
from topicrawl.store.seed_sources import read_sources
from topicrawl.store.standing import standing
from topicrawl.topic.matcher import Matcher
from topicrawl.urls import host as host_of
from topicrawl.web import Web
from topicrawl.web.open import open_web

if TYPE_CHECKING:
    from topicrawl.crawling.sinking import Sinking

T = TypeVar("T")

REPLAYED_AT_ONCE = 200
REQUESTS = "requests"
"""The reason of a session that has made as many requests as it may."""
RECENT = 500
"""Visits at the end of a log whose hosts get their delay before the first request of a resume."""


@dataclass
class Session:
    """A session with a resolved configuration and the run that stores it (None: nothing is stored)."""

    config: Config
    run: Run | None = None
    hooks: Hooks = NO_HOOKS
    on_visit: Callable[[Visit, Page | None], None] = lambda visit, page: None
    on_replay: Callable[[int], None] = lambda visits: None
    say: Callable[[str], None] = lambda sentence: None
    stands: Callable[[str], None] | None = None
    """Called instead of `say` with why nothing can be fetched or written for now."""
    begun: Config | None = None
    """The configuration that the run was begun with, where instructions have changed it since."""
    instruction: Instruction | None = None
    """What is changed by this resume."""
    may_ask: Callable[[Crawl], bool] = lambda crawl: True
    """Whether a link may be asked for now; with `is_part` the crawl goes on waiting where it may not."""
    is_part: bool = False
    """Whether this is a shard, which others may send links to, and which is stopped when all have none."""
    turn: Callable[[Crawl], Awaitable[Turn | None]] | None = None
    """Makes the turn of a watch that this session begins, or None to go on with the one under way."""
    web_name: str = ""
    """The web to open where it is not that of the configuration: a web with time, on another day."""
    around: Callable[[Web], Web] = lambda web: web
    """A web around the web."""
    beside: Callable[[Live], Sequence[Coroutine[Any, Any, None]]] = lambda live: ()
    """What runs beside the crawl; it never ends by itself."""
    shares_loop: bool = False
    """Whether pages are learned and stored on the event loop, which takes less processor time (turns.py): `on_visit`
    and the hooks may then not wait."""

    def __post_init__(self) -> None:
        self._allocator = MappedFiles(self.run.path) if self.run else None
        self._heap = Heap()
        self._room: Room | None = None
        self.crawl = self._new_crawl()
        self._snapshots: Snapshots | None = None
        self._began, self._cpu, self._replayed = time.monotonic(), cpu_seconds(), 0
        self._earlier_seconds = seconds_so_far(self.run) if self.run else 0.0
        self._live: Live | None = None
        self._web: Web | None = None
        self._stopped: str | None = None
        self._has_remarked = False

    def instruct(self, instruction: Instruction) -> None:
        """Do what a person says while the crawl is under way; may be called from any thread.

        `UsageError` if a setting has an invalid value, or cannot change.
        """
        if self._live is None:
            raise RunError("the crawl is not under way yet: instruct it once it fetches")
        self._check(instruction)
        self._live.instruct(instruction)

    def _check(self, instruction: Instruction) -> None:
        check_resume(replace(self.config, topic=""), replace(changed(self.config, instruction), topic=""))

    def _reconfigure(self, instruction: Instruction) -> None:
        """Write into crawl.toml what is changed, before it is logged: a resume takes what is only there as new."""
        self._remark_on_marks(instruction)
        self.config = changed(self.config, instruction)
        if self.run is not None:
            self.run.update_config(self.config.to_toml())
        if self._web is not None:
            http = self.config.http
            self._loop.call_soon_threadsafe(self._web.pace, http.delay, http.concurrency)

    async def _instruct_live(self, instruction: Instruction) -> None:
        """Carry out an instruction while the crawl runs."""
        assert self._live is not None
        self._check(instruction)
        await self._live.carry_out(instruction)

    async def _instruct_idle(self, instruction: Instruction) -> None:
        """The same while it does not: before its first request, or after its last answer."""
        self._check(instruction)
        self._reconfigure(instruction)
        await asyncio.to_thread(self._write, instructed(self.crawl, instruction))

    def _remark_on_marks(self, instruction: Instruction) -> None:
        """Say once that the strategy does not choose by marks, where that is so."""
        if instruction.marks and not self.crawl.strategy.uses_marks and not self._has_remarked:
            self._has_remarked = True
            self.say(
                f"{self.config.strategy} does not choose links by marks; report, exports and judge follow them"
            )

    def stop(self, reason: str) -> None:
        """End the session; may be called from any thread, at any time."""
        self._stopped = reason
        if self._live is not None:
            self._live.stop(reason)

    async def complete(self) -> dict[str, Any]:
        """The whole session: `drive`, then `finish`. SIGINT and SIGTERM end it cleanly at any time."""
        with signals(self.stop):
            return self.finish(await self.drive())

    async def drive(self) -> str:
        """Replay, then crawl until a stop rule or `stop`; returns the reason. The run stays open."""
        await self._replay()
        if self._stopped:
            return self._stopped
        has_bodies = self._archives or self.config.render != NEVER
        web = open_web(self.web_name or self.config.web, bodies=has_bodies, http=self.config.http)
        reader = LazyParseWorkers(self.topic, self.config.documents)
        rendering = Rendering(lambda: self.config.render, lambda: web, reader.parse, self.say)
        try:
            if self.run:
                web.rest(recently_asked(self.run, self.crawl))
            if self.config.recrawl:
                web = ConditionalWeb(web, Path(self.config.recrawl))
            web = self.around(web)
            self._web = web = self.hooks.around(web)
            self._loop = asyncio.get_running_loop()
            return await self._listen_and_crawl(web, reader, rendering)
        finally:
            await rendering.close()
            await reader.close()
            await web.close()

    async def _listen_and_crawl(self, web: Web, reader: LazyParseWorkers, rendering: Rendering) -> str:
        """Crawl, and carry out what people wish before and meanwhile."""
        listener = (
            None if self.run is None else Listener(self.run.path, partial(reader.page_at, web), self.say)
        )
        if listener is not None:
            await listener.before(self._instruct_idle, lambda: self._stopped is not None)
        self._live = self._driver(web, reader, rendering)
        if self._stopped:  # while the web was opened
            self._live.stop(self._stopped)
        if self.run is None or listener is None:
            return await self._live.run()
        publisher = Publisher(self.run.path, self._live, web, lambda: self.config)
        sinking = self._sinking()
        try:
            others = [*([sinking.follow()] if sinking else []), *self.beside(self._live)]
            async with beside(listener.during(self._instruct_live), publisher.publish(), *others):
                reason = await self._live.run()
            await listener.after(self._instruct_idle)
            if sinking:
                await sinking.finish()
        finally:
            if sinking:
                sinking.close()
            await listener.close()
        return reason

    def _sinking(self) -> Sinking | None:
        """What writes the sinks; None where there are none."""
        if self.run is None or not self.config.sink:
            return None
        from topicrawl.crawling.sinking import Sinking  # most crawls have none

        return Sinking(self.run, self.config, self.say)

    async def _replay(self) -> None:
        """Go on from the newest snapshot, and replay the log after it.

        Yields to the event loop regularly, so that signals are handled.
        """
        if self.run is not None:
            version = version_of(self.config, self.crawl.strategy)
            begin = restored(self.run, version, self.crawl, self._new_crawl)
            self.crawl = begin.crawl
            snapshots = Snapshots(self.run, version, begin, self.say, self.config.min_free)
            for count, event in enumerate(self.run.replay(begin.seq)):
                self.crawl.replay(event)
                self.on_replay(count)
                if count % REPLAYED_AT_ONCE == 0:
                    self._release_memory()
                    await asyncio.sleep(0)
                    if self._stopped:
                        return
            self._snapshots = snapshots
        self._replayed = self.crawl.tally.fetched
        await self._begin_sitting()

    def _new_crawl(self) -> Crawl:
        frontier = Frontier(self._allocator or in_memory)
        crawl = make_crawl(
            self.begun or self.config, frontier, past_of(self.run), self.hooks, post_of(self.run)
        )
        return configure(crawl, self.config, self.run)

    async def _begin_sitting(self) -> None:
        """Log what makes the choices from here on, where it differs from the last sitting, and what was changed.

        Resuming ends a pause.
        """
        events: list[Event] = []
        current = version_of(self.config, self.crawl.strategy)
        if self.run is None or [current] != self.run.versions()[-1:]:
            self.crawl.replay(current)
            events.append(current)
        instruction = self.instruction
        if self.crawl.paused:
            self.say("the crawl was paused; it goes on now that it is resumed")
            instruction = msgspec.structs.replace(instruction or Instruction(), pause=False)
        if instruction is not None:
            self._remark_on_marks(instruction)
            events += instructed(self.crawl, instruction)
        if self.turn is not None and (turn := await self.turn(self.crawl)) is not None:
            self.crawl.turn(turn)
            events.append(turn)
        if self.run is not None and events:
            await asyncio.to_thread(
                self._write, events
            )  # it may wait for disk space: signals are handled meanwhile

    def end_turn(self, turned: Turned) -> None:
        """End the turn of a watch, and log what it noticed; after `drive`, before `finish`."""
        self.crawl.turn(turned)
        self._write([turned])

    def finish(self, reason: str) -> dict[str, Any]:
        """The summary of the crawl so far; stored in the run, with a report.

        That of a part counts by what was said at the visits: pages are judged again with those of the others, when all
        parts have ended (summing_up.py).
        """
        run, fetched = self.run, self.crawl.tally.fetched - self._replayed
        if reason == "frontier empty" and self.crawl.strategy.done:
            reason = "rounds"
        used = cpu_seconds() - self._cpu
        known = standing(run) if run else None
        now = relevance_now(run, self.crawl.judge, known) if run and not self.is_part else None
        at_visit = _Relevant(self.config.threshold)
        visits = at_visit.counted(as_marked(run)) if run else ()
        summary = summarise(
            visits if now is None else revised(visits, now),
            threshold=self.config.threshold,
            stop_reason=reason,
            seconds=round(self._earlier_seconds + time.monotonic() - self._began, 3),
            are_probabilities=self.config.judge != TERMS,
        )
        # a session may be stopped before it replayed all: the log has all
        summary["relevant_at_visit"] = at_visit.count if run else self.crawl.tally.relevant
        tally = self.crawl.tally
        summary["needs_script"] = tally.needs_script
        if tally.rendered or tally.not_rendered:
            summary["rendered"] = {
                "pages": tally.rendered,
                "cut_short": tally.cut_short,
                "failed": tally.not_rendered,
            }
        if run is not None and known is not None and self.crawl.revisits is not None:
            summary["watch"] = watch_figures(run, self.config.threshold, now, known)
        if run is not None and not self.is_part and (seeds := read_sources(run.path)):
            found = revised(run.visits(), now) if now is not None else as_marked(run)
            summary["sources"] = source_yields(found, seeds, self.config.threshold)
        if reason == "rounds":
            summary["rounds"] = self.config.rounds
        if (learned := self.crawl.strategy.learned()) is not None:
            summary["learning"] = learned
        if (evolution := self.crawl.strategy.evolution()) is not None:
            summary["evolution"] = evolution
        summary["pages_per_cpu_second"] = round(fetched / used, 1) if used > 0 and fetched else None
        if run is not None:
            run.finish(summary)
            if self._snapshots is not None:
                self._snapshots.finish()
            if not self.is_part:
                report(run, self.config, summary, now, known)
        return summary

    def _visited(self, visit: Visit, page: Page | None) -> None:
        self.on_visit(visit, page)
        if self.hooks.on_page and visit.fetched and page is not None:
            self.hooks.on_page(visit, page)

    def _write(self, events: Sequence[Event]) -> None:
        """Store events, once enough disk space is free; a session that is stopping does not wait for it."""
        assert self.run is not None
        say = self.stands or self.say
        wait_for_room(self.run.path, self.config.min_free, lambda: self._stopped is not None, say)
        self.run.write(events)
        self._release_memory()

    def _writer(self) -> Callable[[Sequence[Event]], None]:
        """What stores events. On the event loop it may not wait for room: `_has_room` was asked before."""
        if self.run is None:
            return _discard
        return self._store if self.shares_loop else self._write

    def _store(self, events: Sequence[Event]) -> None:
        assert self.run is not None
        self.run.write(events)
        self._release_memory()

    def _has_room(self) -> bool:
        """Whether enough disk space is free, or the session is stopping."""
        return self._room is None or self._stopped is not None or self._room.has(self.config.min_free)

    def _release_memory(self, *, busy: bool = True) -> None:
        """Release mapped pages of the frontier (if `busy`, only at intervals) and free heap memory."""
        if self._allocator is not None:
            self._allocator.release_memory(busy=busy)
        self._heap.release_memory()

    @property
    def topic(self) -> Topic:
        """The parsed topic."""
        return self.crawl.topic

    @property
    def _archives(self) -> bool:
        return self.run is not None and self.run.has_archive

    def _budget(self) -> Budget:
        """How much may be fetched: that of a turn is its own."""
        if self.is_part:
            return Budget()
        watch = self.crawl.revisits
        return Budget({REQUESTS: watch.requests}) if watch and watch.under_way else Budget.of(self.config)

    def _driver(self, web: Web, reader: LazyParseWorkers, rendering: Rendering) -> Live:
        config = self.config
        if self.run is not None:
            self._room = Room(self.run.path, self.stands or self.say)
        return Live(
            self.crawl,
            web,
            parse=reader.parse,
            render=rendering.render,
            count=Matcher(self.topic.terms).count,
            write=self._writer(),
            has_room=self._has_room if self.shares_loop else None,
            budget=self._budget(),
            window=config.concurrency,
            ordered=config.ordered,
            patience=config.patience,
            retries=config.retries,
            filter_links=self.hooks.filtered,
            on_visit=self._visited,
            say=self.stands or self.say,
            snapshot=self._snapshots.take_if_due if self._snapshots else lambda: None,
            rest=lambda: self._release_memory(busy=False),
            reconfigure=self._reconfigure,
            may_ask=self.may_ask,
            stays=self.is_part,
        )


class _Relevant:
    """Counts the relevant pages of visits on their way."""

    def __init__(self, threshold: float) -> None:
        self.count, self._threshold = 0, threshold

    def counted(self, visits: Iterable[Visit]) -> Iterator[Visit]:
        for visit in visits:
            self.count += visit.fetched and visit.relevance > self._threshold
            yield visit


def recently_asked(run: Run, crawl: Crawl) -> set[str]:
    """Hosts that an earlier session may have just fetched from. Ignores the clock: it may have been changed."""
    visits = run.visits(max(0, run.last_n - RECENT))
    return {visit.host for visit in visits} | {host_of(ask.url) for ask in crawl.pending.values()}


def seconds_so_far(run: Run) -> float:
    """Duration of the earlier sessions: from the summary, or after a kill the time covered by fetches."""
    if run.summary is not None:
        return float(run.summary["seconds"])
    busy, reached = 0.0, 0.0
    for _, timing in run.timings():
        begin, end = timing.started - timing.waited, timing.started + timing.fetched + timing.parsed
        busy += max(0.0, end - max(begin, reached))
        reached = max(reached, end)
    return busy


def cpu_seconds() -> float:
    """User and system time of this process and of workers that have exited."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _discard(events: Sequence[Event]) -> None:
    """Store nothing."""
