"""Brings the reports of all shards together in turns, and answers each with its order.

A turn begins when all shards have reported, or some have and the others take too long. All that is known here is in the
next reports: whoever takes this place begins with nothing.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field

import msgspec

from topicrawl.shards.coordinator import Coordinator, Grant, Offer, total
from topicrawl.shards.hub import Hub
from topicrawl.shards.messages import Order, Report

PATIENCE = 3.0
"""Seconds that a turn waits for shards that do not report."""
LEAST_AT_ONCE = 4
"""Asks granted in a turn for each shard, at least."""

Teach = Callable[[list[tuple[str, bytes]]], Awaitable[tuple[dict[str, int], bytes | None]]]
"""Hands lessons of shards to the teacher; returns the last page of each shard that it knows, and a model if it is new.

It raises `ConnectionError` where the teacher was replaced and knows nothing.
"""


Life = tuple[int, int]
"""Which life of a shard reports: the epoch of its holder, and how often this one has started its process."""


class Hello(msgspec.Struct, frozen=True):
    """Who reports: a shard, on which node, what it was granted last, which map of nodes it has."""

    shard: str
    life: Life
    node: str
    granted: Grant
    map: int = -1


class Answer(msgspec.Struct, frozen=True):
    """The order, and on which node each shard is, where that has changed."""

    order: Order
    map: int = 0
    nodes: dict[str, str] | None = None


@dataclass
class Turns:
    """The turns of one crawl; `drive` goes on until every shard has ended."""

    names: tuple[str, ...]
    limits: Mapping[str, int]
    seconds: float | None = None
    """How long it may last."""
    teach: Teach | None = None
    say: Callable[[str, str], None] = lambda shard, sentence: None
    """Called with what shards say."""
    least: float = 0.2
    """Seconds that a turn lasts, at least."""
    known: Mapping[str, Offer] = field(default_factory=dict)
    """Counts of each shard before, as far as the database knows: one that nobody holds does not report."""
    reason: str = ""
    _waiting: dict[str, tuple[Hello, Report, asyncio.Future[Answer]]] = field(default_factory=dict)
    _lives: dict[str, Life] = field(default_factory=dict)
    _nodes: dict[str, str] = field(default_factory=dict)
    _map: int = 0
    _ended: set[str] = field(default_factory=set)
    _lessons: list[tuple[str, bytes]] = field(default_factory=list)
    _known: dict[str, int] = field(default_factory=dict)
    _forgot: set[str] = field(default_factory=set)
    """Shards to be told that the teacher knows nothing of them."""

    def __post_init__(self) -> None:
        self.hub = Hub(self.names, Coordinator(self.limits, LEAST_AT_ONCE * len(self.names)), self.known)
        self._arrived = asyncio.Event()

    def stop(self, reason: str) -> None:
        """End the crawl."""
        self.reason = self.reason or reason
        self._arrived.set()

    async def report(self, hello: Hello, report: Report) -> Answer:
        """Take the report of a shard; returns the order of the next turn."""
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        if (before := self._waiting.pop(hello.shard, None)) is not None and not before[2].done():
            before[2].set_result(Answer(Order()))  # whoever asked is gone
        self._ended.discard(hello.shard)
        self._waiting[hello.shard] = hello, report, future
        self._arrived.set()
        return await future

    def ended(self, shard: str, life: Life, reason: str) -> None:
        """A shard has saved all, and ended, because it was told so; perhaps by another in this place."""
        self.stop(reason)
        if life >= self._lives.get(shard, (0, 0)):
            self._ended.add(shard)
            self._arrived.set()

    def without(self, shards: Collection[str]) -> None:
        """Nobody holds these shards, so they have nothing to save: the end of the crawl does not wait for them."""
        self._ended.update(shards)
        self._arrived.set()

    async def drive(self) -> str:
        """Answer reports until all shards have ended; returns why the crawl did."""
        began, teaching = time.monotonic(), asyncio.create_task(self._teach()) if self.teach else None
        try:
            while len(self._ended) < len(self.names):
                turn = time.monotonic()
                await self._wait(turn + PATIENCE)
                if self.seconds is not None and time.monotonic() - began >= self.seconds:
                    self.stop("time")
                self._turn()
                await asyncio.sleep(max(0.0, turn + self.least - time.monotonic()))
        finally:
            if teaching is not None:
                teaching.cancel()
        return self.reason

    async def _wait(self, until: float) -> None:
        """Wait until all shards that have not ended have reported, or some and the others take too long."""
        while len(self._waiting) + len(self._ended) < len(self.names):
            self._arrived.clear()
            left = until - time.monotonic()
            if left <= 0 or (self.reason and (self._waiting or self._ended)):
                return
            try:
                await asyncio.wait_for(self._arrived.wait(), left)
            except TimeoutError:
                return

    def _turn(self) -> None:
        waiting, self._waiting = self._waiting, {}
        before = total(self.hub.offers.values()).visits
        for name, (hello, report, _) in waiting.items():
            self._meet(hello)
            self.hub.reported(name, report)
            for sentence in report.said:
                self.say(name, sentence)
            if report.lessons:
                self._lessons.append((name, report.lessons))
        orders = self._orders(waiting, total(self.hub.offers.values()).visits - before)
        for name, (hello, _, future) in waiting.items():
            if not future.done():
                nodes = dict(self._nodes) if hello.map != self._map else None
                future.set_result(Answer(orders[name], self._map, nodes))

    def _orders(self, waiting: Mapping[str, object], visits: int) -> dict[str, Order]:
        if not self.reason and waiting:
            self.hub.coordinator.at_once = LEAST_AT_ONCE * len(self.names) + 2 * visits
            known = {name: self._known.get(name, 0) for name in waiting} if self.teach else {}
            orders = self.hub.turn(waiting, known)
            if self.hub.coordinator.reason is None:
                again, self._forgot = self._forgot & orders.keys(), self._forgot - orders.keys()
                return orders | {
                    name: msgspec.structs.replace(orders[name], lessons_after=known[name]) for name in again
                }
            self.reason = self.hub.coordinator.reason
        return {name: Order(stop=self.reason) for name in waiting}

    def _meet(self, hello: Hello) -> None:
        """Notice that a shard was started anew, or elsewhere."""
        name = hello.shard
        if self._lives.get(name) != hello.life:
            self.hub.started(name, hello.granted)
            self._lives[name] = hello.life
        if self._nodes.get(name) != hello.node:
            self._nodes[name] = hello.node
            self._map += 1

    async def _teach(self) -> None:
        """Hand lessons to the teacher, and its models to all shards."""
        assert self.teach is not None
        while True:
            lessons, self._lessons = self._lessons, []
            try:
                known, model = await self.teach(lessons) if lessons else ({}, None)
            except ConnectionError:
                self._known.clear()
                self._forgot = set(self.names)
                continue
            self._known |= known
            if model is not None:
                self.hub.teach(model)
            await asyncio.sleep(self.least)
