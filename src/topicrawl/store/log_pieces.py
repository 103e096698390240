"""A run directory piece by piece: what was committed since the last piece, and a run made of all of them.

A piece has the rows of the log from one event to another, and says which bytes of the archive belong to them: those of
a segment since the last piece, which are whole WARC records. Pieces are read beside a crawl that is writing. A run made
of its pieces has the same name, log and archive, up to the last event of the last piece.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import zstandard

from topicrawl.errors import ReplayError
from topicrawl.model import Visit
from topicrawl.store.archive import segment_name
from topicrawl.store.disk import database_errors, disk_errors, sync_folder
from topicrawl.store.log import COLUMNS
from topicrawl.store.run import ARCHIVE, CONFIG, DATABASE
from topicrawl.store.schema import connect_to_read, open_to_write

EVENTS = 2000
"""Events of a piece, at most."""
LEVEL = 1
ENDS = """
SELECT segment, max("offset" + length) FROM visits WHERE segment IS NOT NULL AND seq <= ? GROUP BY segment
"""


class Span(msgspec.Struct, frozen=True, array_like=True):
    """Bytes of a segment of the archive."""

    segment: int
    offset: int
    length: int


class Totals(NamedTuple):
    """Counts of visits."""

    pages: int = 0
    relevant: int = 0
    """Pages that counted as relevant when they were visited."""
    failed: int = 0
    bytes: int = 0


class LogPiece(msgspec.Struct, frozen=True):
    """The events `first` to `last` of a run."""

    run: str
    """The name of the run."""
    warc: bool
    segment_bytes: int
    begun_with: str
    """The configuration that the run was begun with."""
    config_toml: str
    first: int
    last: int
    rows: dict[str, list[list[Any]]]
    """By table."""
    spans: list[Span]
    """The archived bytes of these events."""

    def pack(self) -> bytes:
        """As bytes."""
        return zstandard.ZstdCompressor(LEVEL).compress(msgspec.msgpack.encode(self))

    def totals(self, before: Totals, threshold: float) -> Totals:
        """The counts of all visits up to this piece, where `before` are those of the pieces before it."""
        fetched, relevance, bytes_ = (
            [row[Visit.__struct_fields__.index(name)] for row in self.rows["visits"]]
            for name in ("fetched", "relevance", "bytes")
        )
        return Totals(
            before.pages + sum(map(bool, fetched)),
            before.relevant + sum(a and b > threshold for a, b in zip(fetched, relevance, strict=True)),
            before.failed + sum(not each for each in fetched),
            before.bytes + sum(bytes_),
        )

    @classmethod
    def unpack(cls, packed: bytes) -> LogPiece:
        """The piece that was packed; `ReplayError` if it is damaged."""
        try:
            return msgspec.msgpack.decode(zstandard.ZstdDecompressor().decompress(packed), type=cls)
        except (zstandard.ZstdError, msgspec.DecodeError) as error:
            raise ReplayError(f"a piece of a log is damaged: {error}") from error


def next_piece(path: Path, after: int, most: int = EVENTS) -> LogPiece | None:
    """The events after number `after` that are committed, `most` of them at most; None if there are none."""
    database = path / DATABASE
    with database_errors(database), closing(connect_to_read(database)) as connection:
        connection.execute("BEGIN")  # all of one commit
        [last] = connection.execute("SELECT coalesce(max(seq), 0) FROM log").fetchone()
        if last <= after:
            return None
        last = min(last, after + most)
        run, warc, segment_bytes, begun_with = connection.execute(
            "SELECT id, warc, segment_bytes, config FROM run"
        ).fetchone()
        return LogPiece(
            run,
            bool(warc),
            segment_bytes,
            begun_with,
            (path / CONFIG).read_text(encoding="utf-8"),
            after + 1,
            last,
            _rows(connection, after, last),
            _spans(connection, after, last),
        )


def _rows(connection: sqlite3.Connection, after: int, last: int) -> dict[str, list[list[Any]]]:
    # our own tables and columns
    of_visits = f"SELECT {COLUMNS['visits']} FROM visits WHERE seq > ? AND seq <= ?"  # noqa: S608
    of_captures = (
        f"SELECT {COLUMNS['captures']} FROM captures WHERE n IN "  # noqa: S608
        "(SELECT n FROM visits WHERE seq > ? AND seq <= ?) ORDER BY n, row"
    )
    of_log = f"SELECT {COLUMNS['log']} FROM log WHERE seq > ? AND seq <= ? ORDER BY seq"  # noqa: S608
    statements = {"log": of_log, "visits": of_visits, "captures": of_captures}
    return {
        table: [list(row) for row in connection.execute(statement, (after, last))]
        for table, statement in statements.items()
    }


def _spans(connection: sqlite3.Connection, after: int, last: int) -> list[Span]:
    """The bytes of each segment between two events; the records that begin a segment belong to its first visit."""
    before, now = (dict[int, int](connection.execute(ENDS, (seq,)).fetchall()) for seq in (after, last))
    return [
        Span(segment, before.get(segment, 0), end - before.get(segment, 0))
        for segment, end in sorted(now.items())
        if end > before.get(segment, 0)
    ]


def read_span(path: Path, span: Span) -> bytes:
    """The bytes of the archive of a run."""
    with disk_errors(path / ARCHIVE), (path / ARCHIVE / segment_name(span.segment)).open("rb") as file:
        file.seek(span.offset)
        content = file.read(span.length)
    if len(content) != span.length:
        raise ReplayError(f"the archive of {path} ends before its log says so; see: topicrawl doctor {path}")
    return content


def make_run(path: Path, pieces: Iterable[LogPiece], archived: Callable[[LogPiece, Span], bytes]) -> None:
    """Make a run of its pieces in the absent folder `path`, where it appears when it is whole.

    `archived` reads the bytes of the archive. `ReplayError` if a piece is missing or of another run.
    """
    part = path.with_name(path.name + ".part")
    with disk_errors(part), ExitStack() as opened:
        _empty(part)
        last: LogPiece | None = None
        for piece in pieces:
            if last is None:
                connection = opened.enter_context(closing(_new_log(part, piece)))
            _follow(last, piece)
            last = piece
            _add(connection, piece)
            for span in piece.spans:
                _put(part, span, archived(piece, span))
        if last is None:
            raise ReplayError(f"{path.name} has no pieces")
        connection.execute("UPDATE run SET config = ?", (last.begun_with,))
        opened.close()
        (part / CONFIG).write_text(last.config_toml, encoding="utf-8")
        sync_folder(part)
        part.rename(path)
        sync_folder(path.parent)


def _follow(before: LogPiece | None, piece: LogPiece) -> None:
    expected = before.last + 1 if before else 1
    if piece.first != expected or (before and before.run != piece.run):
        raise ReplayError(
            f"the piece of events {expected} and on is missing; there is one from {piece.first}"
        )


def _empty(folder: Path) -> None:
    """Remove what an interrupted call has left."""
    if folder.exists():
        for file in sorted(folder.rglob("*"), reverse=True):
            file.rmdir() if file.is_dir() else file.unlink()
    folder.mkdir(parents=True, exist_ok=True)


def _new_log(folder: Path, piece: LogPiece) -> sqlite3.Connection:
    """The log of the run that a piece is of, without events."""
    connection = open_to_write(folder / DATABASE, warc=piece.warc, segment_bytes=piece.segment_bytes)
    connection.execute("UPDATE run SET id = ?", (piece.run,))
    return connection


def _add(connection: sqlite3.Connection, piece: LogPiece) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for table, rows in piece.rows.items():
        places = ",".join("?" * len(COLUMNS[table].split(",")))
        connection.executemany(f"INSERT INTO {table} ({COLUMNS[table]}) VALUES ({places})", rows)  # noqa: S608
    connection.execute("COMMIT")


def _put(folder: Path, span: Span, content: bytes) -> None:
    if len(content) != span.length:
        raise ReplayError(f"the archived bytes of segment {span.segment} from {span.offset} are incomplete")
    path = folder / ARCHIVE / segment_name(span.segment)
    path.parent.mkdir(exist_ok=True)
    with path.open("r+b" if path.exists() else "wb") as file:
        file.seek(span.offset)
        file.write(content)
