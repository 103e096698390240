"""All shards of a crawl in one process, one turn after the other: the same visits every time.

offers ─► grants ─► each shard asks, fetches, is told ─► letters ─► lessons
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from topicrawl.crawling.core import Crawl
from topicrawl.model import Ask, Event, Learned, Outcome, Told, Visit
from topicrawl.shards.coordinator import Coordinator
from topicrawl.shards.shard import Shard
from topicrawl.shards.teacher import Teacher


@dataclass
class Lockstep:
    """Drives the shards of one crawl until its budget is spent; `fetch` returns outcomes with term counts."""

    crawls: dict[str, Crawl]
    coordinator: Coordinator
    fetch: Callable[[str], Outcome]
    teacher: Teacher | None = None
    log: Callable[[str, Event], None] = lambda shard, event: None
    """Called with each event of a shard."""
    shards: dict[str, Shard] = field(init=False)

    def __post_init__(self) -> None:
        self.shards = {name: Shard(crawl) for name, crawl in self.crawls.items()}

    def run(self) -> Iterator[tuple[str, Visit]]:
        """Every visit, after the shard that made it."""
        while True:
            grants = self.coordinator.turn({name: shard.offer() for name, shard in self.shards.items()})
            if self.coordinator.reason is not None:
                return
            for name, shard in self.shards.items():
                shard.granted = grants[name]
                yield from ((name, visit) for visit in self._ask(name, shard))
            for name, shard in self.shards.items():
                yield from ((name, visit) for visit in self._take_letters(name, shard))
            self._teach()

    def _ask(self, name: str, shard: Shard) -> Iterator[Visit]:
        while shard.may_ask() and (ask := shard.crawl.ask()) is not None:
            self.log(name, ask)
            yield self._tell(name, shard, ask, self.fetch(ask.url))

    def _tell(self, name: str, shard: Shard, ask: Ask, outcome: Outcome) -> Visit:
        visit = shard.crawl.tell(ask, outcome)
        self.log(name, Told(ask, outcome, visit))
        return visit

    def _take_letters(self, name: str, shard: Shard) -> Iterator[Visit]:
        """Take all letters to a shard, and tell it the pages that were handed over."""
        assert shard.crawl.post is not None
        for sender, other in self.crawls.items():
            assert other.post is not None
            known = shard.crawl.post.taken.get(sender, 0)
            received = shard.take(sender, known + 1, other.post.letters(name, known))
            if received is not None:
                self.log(name, received)
                for ask, outcome in shard.crawl.receive(received):
                    yield self._tell(name, shard, ask, outcome)
            other.post.forget(name, shard.crawl.post.taken.get(sender, 0))

    def _teach(self) -> None:
        if self.teacher is None:
            return
        for name, shard in self.shards.items():
            lessons, _ = shard.lessons(self.teacher.known(name))
            if lessons:
                self.teacher.learn(name, lessons)
        if (data := self.teacher.model()) is not None:
            learned = Learned("strategy", data)
            for name, crawl in self.crawls.items():
                self.log(name, learned)
                crawl.take_model(learned)
