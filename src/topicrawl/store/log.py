"""The log of a crawl: every choice, every visit and what came from outside, in one order, committed atomically.

schema.py documents the tables, events.py how an event is stored. A row of `visits` is read as the fields of `Visit`,
then `seq`, then `Timing`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import msgspec

from topicrawl.errors import ReplayError
from topicrawl.model import (
    Ask,
    Event,
    Instruction,
    Outcome,
    Received,
    Timing,
    Told,
    Turn,
    Turned,
    Version,
    Visit,
)
from topicrawl.store.archive import Extent
from topicrawl.store.digests import digest_at, store_digest
from topicrawl.store.disk import damaged, database_errors
from topicrawl.store.events import CODECS, DAMAGED, UNNAMED, Packing, Visited, check_known
from topicrawl.store.schema import VISIT_TYPES, open_to_read, open_to_write

SEQ = len(Visit.__struct_fields__)
TIMING = slice(SEQ + 1, SEQ + 5)
VISIT = (
    *(f"visits.{name}" for name in Visit.__struct_fields__),
    *("visits.seq", "started", "waited", "fetching", "parsing", "segment", '"offset"', "length"),
)
VISIT_ROW = ", ".join(VISIT)
"""The columns of a visit as queries read them; "offset" is a word of SQL."""
COLUMNS = {
    "log": "seq, n, kind, version, packed",
    "visits": VISIT_ROW.replace("visits.", ""),
    "captures": 'n, row, url, status, mime, digest, "offset", length',
}
"""The columns of a row as it is inserted."""
VISITS_AFTER = f"SELECT {VISIT_ROW} FROM visits WHERE n > ? ORDER BY n"  # noqa: S608 - our own columns, here and below
EVENTS_AFTER = f"""
SELECT kind, version, packed, {VISIT_ROW} FROM log LEFT JOIN visits USING (n) WHERE log.seq > ? ORDER BY log.seq
"""  # noqa: S608
TOLD_AFTER = f"""
SELECT version, packed, {VISIT_ROW} FROM visits JOIN log USING (seq) WHERE visits.n > ? ORDER BY visits.n
"""  # noqa: S608
TOLD_OF = f"""
SELECT version, packed, {VISIT_ROW} FROM visits JOIN log USING (seq) WHERE ?1 IS NULL OR url = ?1 ORDER BY visits.n
"""  # noqa: S608
MISSING = f"""
SELECT {VISIT_ROW} FROM visits JOIN lost USING (n) WHERE refetched IS NULL ORDER BY visits.n
"""  # noqa: S608
OUTSIDE = (
    "SELECT kind, version, packed FROM log WHERE kind = ? AND kind NOT IN ('', 'ask', 'told') ORDER BY seq"
)
PLACED = """
SELECT seq, coalesce((SELECT n FROM log AS l WHERE l.seq < log.seq AND n IS NOT NULL ORDER BY l.seq DESC LIMIT 1), 0),
kind, version, packed FROM log WHERE kind = ? AND kind NOT IN ('', 'ask', 'told') ORDER BY seq DESC
"""
LATEST_OUTSIDE = """
SELECT seq, kind, version, packed FROM log WHERE kind = ? AND kind NOT IN ('', 'ask', 'told') ORDER BY seq DESC
"""
FETCHED_BEFORE = f"""
SELECT {VISIT_ROW} FROM visits WHERE n < ? AND url = ? AND fetched AND (segment >= 0 OR ?) ORDER BY n DESC LIMIT 1
"""  # noqa: S608
COUNT_FETCHED = "SELECT count(*) FROM visits WHERE n > ? AND url = ? AND fetched"
COUNTED = "SELECT count(*) FROM log WHERE kind = ? AND kind NOT IN ('', 'ask', 'told')"
KINDS_OUTSIDE = "SELECT DISTINCT kind, version FROM log WHERE kind NOT IN ('', 'ask', 'told')"
NOTHING = type(None)
STORED_TYPES = (
    *(
        (int if kind is bool else kind, NOTHING) if optional else (int if kind is bool else kind,)
        for _, kind, optional in VISIT_TYPES
    ),
    *((int,), (float,), (float,), (float,), (float,), (int, NOTHING), (int, NOTHING), (int, NOTHING)),
)
"""Types of the columns of `visits`."""
FLAGS = [place for place, (_, kind, _) in enumerate(VISIT_TYPES) if kind is bool]
PLACE_TYPES = (str, float, str, int, str, int, int, int)
AT_ONCE = 10
"""Rows per INSERT: each statement releases the interpreter lock, so fewer statements mean fewer thread switches."""


class Settings(NamedTuple):
    """Settings fixed when the run was created; `id` is unique to the run."""

    id: str
    warc: bool
    segment_bytes: int


class Place(NamedTuple):
    """An archived answer as the index lists it; `started` is when it was fetched, or fetched again after a loss."""

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
        self._packing = Packing()
        self._sound_types: set[tuple[type, ...]] = set()
        run_id, warc, segment_bytes = self._one("SELECT id, warc, segment_bytes FROM run")
        self._check_types("the run", (run_id, warc, segment_bytes), (str, int, int))
        self.settings = Settings(run_id, bool(warc), segment_bytes)
        self.last_seq: int = self._one("SELECT coalesce(max(seq), 0) FROM log")[0]
        self.last_n: int = self._one("SELECT coalesce(max(n), 0) FROM visits")[0]
        self._before_latest, self._latest = 0, list[tuple[Any, ...]]()

    @classmethod
    def open(cls, path: Path, *, warc: bool, segment_bytes: int, begun: bool = False) -> Log:
        """Open the log at `path` for writing; create it with these settings if there is none.

        With `begun` something was committed before: an empty database is then a damaged one.
        """
        with database_errors(path):
            connection = open_to_write(path, warc=warc, segment_bytes=segment_bytes, begun=begun)
            return cls._over(path, connection)

    @classmethod
    def read(cls, path: Path, *, begun: bool = False) -> Log:
        """Open the log at `path` read-only; it is empty if nothing was committed yet."""
        with database_errors(path):
            return cls._over(path, open_to_read(path, begun=begun))

    @classmethod
    def _over(cls, path: Path, connection: sqlite3.Connection) -> Log:
        """The log on `connection`, which is closed if the log cannot be opened."""
        try:
            return cls(path, connection)
        except BaseException:
            connection.close()
            raise

    @property
    def config(self) -> str:
        """The configuration under which the events were written; empty before the first."""
        text: str = self._one("SELECT config FROM run")[0]
        self._check_types("the configuration", (text,), (str,))
        return text

    @config.setter
    def config(self, text: str) -> None:
        with database_errors(self._path):
            # an earlier version may have kept secrets there
            self._connection.execute("PRAGMA secure_delete = ON")
            self._connection.execute("UPDATE run SET config = ?", (text,))
            self._connection.execute("PRAGMA secure_delete = OFF")

    def append(self, events: Sequence[Event], extents: Mapping[int, Extent]) -> None:
        """Commit `events` in order, all or none; `extents` maps n to where visit n is archived."""
        with database_errors(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                last = self._insert(events, extents)
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        self._before_latest = self.last_n
        self.last_seq, self.last_n = last
        self._latest = list(self._rows(VISITS_AFTER, self._before_latest))

    def events(self, after: int = 0) -> Generator[Event, None, None]:
        """The events with a number above `after`, in order."""
        last_n = 0
        rows = self._rows(EVENTS_AFTER, after)
        for kind, version, packed, *row in rows:
            if row[0] is not None:
                last_n = row[0]
                ask, outcome, plain = self._unpack(last_n, version, packed)
                yield Told(ask, outcome, self._visit(row), Timing(*row[TIMING]), plain=plain)
                continue
            try:
                event = self._packing.unpack(kind, version, packed)
            except DAMAGED as error:
                raise damaged(self._path, f"an event after visit {last_n}: {error}") from error
            yield event

    def versions(self) -> list[Version]:
        """The `Version` events, in order; none in a run of topicrawl 0.1."""
        return [event for event in self._outside(Version) if isinstance(event, Version)]

    def check_kinds(self) -> None:
        """`RunError` if a later version of topicrawl wrote events that this one cannot repeat."""
        for kind, version in self._rows(KINDS_OUTSIDE):
            if kind.isidentifier():  # else it is damaged, which a replay reports
                check_known(kind, version)

    @property
    def began_without_version(self) -> bool:
        """Whether topicrawl 0.1 logged the first event."""
        first = next(self._rows("SELECT kind FROM log ORDER BY seq LIMIT 1"), None)
        return first == (UNNAMED,)

    def instructions(self) -> list[Instruction]:
        """The `Instruction` events, in order."""
        return [event for event in self._outside(Instruction) if isinstance(event, Instruction)]

    def received(self) -> Iterator[Received]:
        """The `Received` events, in order; those that were read together one after the other."""
        for event in self._outside(Received):
            assert isinstance(event, Received)
            yield from (event, *event.others)

    def turns(self) -> Iterator[tuple[int, Turn]]:
        """The `Turn` events, the latest first, each after its number."""
        for seq, kind, version, packed in self._rows(LATEST_OUTSIDE, CODECS[Turn].kind):
            yield seq, cast(Turn, self._unpacked(kind, version, packed))

    def turned(self) -> Iterator[tuple[int, Turned]]:
        """The `Turned` events, the latest first, each after its number."""
        for seq, kind, version, packed in self._rows(LATEST_OUTSIDE, CODECS[Turned].kind):
            yield seq, cast(Turned, self._unpacked(kind, version, packed))

    def fetched_before(self, url: str, before: int) -> Visit | None:
        """The last visit before visit `before` that fetched the page at `url`, and archived it if the run archives."""
        rows = self._rows(FETCHED_BEFORE, before, url, not self.settings.warc)
        return next(map(self._visit, rows), None)

    def count_fetched(self, url: str, after: int) -> int:
        """How many visits after visit `after` fetched the page at `url`."""
        [(count,)] = self._rows(COUNT_FETCHED, after, url)
        return int(count)

    def count_turned(self) -> int:
        """How many turns of a watch have ended: what they noticed is not read."""
        [(count,)] = self._rows(COUNTED, CODECS[Turned].kind)
        return int(count)

    def count_instructions(self) -> int:
        """How many there are: what they hold, such as marked pages, is not read."""
        [(count,)] = self._rows(COUNTED, CODECS[Instruction].kind)
        return int(count)

    def placed_instructions(self) -> Iterator[tuple[int, int, Instruction]]:
        """The `Instruction` events, the latest first, each after its number and the number of visits before it."""
        for seq, visits, kind, version, packed in self._rows(PLACED, CODECS[Instruction].kind):
            yield seq, visits, cast(Instruction, self._unpacked(kind, version, packed))

    def _outside(self, type_: type) -> Iterator[Event]:
        """The events of a kind that is neither a choice nor a visit."""
        for kind, version, packed in self._rows(OUTSIDE, CODECS[type_].kind):
            yield self._unpacked(kind, version, packed)

    def _unpacked(self, kind: str, version: int, packed: bytes) -> Event:
        """An event that is no visit."""
        try:
            return self._packing.unpack(kind, version, packed)
        except DAMAGED as error:
            raise damaged(self._path, f"an event {kind!r}: {error}") from error

    def visits(self, after: int = 0) -> Iterator[Visit]:
        """The visits with n > `after`, in order."""
        return map(self._visit, self._visit_rows(after))

    def visit_of(self, url: str) -> Visit | None:
        """The first visit that asked for `url` or ended there."""
        rows = self._rows(
            f"SELECT {VISIT_ROW} FROM visits WHERE ?1 IN (asked, url) ORDER BY visits.n LIMIT 1",  # noqa: S608
            url,
        )
        return next(map(self._visit, rows), None)

    def timings(self, after: int = 0) -> Iterator[tuple[int, Timing]]:
        """When the visits with n > `after` happened, in order."""
        return ((row[0], Timing(*row[TIMING])) for row in self._visit_rows(after) if self._visit(row))

    def _visit_rows(self, after: int) -> Iterator[tuple[Any, ...]]:
        """The rows of the visits with n > `after`; those of the last commit are read once for both line files."""
        if self._latest and after == self._before_latest:
            return iter(self._latest)
        return self._rows(VISITS_AFTER, after)

    def outcomes(self, url: str | None = None) -> Iterator[tuple[Visit, Outcome]]:
        """All visits, or those to the page at `url`, in order, with their outcomes."""
        rows = self._rows(TOLD_OF, url)
        return (
            (self._visit(row), self._unpack(row[0], version, packed).outcome)
            for version, packed, *row in rows
        )

    def told(self, after: int = 0) -> Iterator[tuple[Visit, Ask, Outcome]]:
        """The visits with n > `after`, in order, each with its `Ask` and its `Outcome`."""
        rows = self._rows(TOLD_AFTER, after)
        return (
            (self._visit(row), *self._unpack(row[0], version, packed)[:2]) for version, packed, *row in rows
        )

    def extent(self, n: int) -> tuple[int, int, int] | None:
        """Segment, offset and length of the archived records of visit n."""
        found = next(self._rows('SELECT segment, "offset", length FROM visits WHERE n = ?', n), (None,) * 3)
        if None in found:
            return None
        self._check_types("the place of", found, (int, int, int))
        segment, offset, length = found
        return segment, offset, length

    def captures(self, n: int | None = None) -> Iterator[Place]:
        """The archived answers of visit n, the last being the page itself; or those of all visits."""
        rows = self._rows(
            'SELECT c.url, coalesce(l.refetched, started), mime, c.status, digest, c.length, c."offset", segment'
            " FROM captures c JOIN visits v ON v.n = c.n LEFT JOIN lost l ON l.n = c.n"
            " WHERE ?1 IS NULL OR c.n = ?1 ORDER BY c.n, row",
            n,
        )
        return (self._place(row) for row in rows)

    def segment_ends(self) -> dict[int, int]:
        """Where the last committed visit of each archive segment ends."""
        ends: dict[int, int] = {}
        for row in self._rows(
            'SELECT segment, max("offset" + length) FROM visits WHERE segment >= 0 GROUP BY segment'
        ):
            self._check_types("segment", row, (int, int))
            ends[row[0]] = row[1]
        return ends

    def archived_beyond(self, segment: int, end: int) -> list[int]:
        """The visits whose records reach beyond byte `end` of a segment."""
        beyond = 'SELECT n FROM visits WHERE segment = ? AND "offset" + length > ? ORDER BY n'
        return [n for (n,) in self._rows(beyond, segment, end)]

    def forget_archived(self, visits: Iterable[int]) -> None:
        """Record permanently that the archive has lost the records of these visits."""
        rows = [(n,) for n in visits]
        with database_errors(self._path), self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT OR REPLACE INTO lost VALUES (?, NULL)", rows)
            connection.executemany(
                'UPDATE visits SET segment = NULL, "offset" = NULL, length = NULL WHERE n = ?', rows
            )
            connection.executemany("DELETE FROM captures WHERE n = ?", rows)

    def restore_archived(self, n: int, extent: Extent, refetched: float) -> None:
        """Record that the lost records of visit n were fetched again and are at `extent`."""
        place = (extent.segment, extent.offset, extent.length, n)
        with database_errors(self._path), self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("UPDATE lost SET refetched = ? WHERE n = ?", (refetched, n))
            connection.execute('UPDATE visits SET segment = ?, "offset" = ?, length = ? WHERE n = ?', place)
            self._insert_rows("captures", list(capture_rows(n, extent)))

    def restore_visits(self, visits: Iterable[Visit]) -> None:
        """Replace the rows of these visits, which had changed."""
        columns = ", ".join(f"{name} = ?" for name in Visit.__struct_fields__)
        rows = [(*msgspec.structs.astuple(visit), visit.n) for visit in visits]
        with database_errors(self._path), self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(f"UPDATE visits SET {columns} WHERE n = ?", rows)  # noqa: S608 - our own table

    def missing(self) -> Iterator[Visit]:
        """The visits whose records were lost from the archive and not fetched again, in order."""
        rows = self._rows(MISSING)
        return map(self._visit, rows)

    def missing_count(self) -> int:
        """How many visits `missing` lists."""
        count: int = self._one("SELECT count(*) FROM lost WHERE refetched IS NULL")[0]
        return count

    def digest(self, seq: int) -> bytes | None:
        """The digest of the events up to number `seq` (digests.py); None if the log has no such event."""
        if seq > self.last_seq:
            return None
        with database_errors(self._path):
            return digest_at(self._connection, seq)

    def mark(self) -> tuple[int, bytes]:
        """The number of the last event, and the digest up to it, which is stored."""
        with database_errors(self._path):
            digest = digest_at(self._connection, self.last_seq)
            store_digest(self._connection, self.last_seq, digest)
        return self.last_seq, digest

    def check(self) -> None:
        """Read everything; `ReplayError` if something cannot be read."""
        for (found,) in self._rows("PRAGMA quick_check(1)"):
            if found != "ok":
                raise damaged(self._path, str(found))
        for rows in (self.visits(), self.captures(), self.missing()):
            for _ in rows:
                pass
        self.segment_ends()

    def close(self) -> None:
        """Close the database; a writer checkpoints the write-ahead log."""
        with database_errors(self._path):
            self._connection.close()

    def _insert(self, events: Sequence[Event], extents: Mapping[int, Extent]) -> tuple[int, int]:
        n = self.last_n
        log: list[tuple[object, ...]] = []
        visits: list[tuple[object, ...]] = []
        captures: list[tuple[object, ...]] = []
        for seq, event in enumerate(events, self.last_seq + 1):
            if not isinstance(event, Told):
                log.append((seq, None, *self._packing.pack(event)))
                continue
            if event.visit.n <= n:
                raise ReplayError(
                    f"visit {event.visit.n} comes after visit {n} in {self._path}: numbers must grow"
                )
            n = event.visit.n
            extent = extents.get(n)
            log.append((seq, n, *self._packing.pack(event)))
            visits.append(_visit_row(seq, event, extent))
            captures.extend(capture_rows(n, extent))
        for table, rows in (("log", log), ("visits", visits), ("captures", captures)):
            self._insert_rows(table, rows)
        return self.last_seq + len(events), n

    def _insert_rows(self, table: str, rows: list[tuple[object, ...]]) -> None:
        if not rows:
            return
        places = f"({','.join('?' * len(rows[0]))})"
        whole = len(rows) // AT_ONCE * AT_ONCE
        into = f"INSERT INTO {table} ({COLUMNS[table]}) VALUES "  # noqa: S608 - our own tables
        statement = into + ",".join([places] * AT_ONCE)
        for first in range(0, whole, AT_ONCE):
            values = [value for row in rows[first : first + AT_ONCE] for value in row]
            self._connection.execute(statement, values)
        self._connection.executemany(into + places, rows[whole:])

    def _unpack(self, n: int, version: int, packed: bytes) -> Visited:
        try:
            return self._packing.unpack_visit(version, packed)
        except DAMAGED as error:
            raise damaged(self._path, f"visit {n}: {error}") from error

    def _visit(self, row: Sequence[Any]) -> Visit:
        self._check_types("visit", row, STORED_TYPES)
        fields = list(row[:SEQ])
        for place in FLAGS:
            fields[place] = bool(fields[place])
        return Visit(*fields)

    def _place(self, row: Sequence[Any]) -> Place:
        self._check_types("the archived answer of", row, PLACE_TYPES)
        return Place(*row)

    def _check_types(self, what: str, row: Sequence[Any], expected: Sequence[Any]) -> None:
        """SQLite columns accept any type, so a damaged row may hold values of the wrong one."""
        types = tuple(map(type, row))
        if types in self._sound_types:
            return
        if not all(isinstance(value, type_) for value, type_ in zip(row, expected, strict=True)):
            raise damaged(self._path, f"{what} {row[0]!r} has values of the wrong type")
        self._sound_types.add(types)

    def _rows(self, sql: str, *values: object) -> Iterator[tuple[Any, ...]]:
        with database_errors(self._path):
            for row in self._connection.execute(sql, values):  # noqa: UP028 - a cursor cannot be closed after its log
                yield row

    def _one(self, sql: str, *values: object) -> Any:
        with database_errors(self._path):
            row = self._connection.execute(sql, values).fetchone()
        if row is None:
            raise damaged(self._path, "the row about the run is gone")
        return row


def _visit_row(seq: int, told: Told, extent: Extent | None) -> tuple[object, ...]:
    timing = told.timing
    moments = (timing.started, timing.waited, timing.fetched, timing.parsed)
    place = (extent.segment, extent.offset, extent.length) if extent else (None, None, None)
    return (*msgspec.structs.astuple(told.visit), seq, *moments, *place)


def capture_rows(n: int, extent: Extent | None) -> Iterator[tuple[object, ...]]:
    """The rows of `captures` for the archived answers of visit n."""
    for row, c in enumerate(extent.captures if extent else ()):
        yield n, row, c.url, c.status, c.mime, c.digest, c.offset, c.length
