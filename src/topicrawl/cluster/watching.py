"""What is shown of a crawl while it is followed: the progress line, and the figures for Prometheus."""

from __future__ import annotations

import time

from topicrawl.cluster.control import Status, status
from topicrawl.cluster.crawls import ENDED
from topicrawl.cluster.database import Database
from topicrawl.cluster.leases import Counts
from topicrawl.crawling.core import Tally
from topicrawl.crawling.speed import Speed
from topicrawl.report.exposition import Figures, exposition_of_shards


class Watching:
    """Reads one crawl again and again."""

    def __init__(self, crawl: str) -> None:
        self._crawl = crawl
        self._speeds: dict[int, Speed] = {}

    def read(self, database: Database) -> Status:
        """What the crawl does now; `AwayError` if PostgreSQL is away."""
        with database.connection() as connection:
            return status(connection, self._crawl)

    def has_ended(self, now: Status) -> bool:
        """Whether nothing more is to come."""
        return now.state == ENDED

    def tally(self, now: Status) -> Tally:
        """The counts of all shards together."""
        total = now.total
        return Tally(total.pages + total.failed, total.pages, total.relevant, total.failed, bytes=total.bytes)

    def more(self, now: Status) -> str:
        """What the progress line says besides."""
        return f"{now.alive}/{now.shards} shards · {now.letters:,} letters waiting"

    def exposition(self, now: Status) -> str:
        """The figures of each shard, and those of the whole crawl."""
        each = {f"{row.number:03}": self._figures(row.number, row.counts) for row in now.each}
        return exposition_of_shards(each, now.alive, now.letters, {"crawl": self._crawl})

    def _figures(self, number: int, counts: Counts) -> Figures:
        speed = self._speeds.setdefault(number, Speed())
        return Figures(
            pages=counts.pages,
            relevant=counts.relevant,
            failed=counts.failed,
            bytes=counts.bytes,
            waiting=counts.waiting,
            in_flight=counts.in_flight,
            pages_per_second=speed.at(time.monotonic(), counts.pages),
        )
