"""What a shard does in each turn, beside its live crawl: report, and carry out the order that answers.

Letters leave when the events that caused them are in the log, and are acknowledged when they are in the log of the
receiver, so that a shard that dies loses none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from topicrawl.crawling.core import Crawl
from topicrawl.crawling.live import Live
from topicrawl.errors import RunError
from topicrawl.model import Learned, Received
from topicrawl.shards.coordinator import Grant
from topicrawl.shards.messages import Batch, Order, Report
from topicrawl.shards.shard import Shard

TURN_SECONDS = 0.05
"""Seconds between two reports."""
MOST_LETTERS = 500
"""Letters to one shard in a report."""

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
    _lessons: int | None = None
    """The last page whose lesson was handed out; None until the teacher says what it knows."""

    def may_ask(self, crawl: Crawl) -> bool:
        """Whether the best link is within what was granted."""
        return Shard(crawl, self.granted).may_ask()

    async def turns(self, live: Live) -> None:
        """Take part until the crawl ends. Whatever fails here ends the session, and is raised after it."""
        try:
            await self._take_turns(live)
        except Exception:
            self.stop("error")
            raise

    async def _take_turns(self, live: Live) -> None:
        while True:
            report = await live.look(self._report)
            await live.stored()
            order = await self.exchange(report)
            if order is None or order.stop:
                self.stop(order.stop if order else "interrupted")
                await asyncio.Event().wait()
                return
            await self._carry_out(order, live)
            await asyncio.sleep(TURN_SECONDS)

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
        for sender, batch in order.letters.items():
            await live.deliver(partial(_take, sender=sender, batch=batch))
        if order.model:
            await live.deliver(lambda crawl: Learned("strategy", order.model))
        if order.acknowledged or order.taken:
            await live.look(lambda crawl: _forget(crawl, order))
        self.granted = order.grant
        live.wake()


def _take(crawl: Crawl, sender: str, batch: Batch) -> Received | None:
    """The event for a batch; None if others come before it, which the sender sends again when it is told."""
    with suppress(RunError):
        return Shard(crawl).take(sender, batch.first, batch.letters)
    return None


def _forget(crawl: Crawl, order: Order) -> None:
    """Keep no letters that their receivers have."""
    assert crawl.post is not None
    for receiver, taken in (order.acknowledged | order.taken).items():
        crawl.post.forget(receiver, taken)
