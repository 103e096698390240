"""One crawl as a shard: what it offers, what it may ask for, the letters that it takes.

It opens no file and no socket. Who drives it logs the events that it returns before it acknowledges them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from topicrawl.crawling.core import Crawl
from topicrawl.errors import ConfigError, RunError
from topicrawl.model import Letter, Received
from topicrawl.shards.coordinator import Grant, Offer
from topicrawl.strategies import Strategy
from topicrawl.strategies.registry import OURS, make_strategy

EXACT = 16
"""Best links whose priorities are offered one by one; beyond them each step is a half of all before."""
MOST_OFFERED = 1024
"""Links that are offered, at most."""

_decode = msgspec.msgpack.Decoder(Letter).decode


@dataclass
class Shard:
    """A crawl with `post`, and what it was granted."""

    crawl: Crawl
    granted: Grant = field(default_factory=Grant)

    def offer(self, most: int = MOST_OFFERED) -> Offer:
        """The best links of this shard, and its counts."""
        crawl, post = self.crawl, self.crawl.post
        assert post is not None
        tally = crawl.tally
        return Offer(
            [] if crawl.paused else self._steps(most),
            self.asked,
            len(crawl.pending) or int(crawl.paused),  # not idle
            crawl.waiting,
            tally.visits,
            tally.fetched,
            tally.relevant,
            tally.failed,
            tally.bytes,
            post.handed_over - post.got,
            dict(post.sent),
            dict(post.taken),
        )

    def may_ask(self) -> bool:
        """Whether the best link is within what was granted."""
        if self.asked >= self.granted.asks:
            return False
        best = self.crawl.frontier.best()
        return best is not None and bool(self.crawl.frontier.columns["key"][best] >= self.granted.threshold)

    def take(self, sender: str, first: int, letters: Sequence[bytes]) -> Received | None:
        """The event for letters of another shard, the first of which has this number; None if all are known.

        `RunError` where letters before these are missing.
        """
        assert self.crawl.post is not None
        known = self.crawl.post.taken.get(sender, 0)
        if first > known + 1:
            raise RunError(
                f"letters {known + 1} to {first - 1} of shard {sender} are missing; send them first"
            )
        fresh = letters[known + 1 - first :]
        return Received(sender, letters=list(map(_decode, fresh)), first=known + 1) if fresh else None

    def lessons(self, after: int) -> tuple[bytes, int]:
        """What a teacher learns from the pages with a number above `after`, and the last number."""
        return self.crawl.strategy.lessons(after, self.crawl.frontier)

    @property
    def asked(self) -> int:
        """Links asked so far."""
        return self.crawl.tally.visits + len(self.crawl.pending)

    def _steps(self, most: int) -> list[tuple[float, int]]:
        frontier = self.crawl.frontier
        keys = frontier.columns["key"][frontier.best_of_all(most)]
        keys[::-1].sort()
        steps, last = list[tuple[float, int]](), 0
        while last < len(keys):
            end = last + 1 if last < EXACT else min(last + last // 2, len(keys))
            key, many = float(keys[end - 1]), end - last
            if steps and steps[-1][0] == key:
                many += steps.pop()[1]
            steps.append((key, many))
            last = end
        return steps


def check_strategy(strategy: Strategy, name: str) -> None:
    """`ConfigError` if a strategy needs all links of a crawl in one place."""
    if strategy.in_shards:
        return
    others = [each for each in OURS if make_strategy(each).in_shards]
    raise ConfigError(
        f"strategy {name} needs all links in one frontier and cannot crawl in shards; those that can: "
        f"{', '.join(sorted(others))}"
    )
