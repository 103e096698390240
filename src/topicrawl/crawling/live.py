"""Drives a crawl: fetches the links it asks for, parses the pages, tells it the outcomes, stores every event.

Two parts:
    event loop   input and output: one task per asked link (the web applies delays), pipes to the parse workers
    core         `Crawl.ask` and `Crawl.tell`, one at a time, and batches of events to disk

The core has a thread of its own, or takes turns with input and output on the event loop (turns.py).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

import msgspec

from topicrawl.crawling.budget import Budget
from topicrawl.crawling.commits import Commits
from topicrawl.crawling.core import OUT_OF_SCOPE, Crawl
from topicrawl.crawling.judging import Judging
from topicrawl.crawling.outages import Outages
from topicrawl.crawling.outcome import answered, has_page, known_page, unanswered
from topicrawl.crawling.parsing.pool import Parsed
from topicrawl.crawling.rendering import Render, not_rendered
from topicrawl.crawling.turns import Core, InThread, OnLoop
from topicrawl.errors import FetchError, forget_frames
from topicrawl.judge import OwnJudge
from topicrawl.model import (
    Ask,
    Event,
    Instruction,
    Learned,
    Outcome,
    Page,
    Postponed,
    Received,
    Response,
    TermCounts,
    Timing,
    Told,
    Visit,
)
from topicrawl.web import Web, only_redirects

T = TypeVar("T")

HELD_SECONDS = 0.002
"""Asks are handed to the event loop together, as waking it is costly, but none later than this after the first."""
STOPPED = "stopped"
"""The reason of a session that a person ended by an instruction."""
SLOW_SHARE = 3
"""Slow fetches that may be parked, for each link that may be in flight."""


class Done(msgspec.Struct, frozen=True):
    """A completed fetch, queued for the core."""

    ask: Ask
    outcome: Outcome
    timing: Timing
    response: Response | None = None
    said: float | None = None
    """What a judge from outside says of the page."""
    packed: bytes | None = None
    """The page of the outcome in msgpack, where a parse worker has just packed it."""
    plain: Outcome | None = None
    """The outcome without a browser, where one rendered the page."""


class Read(NamedTuple):
    """What was read of an answer; see `Done`."""

    response: Response
    outcome: Outcome
    packed: bytes | None = None
    plain: Outcome | None = None


class Look(msgspec.Struct, frozen=True):
    """A question about the state of the crawl, which only the core may read."""

    see: Callable[[Crawl], None]


@dataclass(frozen=True, slots=True)
class Delivery:
    """What came from another part of the crawl, made into an event by the core."""

    make: Callable[[Crawl], Received | Learned | None]
    logged: asyncio.Future[None]
    """Set when the event is in the log."""


Arrival = Done | Postponed | Instruction | Look | Delivery
"""What the core processes."""


@dataclass
class Live:
    """One session of a crawl. `run` returns the reason it stopped; `stop` may be called from any thread.

    At most `window` links are in flight, including those that wait for their host's delay but not parked ones (see
    outages.py). With `ordered`, outcomes are told in the order of the asks, so that the log depends only on
    configuration and web.
    """

    crawl: Crawl
    web: Web
    parse: Callable[[Response], Awaitable[Parsed | None]]
    count: Callable[[Page], TermCounts]
    write: Callable[[Sequence[Event]], None]
    budget: Budget = field(default_factory=Budget)
    window: int = 1
    ordered: bool = False
    patience: float = 300.0
    retries: int = 2
    render: Render = not_rendered
    """Has a browser render a page that needs it."""
    filter_links: Callable[[Page], Page] = lambda page: page
    """Marks the links of a page that the user refuses."""
    on_visit: Callable[[Visit, Page | None], None] = lambda visit, page: None
    say: Callable[[str], None] = lambda sentence: None
    """Called with messages for the user."""
    snapshot: Callable[[], Callable[[], None] | None] = lambda: None
    """Called by the core after each answer; what it returns is called when all events so far are stored."""
    rest: Callable[[], None] = lambda: None
    """Called by the core after each of `IDLE_SECONDS` without an answer."""
    reconfigure: Callable[[Instruction], None] = lambda instruction: None
    """Called by the core before an instruction is carried out and logged."""
    may_ask: Callable[[Crawl], bool] = lambda crawl: True
    """Called by the core before each ask."""
    stays: bool = False
    """Whether the crawl goes on where it has no link: others may send some."""
    has_room: Callable[[], bool] | None = None
    """Whether there is room on the disk. Where it is given, the core works on the event loop: `write` and all other
    functions above may then not wait."""

    def __post_init__(self) -> None:
        self._commits: Commits[asyncio.Future[None]] = Commits(
            self.write, lambda logged: self._set(logged, None)
        )
        self._turns = self._begun()
        self._asks: list[Ask] = []
        """Asked by the core, and not yet handed to the event loop."""
        self._asked_at = 0.0
        """When the first of them was asked."""
        self._deadline: asyncio.TimerHandle | None = None
        self._logged: dict[str, asyncio.Future[None]] = {}
        """By the wish that an instruction carries out: set when it is in the log."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._told: set[str] = set()
        """Kinds of error that were told."""
        self._parked = 0
        self._reason: str | None = None
        self._error: BaseException | None = None

    async def run(self) -> str:
        """Crawl until the budget is spent, the frontier is empty, or `stop` is called."""
        self._loop = asyncio.get_running_loop()
        self._judging = None if isinstance(self.crawl.judge, OwnJudge) else Judging(self.crawl.judge)
        if self._judging is not None:
            self.crawl.learn_later = self._judging.learn
        self._began = self._loop.time()
        self._outages = Outages(self.web, self.patience, self._park, self._most_slow, self.say, self.retries)
        self._turns.start()
        self._set_deadline()
        try:
            await self._turns.ended()
        except asyncio.CancelledError:
            self.stop("interrupted")
            await self._turns.ended()
            raise
        finally:
            await self._cancel_tasks()
            await self._turns.close()
            if self._judging is not None:
                await self._judging.finish()
        if self._error is not None:
            raise self._error
        assert self._reason is not None
        return self._reason

    def stop(self, reason: str) -> None:
        """End the crawl: no more asks; links in flight are cancelled (a resumed run fetches them first)."""
        self._reason = self._reason or reason
        self._turns.send()

    def instruct(self, instruction: Instruction) -> None:
        """Do what a person says, and log it; may be called from any thread."""
        self._turns.send(instruction)

    async def carry_out(self, instruction: Instruction) -> None:
        """Do what a person wishes; done when it is in the log. Does not return if the crawl ends before."""
        logged = self._logged[instruction.wish] = self._loop.create_future()
        self.instruct(instruction)
        await logged

    async def look(self, see: Callable[[Crawl], T]) -> T:
        """What `see` says of the crawl: called by the core, between two events. It may change nothing.

        Does not return if the crawl ends before.
        """
        seen: asyncio.Future[T] = self._loop.create_future()
        self._turns.send(Look(lambda crawl: self._set(seen, see(crawl))))
        return await seen

    async def deliver(self, make: Callable[[Crawl], Received | Learned | None]) -> None:
        """Take letters or a model; done when they are in the log. Does not return if the crawl ends before."""
        logged: asyncio.Future[None] = self._loop.create_future()
        self._turns.send(Delivery(make, logged))
        await logged

    async def stored(self) -> None:
        """Done when every event so far is in the log. Does not return if the crawl ends before."""
        await self.deliver(lambda crawl: None)

    def wake(self) -> None:
        """Have the core see whether it may ask; may be called from any thread."""
        self._turns.send()

    @property
    def _most_slow(self) -> int:
        """Slow fetches that may be parked."""
        return SLOW_SHARE * self.window if self.window > 1 and not self.ordered else 0

    # --- event loop -------------------------------------------------------------------------------------------------

    def _set_deadline(self) -> None:
        """Stop when the time of the budget is over, counted from the start of the session."""
        if self._deadline is not None:
            self._deadline.cancel()
        if self.budget.seconds is not None:
            self._deadline = self._loop.call_at(self._began + self.budget.seconds, self.stop, "time")

    def _repace(self, more_slow: int) -> None:
        """Use a changed budget of time, and a changed number of slow fetches that may be parked."""
        self._set_deadline()
        self._outages.add_slow(more_slow)

    def _start(self, asks: Sequence[Ask]) -> None:
        for ask in asks:
            task = self._loop.create_task(self._visit(ask))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _visit(self, ask: Ask) -> None:
        began = time.perf_counter()
        response = packed = plain = None
        try:
            with only_redirects(self.crawl.may_redirect_to):
                response = await self._outages.fetch(
                    ask.url, lambda: self._postpone(ask), postponed=ask.link in self.crawl.postponed
                )
            fetched = time.perf_counter()
            response, outcome, packed, plain = await self._read(response)
            said = await self._said(ask, outcome) if self._judging else None
        except FetchError as error:
            fetched = time.perf_counter()
            outcome, said = unanswered(error, ask.url, response), None
            self._say_why_none(ask, error)
            forget_frames(error)
        except asyncio.CancelledError:
            if self._reason is None:
                self._fail(RuntimeError(f"the fetch of {ask.url} was cancelled from outside"))
            raise
        except Exception as error:
            self._fail(error)
            return
        took = (response.took if response else 0.0) or fetched - began
        parsed = time.perf_counter() - fetched
        timing = Timing(time.time() - parsed - took, fetched - began - took, took, parsed)
        if response and response.content is not response.body:
            response = replace(response, content=b"")  # parsed by now: free the memory
        self._turns.collect(Done(ask, outcome, timing, response, said, packed, plain))

    def _say_why_none(self, ask: Ask, error: FetchError) -> None:
        """Tell the first error of each kind as long as no page has come: nobody looks for it in the log."""
        if not self.crawl.tally.fetched and error.kind not in self._told:
            self._told.add(error.kind)
            self.say(f"{ask.url}: {error}")

    def _postpone(self, ask: Ask) -> None:
        """Let the core ask for other links of the host; not with `ordered`, as this depends on the time."""
        if not self.ordered:
            self._turns.collect(Postponed(ask.link, ask.url))

    def _park(self, change: int) -> None:
        """Change the number of parked links; each one lets the core ask for another."""
        self._parked += change
        if change > 0:
            self._turns.send()

    async def _read(self, response: Response) -> Read:
        """What an answer says: its page, rendered by a browser where it needs one."""
        if not has_page(response):
            return Read(response, answered(response, None))
        counts = packed = None
        page = known_page(response)
        if page is None:
            parsed = await self.parse(response)
            if parsed is None:
                return Read(response, answered(response, None))
            if response.status == 200:
                self.web.remember(response.url, parsed.packed)
            page, counts, packed = parsed.page, parsed.counts, parsed.packed
        shown = await self.render(response, page)
        if shown is not None and shown.counts is not None:
            outcome = answered(shown.response, self.filter_links(shown.page), shown.counts)
            return Read(shown.response, outcome, plain=answered(response, page, counts))
        kept = self.filter_links(page if shown is None else shown.page)
        return Read(response, answered(response, kept, counts), packed if kept is page else None)

    async def _said(self, ask: Ask, outcome: Outcome) -> float | None:
        """What the judge from outside says of a page that was read."""
        assert self._judging is not None
        seen = self.crawl.seen(ask.link, outcome)
        return None if seen is None else await self._judging.word(seen)

    async def _cancel_tasks(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # --- core -------------------------------------------------------------------------------------------------------

    def _begun(self) -> InThread[Arrival] | OnLoop[Arrival]:
        """What gives the core its turns."""
        has_room = self.has_room
        core = Core[Arrival](
            self._steps(),
            self._commits.commit,
            lambda: self._commits.due,
            self.rest,
            lambda: has_room is None or self._reason is not None or has_room(),
            self._fail,
        )
        self._inbox = core.inbox
        return InThread(core) if has_room is None else OnLoop(core)

    def _steps(self) -> Iterator[bool]:
        """The work of the core, see `Core.steps`."""
        self._reason = self._reason or self.budget.spent(self.crawl.tally)
        self._asks += self.crawl.pending.values()
        answered: dict[int, Done] = {}
        while self._reason is None:
            self._fill()
            self._dispatch()
            if not self.crawl.pending and not self.crawl.paused and not self.stays:
                self._reason = self._reason or "frontier empty"
                break
            self._commit_if_due()
            yield False
            while self._inbox:
                self._take_in(self._inbox.popleft(), answered)
                while self._reason is None and (done := self._next(answered)) is not None:
                    self._tell(done)
                    if self._reason is None:
                        self._fill()
                        self._take_snapshot()
                        if self._asks and time.monotonic() - self._asked_at > HELD_SECONDS:
                            self._dispatch()
                            yield True
                        self._commit_if_due()

    def _take_in(self, arrival: Arrival, answered: dict[int, Done]) -> None:
        """Process what arrived; an answer is put to the others that are to be told."""
        if isinstance(arrival, Done):
            answered[arrival.ask.link] = arrival
        elif isinstance(arrival, Look):
            arrival.see(self.crawl)
        elif isinstance(arrival, Instruction):
            self._instruct(arrival)
        elif isinstance(arrival, Delivery):
            self._take(arrival)
        elif self.crawl.postpone(arrival.link):
            self._commits.record(arrival)

    def _next(self, answered: dict[int, Done]) -> Done | None:
        """The answer to tell next: any, or with `ordered` that of the earliest ask; None if it is not there yet."""
        link = next(iter(self.crawl.pending if self.ordered else answered), None)
        done = None if link is None else answered.pop(link, None)
        if done is None or self.crawl.pending.get(done.ask.link) is not done.ask:
            return None  # not there yet, or withdrawn by an instruction
        return done

    def _tell(self, done: Done) -> None:
        outcome = done.outcome
        if outcome.page is not None and outcome.counts is None:
            outcome = msgspec.structs.replace(outcome, counts=self.count(outcome.page))
        visit = self.crawl.tell(done.ask, outcome, said=done.said)
        told = Told(done.ask, outcome, visit, done.timing, done.response, done.plain, done.packed)
        self._commits.record(told, *self.crawl.accepted)
        self.on_visit(visit, outcome.page)
        self._reason = self._reason or self.budget.spent(self.crawl.tally)

    def _instruct(self, instruction: Instruction) -> None:
        self._commits.commit()  # it may look back at all visits
        self.reconfigure(instruction)
        if not self.stays:  # else it is that of the whole crawl
            self.budget = self.budget.changed(instruction.settings)
        before, self.window = self._most_slow, instruction.settings.get("concurrency", self.window)
        self._turns.call(self._repace, self._most_slow - before)
        self._commits.record(*instructed(self.crawl, instruction))
        logged = self._logged.pop(instruction.wish, None)
        self._commits.want(*([] if logged is None else [logged]))
        self._reason = self._reason or self.budget.spent(self.crawl.tally)
        if instruction.stop:
            self._reason = self._reason or STOPPED

    def _take(self, delivery: Delivery) -> None:
        """Process what came from another part of the crawl, and log it."""
        if (event := delivery.make(self.crawl)) is not None:
            tolds = [replace(told, timing=Timing(time.time())) for told in taken(self.crawl, event)]
            self._commits.record(event, *tolds)
            for told in tolds:
                self.on_visit(told.visit, told.outcome.page)
        self._commits.want(delivery.logged)

    def _fill(self) -> None:
        """Ask until the window is full, the pending links use up the budget, or no link can be chosen."""
        while (
            not self.crawl.paused
            and len(self.crawl.pending) < self._max_pending()
            and self.may_ask(self.crawl)
        ):
            chosen = self.crawl.ask_next()
            if chosen is None:
                break
            ask, event = chosen
            self._commits.record(event)
            if not self._asks:
                self._asked_at = time.monotonic()
            self._asks.append(ask)

    def _take_snapshot(self) -> None:
        if (stored := self.snapshot()) is not None:
            self._commits.commit()
            stored()

    def _max_pending(self) -> float:
        window = min(self.window, self.crawl.at_once)
        most = window if self.ordered else window + self._parked
        limits, tally = self.budget.limits, self.crawl.tally
        if "pages" in limits:
            most = min(most, limits["pages"] - tally.fetched + len(self.crawl.postponed))
        if "requests" in limits:  # each pending link is one already, also if postponed
            most = min(most, limits["requests"] - tally.visits)
        return most

    def _dispatch(self) -> None:
        """Let the event loop fetch what was asked."""
        if self._asks:
            self._turns.call(self._start, self._asks)
            self._asks = []

    def _commit_if_due(self) -> None:
        """Store the events, if they are many or old enough, or somebody waits for them."""
        if self._commits.is_due:
            self._dispatch()  # links are fetched meanwhile
            self._commits.commit()

    # --- between the two --------------------------------------------------------------------------------------------

    def _set(self, awaited: asyncio.Future[T], result: T) -> None:
        """Give the event loop what it waits for."""
        self._turns.call(_set_result, awaited, result)

    def _fail(self, error: BaseException) -> None:
        self._error = self._error or error
        self.stop("error")


def _set_result(awaited: asyncio.Future[T], result: T) -> None:
    if not awaited.done():  # else it was cancelled
        awaited.set_result(result)


def instructed(crawl: Crawl, instruction: Instruction) -> list[Event]:
    """Do what a person said; returns the events to log, in one commit: pending links out of scope are told so."""
    crawl.instruct(instruction)
    events: list[Event] = [instruction]
    for ask in crawl.withdrawn():
        outcome = Outcome(ask.url, error=OUT_OF_SCOPE)
        events += [Told(ask, outcome, crawl.tell(ask, outcome)), *crawl.accepted]
    return events


def taken(crawl: Crawl, event: Received | Learned) -> list[Told]:
    """Take letters or a model; returns the visits of pages that were handed over, to be logged in the same commit."""
    if isinstance(event, Learned):
        crawl.take_model(event)
        return []
    return [Told(ask, outcome, crawl.tell(ask, outcome)) for ask, outcome in crawl.receive(event)]
