"""What a shard does in each turn, beside its live crawl: report, and carry out the order that answers.

Letters leave when the events that caused them are in the log, and are acknowledged when they are in the log of the
receiver, so that a shard that dies loses none.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

import msgspec

from topicrawl.crawling.core import Crawl
from topicrawl.crawling.live import Live
from topicrawl.errors import RunError
from topicrawl.model import Learned, Received
from topicrawl.shards.coordinator import Grant
from topicrawl.shards.messages import Batch, Order, Report
from topicrawl.shards.shard import Shard
from topicrawl.web import Web

TURN_SECONDS, LONGEST = 0.05, 0.5
"""Seconds between two reports, at least and at most."""
MOST_LETTERS = 500
"""Letters to one shard in a report."""
ADDRESSES_SECONDS = 1.0
"""Seconds between two reports with addresses."""

Exchange = Callable[[Report], Awaitable[Order | None]]
"""Sends a report; returns the order that answers it, None where nobody answers any more."""


@dataclass
class Member:
    """One shard in a crawl of many."""

    exchange: Exchange
    stop: Callable[[str], None]
    """Ends the session, for a reason."""
    granted: Grant = field(default_factory=Grant)
    said: list[str] = field(default_factory=list)
    """Sentences for the user, since the last report."""
    _told: dict[str, int] = field(default_factory=dict)
    """The last letter handed out to each shard; only to those whose last letter taken is known."""
    _addresses_at: float = -math.inf
    """When addresses were told."""
    _lessons: int | None = None
    """The last page whose lesson was handed out; None until the teacher says what it knows."""
    _enough: int = 0
    """Asks at which the next report is due: some are left, so that work goes on until it is answered."""
    _is_due: bool = True

    def may_ask(self, crawl: Crawl) -> bool:
        """Whether the best link is within what was granted; called in the thread of the crawl."""
        shard = Shard(crawl, self.granted)
        may = shard.may_ask()
        if not self._is_due and (not may or shard.asked >= self._enough):
            self._is_due = True
            self._loop.call_soon_threadsafe(self._due.set)
        return may

    async def turns(self, live: Live) -> None:
        """Take part until the crawl ends. Whatever fails here ends the session, and is raised after it."""
        try:
            await self._take_turns(live)
        except Exception:
            self.stop("error")
            raise

    async def _take_turns(self, live: Live) -> None:
        self._loop, self._due = asyncio.get_running_loop(), asyncio.Event()
        while True:
            report = await live.look(self._report)
            await live.stored()
            order = await self.exchange(self._with_addresses(report, live.web))
            if order is None or order.stop:
                self.stop(order.stop if order else "interrupted")
                await asyncio.Event().wait()
                return
            await self._carry_out(order, live)
            self._use(order.grant, report.offer.asked)
            live.wake()
            await asyncio.sleep(TURN_SECONDS)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._due.wait(), LONGEST - TURN_SECONDS)

    def _use(self, grant: Grant, asked: int) -> None:
        """Ask for what was granted; two thirds of it are asked for when the next report is due."""
        self._due.clear()
        self._enough = grant.asks - max(grant.asks - asked, 0) // 3
        self.granted, self._is_due = grant, False

    def _with_addresses(self, report: Report, web: Web) -> Report:
        """The report, once a second with the addresses that are asked: their limits hold for all shards together."""
        if (now := time.monotonic()) - self._addresses_at < ADDRESSES_SECONDS:
            return report
        self._addresses_at = now
        return msgspec.structs.replace(report, addresses=sorted(web.addresses()))

    def _report(self, crawl: Crawl) -> Report:
        """What there is to tell; called in the thread of the crawl."""
        assert crawl.post is not None
        shard, letters = Shard(crawl), dict[str, Batch]()
        for receiver, told in self._told.items():
            packed = crawl.post.letters(receiver, told, MOST_LETTERS)
            if packed:
                letters[receiver] = Batch(told + 1, packed)
                self._told[receiver] = told + len(packed)
        lessons = b""
        if self._lessons is not None:
            lessons, self._lessons = shard.lessons(self._lessons)
        said, self.said = self.said, []
        hosts = int((crawl.frontier.hosts.columns["fetched"] > 0).sum())
        return Report(shard.offer(), letters, lessons, said, hosts)

    async def _carry_out(self, order: Order, live: Live) -> None:
        self._told |= order.taken
        if order.lessons_after is not None:
            self._lessons = order.lessons_after
        deliveries = list[Coroutine[None, None, None]]()
        if order.letters:
            deliveries.append(live.deliver(partial(_take, batches=order.letters)))
        if order.model:
            deliveries.append(live.deliver(lambda crawl: Learned("strategy", order.model)))
        await asyncio.gather(*deliveries)
        if order.acknowledged or order.taken:
            await live.look(lambda crawl: _forget(crawl, order))
        if order.shared is not None:
            live.web.share_addresses(order.shared)


def _take(crawl: Crawl, batches: Mapping[str, Batch]) -> Received | None:
    """The event for batches by sender.

    One that others come before is left out: its sender sends it again when it is told.
    """
    parts = list[Received]()
    for sender, batch in batches.items():
        with suppress(RunError):
            if (part := Shard(crawl).take(sender, batch.first, batch.letters)) is not None:
                parts.append(part)
    return msgspec.structs.replace(parts[0], others=parts[1:]) if parts else None


def _forget(crawl: Crawl, order: Order) -> None:
    """Keep no letters that their receivers have."""
    assert crawl.post is not None
    for receiver, taken in (order.acknowledged | order.taken).items():
        crawl.post.forget(receiver, taken)
