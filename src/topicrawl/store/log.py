"""The log of a crawl: every choice and every visit, in one order, each commit all or nothing.

The tables are drawn in schema.py; a row of `visits` begins with the fields of `Visit`, then `seq`, then
`Timing`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import zstandard

from topicrawl.errors import ReplayError
from topicrawl.model import Ask, Event, Outcome, Timing, Told, Visit
from topicrawl.store.archive import Stretch
from topicrawl.store.disk import disk_errors
from topicrawl.store.schema import open_to_read, open_to_write

SEQ = len(Visit.__struct_fields__)
TIMING = slice(SEQ + 1, SEQ + 5)
VISITS_AFTER = "SELECT * FROM visits WHERE n > ? ORDER BY n"
AT_ONCE = 10
"""Rows inserted by one statement: each statement lets other threads in, and most would come."""


class Settings(NamedTuple):
    """What was fixed when the run was created; `id` is no other run's."""

    id: str
    warc: bool
    segment_bytes: int


class Place(NamedTuple):
    """An archived answer as an index lists it."""

    url: str
    started: float
    mime: str
    status: int
    digest: str
    length: int
    offset: int
    segment: int


class Log:
    """An open `crawl.db`. One thread at a time; any number of other processes may read meanwhile."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection
        self._compress = zstandard.ZstdCompressor(level=1, write_checksum=True).compress
        self._encode = msgspec.msgpack.Encoder().encode
        self._decompress = zstandard.ZstdDecompressor().decompress
        self._decode = msgspec.msgpack.Decoder(tuple[Ask, Outcome]).decode
        run_id, warc, segment_bytes = self._one("SELECT id, warc, segment_bytes FROM run")
        self.settings = Settings(run_id, bool(warc), segment_bytes)
        self._last_seq: int = self._one("SELECT coalesce(max(seq), 0) FROM log")[0]
        self.last_n: int = self._one("SELECT coalesce(max(n), 0) FROM visits")[0]
        self._before_latest, self._latest = 0, list[tuple[Any, ...]]()

    @classmethod
    def open(cls, path: Path, *, warc: bool, segment_bytes: int) -> Log:
        """The log at `path`, to be written; where there is none yet, a new one with these settings."""
        with disk_errors(path):
            return cls(path, open_to_write(path, warc=warc, segment_bytes=segment_bytes))

    @classmethod
    def read(cls, path: Path) -> Log:
        """The log at `path` without touching anything; where none was committed yet, it is empty."""
        with disk_errors(path):
            return cls(path, open_to_read(path))

    @property
    def config(self) -> str:
        """The configuration that the events were made with; empty before the first is written."""
        text: str = self._one("SELECT config FROM run")[0]
        return text

    @config.setter
    def config(self, text: str) -> None:
        with disk_errors(self._path):
            self._connection.execute(
                "PRAGMA secure_delete = ON"
            )  # an earlier version may have kept secrets there
            self._connection.execute("UPDATE run SET config = ?", (text,))
            self._connection.execute("PRAGMA secure_delete = OFF")

    def append(self, events: Sequence[Event], stretches: Mapping[int, Stretch]) -> None:
        """Commit `events` in their order, all or none; `stretches` says where visit n is archived."""
        with disk_errors(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                last = self._insert(events, stretches)
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        self._before_latest = self.last_n
        self._last_seq, self.last_n = last
        self._latest = list(self._rows(VISITS_AFTER, self._before_latest))

    def events(self) -> Generator[Event, None, None]:
        """The log from its beginning."""
        decode_ask = msgspec.msgpack.Decoder(Ask).decode
        rows = self._rows("SELECT packed, visits.* FROM log LEFT JOIN visits USING (n) ORDER BY log.seq")
        for packed, *row in rows:
            if row[0] is None:
                yield decode_ask(packed)
            else:
                ask, outcome = self._unpack(row[0], packed)
                yield Told(ask, outcome, _visit(row), Timing(*row[TIMING]))

    def visits(self, after: int = 0) -> Iterator[Visit]:
        """The visits with n > `after`, in order."""
        return map(_visit, self._visit_rows(after))

    def timings(self, after: int = 0) -> Iterator[tuple[int, Timing]]:
        """When the visits with n > `after` happened, in order."""
        return ((row[0], Timing(*row[TIMING])) for row in self._visit_rows(after))

    def _visit_rows(self, after: int) -> Iterator[tuple[Any, ...]]:
        """The rows of the visits with n > `after`; those of the last commit are read once for all who follow it."""
        if self._latest and after == self._before_latest:
            return iter(self._latest)
        return self._rows(VISITS_AFTER, after)

    def outcomes(self, url: str | None = None) -> Iterator[tuple[Visit, Outcome]]:
        """All visits, or those to the page at `url`, in order, and what came of them."""
        rows = self._rows(
            "SELECT packed, visits.* FROM visits JOIN log USING (seq)"
            " WHERE ?1 IS NULL OR url = ?1 ORDER BY visits.n",
            url,
        )
        return ((_visit(row), self._unpack(row[0], packed)[1]) for packed, *row in rows)

    def told(self, after: int = 0) -> Iterator[tuple[Visit, Ask, Outcome]]:
        """The visits with n > `after`, in order, each with the choice behind it and what came of it."""
        rows = self._rows(
            "SELECT packed, visits.* FROM visits JOIN log USING (seq) WHERE visits.n > ? ORDER BY visits.n",
            after,
        )
        return ((_visit(row), *self._unpack(row[0], packed)) for packed, *row in rows)

    def stretch(self, n: int) -> tuple[int, int, int] | None:
        """Segment, offset and length of all that is archived of visit n."""
        found = 'SELECT segment, "offset", length FROM visits WHERE n = ? AND segment >= 0'
        return next(iter(self._rows(found, n)), None)

    def captures(self, n: int | None = None) -> Iterator[Place]:
        """The archived answers of visit n, the last being the page itself; or those of all visits."""
        rows = self._rows(
            'SELECT c.url, started, mime, c.status, digest, c.length, c."offset", segment'
            " FROM captures c JOIN visits v ON v.n = c.n WHERE ?1 IS NULL OR c.n = ?1 ORDER BY c.n, row",
            n,
        )
        return (Place(*row) for row in rows)

    def segment_ends(self) -> dict[int, int]:
        """Where the last committed visit of each archive segment ends."""
        ends = 'SELECT segment, max("offset" + length) FROM visits WHERE segment >= 0 GROUP BY segment'
        return dict(self._rows(ends))

    def forget_archived(self, segment: int, beyond: int) -> int:
        """Take note that a segment is lost from byte `beyond` on; returns how many visits lost records."""
        with disk_errors(self._path), self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            forgotten = connection.execute(
                'UPDATE visits SET segment = NULL, "offset" = NULL, length = NULL'
                ' WHERE segment = ? AND "offset" + length > ?',
                (segment, beyond),
            )
            connection.execute("DELETE FROM captures WHERE n IN (SELECT n FROM visits WHERE segment IS NULL)")
            return forgotten.rowcount

    def close(self) -> None:
        """Close the database; a writer folds the write-ahead log into it."""
        with disk_errors(self._path):
            self._connection.close()

    def _insert(self, events: Sequence[Event], stretches: Mapping[int, Stretch]) -> tuple[int, int]:
        n = self.last_n
        log: list[tuple[object, ...]] = []
        visits: list[tuple[object, ...]] = []
        captures: list[tuple[object, ...]] = []
        for seq, event in enumerate(events, self._last_seq + 1):
            if isinstance(event, Ask):
                log.append((seq, None, self._encode(event)))
                continue
            if event.visit.n <= n:
                raise ReplayError(
                    f"visit {event.visit.n} comes after visit {n} in {self._path}: numbers must grow"
                )
            n = event.visit.n
            stretch = stretches.get(n)
            log.append((seq, n, self._compress(self._encode((event.ask, event.outcome)))))
            visits.append(_visit_row(seq, event, stretch))
            captures.extend(_capture_rows(n, stretch))
        for table, rows in (("log", log), ("visits", visits), ("captures", captures)):
            self._insert_rows(table, rows)
        return self._last_seq + len(events), n

    def _insert_rows(self, table: str, rows: list[tuple[object, ...]]) -> None:
        if not rows:
            return
        places = f"({','.join('?' * len(rows[0]))})"
        whole = len(rows) // AT_ONCE * AT_ONCE
        statement = f"INSERT INTO {table} VALUES {','.join([places] * AT_ONCE)}"  # noqa: S608 - our own tables
        for first in range(0, whole, AT_ONCE):
            values = [value for row in rows[first : first + AT_ONCE] for value in row]
            self._connection.execute(statement, values)
        self._connection.executemany(f"INSERT INTO {table} VALUES {places}", rows[whole:])  # noqa: S608

    def _unpack(self, n: int, packed: bytes) -> tuple[Ask, Outcome]:
        try:
            return self._decode(self._decompress(packed))
        except (zstandard.ZstdError, msgspec.DecodeError) as error:
            raise ReplayError(f"visit {n} in {self._path} is damaged: {error}") from error

    def _rows(self, sql: str, *values: object) -> Iterator[tuple[Any, ...]]:
        with disk_errors(self._path):
            yield from self._connection.execute(sql, values)

    def _one(self, sql: str, *values: object) -> Any:
        with disk_errors(self._path):
            return self._connection.execute(sql, values).fetchone()


def _visit(row: Sequence[Any]) -> Visit:
    n, url, asked, status, fetched, peek = row[:6]
    return Visit(n, url, asked, status, bool(fetched), bool(peek), *row[6:SEQ])


def _visit_row(seq: int, told: Told, stretch: Stretch | None) -> tuple[object, ...]:
    timing = told.timing
    moments = (timing.started, timing.waited, timing.fetched, timing.parsed)
    place = (stretch.segment, stretch.offset, stretch.length) if stretch else (None, None, None)
    return (*msgspec.structs.astuple(told.visit), seq, *moments, *place)


def _capture_rows(n: int, stretch: Stretch | None) -> Iterator[tuple[object, ...]]:
    for row, c in enumerate(stretch.captures if stretch else ()):
        yield n, row, c.url, c.status, c.mime, c.digest, c.offset, c.length
