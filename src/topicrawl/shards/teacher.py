"""One teacher for all shards: judge and regressions of scout, fitted to the pages of all of them.

A shard alone has few pages to learn from. Each sends what a fit needs of its pages, with words as text, because shards
number words differently; the teacher sends a model back, also by words. It keeps the latest pages of all shards
together, as many as a crawl on one machine, so that its cost does not grow with the crawl. All that it knows can be
sent again: it may be replaced at any time.
"""

from __future__ import annotations

from topicrawl.model import Topic
from topicrawl.strategies import Strategy
from topicrawl.strategies.scout import Scout


class Teacher:
    """Fits models to the lessons of all shards."""

    def __init__(self, topic: Topic, strategy: Strategy) -> None:
        self._known: dict[str, int] = {}

    @staticmethod
    def teaches(strategy: Strategy) -> bool:
        """Whether a strategy has anything to learn."""
        return isinstance(strategy, Scout)

    def known(self, shard: str) -> int:
        """The number of the last page of a shard that was learned."""
        return self._known.get(shard, 0)

    def learn(self, shard: str, lessons: bytes) -> None:
        """Learn the lessons of a shard."""

    def model(self) -> bytes | None:
        """A model to be sent to all shards, if there is a new one."""
        return None
