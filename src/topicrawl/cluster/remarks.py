"""What all parts of a crawl say, in one place: a table in PostgreSQL. Sentences for people, few."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import NamedTuple, cast

from topicrawl.cluster.database import Connection, Database
from topicrawl.errors import AwayError


class Remark(NamedTuple):
    """A sentence, who said it (a shard, or the coordinator), and when."""

    time: datetime
    part: str
    sentence: str


class Remarks:
    """Adds the sentences of one crawl, in a thread of its own. Those said while PostgreSQL is away are lost."""

    def __init__(self, postgres: str, crawl: str) -> None:
        self._database, self._crawl = Database(postgres), crawl
        self._thread = ThreadPoolExecutor(1)

    def add(self, part: str, sentence: str) -> None:
        """Add a sentence; returns at once."""
        self._thread.submit(self._insert, part, sentence)

    def close(self) -> None:
        """Wait until all are added."""
        self._thread.shutdown()
        self._database.close()

    def _insert(self, part: str, sentence: str) -> None:
        try:
            with self._database.connection() as connection:
                connection.execute(
                    "INSERT INTO remark (crawl, part, sentence) VALUES (%s, %s, %s)",
                    (self._crawl, part, sentence),
                )
        except AwayError:
            return


def remarks(connection: Connection, crawl: str) -> Iterator[Remark]:
    """What was said, in the order of time."""
    rows = connection.execute(
        "SELECT time, part, sentence FROM remark WHERE crawl = %s ORDER BY time, number", (crawl,)
    )
    return (Remark(*cast(tuple[datetime, str, str], row)) for row in rows)
