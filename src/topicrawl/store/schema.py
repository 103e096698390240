"""The tables of `crawl.db` and how it is opened.

    log       seq · n · packed ·   what a replay needs, an event a row (events.py); n where it is a visit
              kind · version
    visits    n · … · seq · …      the fields of `Visit`, when things happened, where its records are archived
    captures  n · row · …          one row an archived answer, redirects included: what the CDXJ index lists
    lost      n · refetched        visits whose records were lost from the archive, and when they were fetched
                                   again (in seconds since 1970; NULL: not yet)
    digests   seq · digest         digests of the log where snapshots were taken (digests.py); added with the first
    run       id · warc · …        one row about the run itself

`seq` numbers the events in one order, `n` the visits from 1. Page texts are in `log` only, so
reading all visits does not read them.

Write-ahead logging with synchronous=NORMAL: a commit is written to the operating system, so it survives kill -9.
After a power cut the last commits may be missing, but the rest is complete, in order, and can be resumed.
"""

from __future__ import annotations

import os
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import NoneType
from typing import get_args

import msgspec

from topicrawl.errors import RunError
from topicrawl.model import Visit
from topicrawl.store.disk import damaged

LEAST_BYTES = 512
"""The smallest page size of SQLite: a smaller file holds no database."""
VERSION = 3
OLDEST = 2
"""The format of topicrawl 0.1. A writer migrates it; a reader sees it through views, and leaves the file alone."""
APPLICATION_ID = 0x746F7063  # "topc": tells a crawl.db from any other SQLite file
VISIT_TYPES = tuple(
    (field.name, (get_args(field.type) or (field.type,))[0], NoneType in get_args(field.type))
    for field in msgspec.structs.fields(Visit)
)
"""The fields of `Visit`: name, type, and whether it may be None."""
LATER = ("term_relevance",)
"""Fields of `Visit` that format 2 lacks: they stand at the end of the table."""
SQL_TYPES = {int: "INTEGER", bool: "INTEGER", float: "REAL", str: "TEXT"}
TABLES = """
CREATE TABLE run (id TEXT NOT NULL, warc INTEGER NOT NULL, segment_bytes INTEGER NOT NULL, config TEXT NOT NULL);
CREATE TABLE log (seq INTEGER PRIMARY KEY, n INTEGER, packed BLOB NOT NULL);
CREATE TABLE visits (
  {visit_columns},
  seq INTEGER NOT NULL,
  started REAL NOT NULL, waited REAL NOT NULL, fetching REAL NOT NULL, parsing REAL NOT NULL,
  segment INTEGER, "offset" INTEGER, length INTEGER
);
CREATE TABLE captures (
  n INTEGER NOT NULL, row INTEGER NOT NULL, url TEXT NOT NULL, status INTEGER NOT NULL, mime TEXT NOT NULL,
  digest TEXT NOT NULL, "offset" INTEGER NOT NULL, length INTEGER NOT NULL, PRIMARY KEY (n, row)
) WITHOUT ROWID;
""".format(
    visit_columns=", ".join(
        f"{name} {SQL_TYPES[kind]}" + (" PRIMARY KEY" if name == "n" else "" if optional else " NOT NULL")
        for name, kind, optional in VISIT_TYPES
        if name not in LATER
    )
)
"""Format 2. Format 3 adds `ADDED` to it, so that a new run and a migrated one have the same tables."""
ADDED = {
    "log": ("kind TEXT NOT NULL DEFAULT ''", "version INTEGER NOT NULL DEFAULT 1"),
    "visits": ("term_relevance REAL",),
}
"""Columns of format 3, and what rows of format 2 hold there."""
OUTSIDE = "INDEX outside ON log (kind) WHERE kind NOT IN ('', 'ask', 'told')"
"""The events that are neither choices nor visits: few among millions."""
LOST = "TABLE IF NOT EXISTS lost (n INTEGER PRIMARY KEY, refetched REAL)"
"""A table that older runs lack: a writer creates it, a reader gets an empty one in memory."""


def open_to_write(path: Path, *, warc: bool, segment_bytes: int, begun: bool = False) -> sqlite3.Connection:
    """A connection for writing; if nothing was committed yet, the tables are created with these settings.

    With `begun` something was committed before (see `_refuse_emptied`).
    """
    if begun:
        _refuse_emptied(path)
    connection = _connect(str(path))
    with _checking(path, connection):
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if _is_blank(connection):
            _make_tables(connection, warc=warc, segment_bytes=segment_bytes)
        elif _format(connection) < VERSION:
            _migrate(connection)
        connection.execute(f"CREATE {LOST}")
    return connection


def open_to_read(path: Path, *, begun: bool = False) -> sqlite3.Connection:
    """A connection that changes nothing and sees one moment; an empty database if nothing was committed.

    That moment is kept until it is closed, in a transaction, whatever a crawl writes meanwhile. With `begun` something
    was committed before (see `_refuse_emptied`).
    """
    if begun:
        _refuse_emptied(path)
    if path.exists():
        connection = connect_to_read(path)
        with _checking(path, connection):
            if not _is_blank(connection):
                connection.execute("PRAGMA query_only = OFF")  # it holds for temporary tables too
                if not _has_table(connection, "lost"):
                    connection.execute(f"CREATE TEMP {LOST}")
                if _format(connection) < VERSION:
                    _view_as_migrated(connection)
                connection.execute("PRAGMA query_only = ON")
                connection.execute("BEGIN")
                return connection
        connection.close()
    connection = _connect(":memory:")
    _make_tables(connection, warc=False, segment_bytes=0)
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing, to a database that is not checked yet."""
    connection = _connect(address_to_read(path))
    connection.execute("PRAGMA query_only = ON")
    return connection


def address_to_read(path: Path) -> str:
    """The URI under which SQLite opens a database that is only read.

    A write-ahead log with something in it belongs to a crawl, running or killed: it is left as it is. Where there is
    none, a crawl may begin while we read: SQLite protects us from it only as a connection that may write. Such a one
    makes an empty write-ahead log, and removes it at the end. Where we may not write, the file is taken as immutable.
    """
    wal = _wal(path)
    if wal.exists() and wal.stat().st_size:
        mode = "mode=ro"
    elif os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        mode = "mode=rw"
    else:
        mode = "mode=ro" if wal.exists() else "immutable=1"
    return f"{path.resolve().as_uri()}?{mode}"


def _connect(database: str) -> sqlite3.Connection:
    """Any thread may use the connection, but only one at a time."""
    uri = database.startswith("file:")
    return sqlite3.connect(database, uri=uri, isolation_level=None, check_same_thread=False, timeout=30)


@contextmanager
def _checking(path: Path, connection: sqlite3.Connection) -> Iterator[None]:
    """Refuse a database of another program or version; the connection is then closed."""
    try:
        if not _is_blank(connection):
            _check_version(path, connection)
        yield
    except BaseException:
        connection.close()
        raise


def _refuse_emptied(path: Path) -> None:
    """Refuse an empty log to which something was committed: it was emptied.

    With a write-ahead log beside it, a power cut may have lost everything, the tables included. This is checked
    before SQLite opens the file, because SQLite deletes the write-ahead log of an empty database.
    """
    if not path.exists():
        return
    emptied = path.stat().st_size < LEAST_BYTES
    if not emptied and not _wal(path).exists():
        with closing(connect_to_read(path)) as connection:
            emptied = _is_blank(connection)
    if emptied:
        raise damaged(path, "it is empty")


def _wal(path: Path) -> Path:
    """The write-ahead log of a database."""
    return path.with_name(path.name + "-wal")


def _is_blank(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("SELECT count(*) = 0 FROM sqlite_schema").fetchone()[0])


def _has_table(connection: sqlite3.Connection, name: str) -> bool:
    found = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?"
    return bool(connection.execute(found, (name,)).fetchone()[0])


def _check_version(path: Path, connection: sqlite3.Connection) -> None:
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        if _has_table(connection, "captures"):
            raise damaged(path, "its header is not that of the log of a crawl")
        raise RunError(f"{path} is not the database of a crawl; choose another folder")
    version = _format(connection)
    if not OLDEST <= version <= VERSION:
        age = "a newer" if version > VERSION else "an older"
        raise RunError(
            f"{path} was written by {age} topicrawl (format {version}, this one reads {OLDEST} to {VERSION}); "
            "use that version"
        )


def _format(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def _migrate(connection: sqlite3.Connection) -> None:
    """Bring a database of format 2 to format 3, in one commit. No row is rewritten."""
    connection.execute("BEGIN IMMEDIATE")
    _add_columns(connection)
    connection.execute("COMMIT")


def _add_columns(connection: sqlite3.Connection) -> None:
    for table, columns in ADDED.items():
        for column in columns:
            connection.execute(f"ALTER TABLE {table} ADD COLUMN {column}")
    connection.execute(f"CREATE {OUTSIDE}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _view_as_migrated(connection: sqlite3.Connection) -> None:
    """Show a database of format 2 as format 3 to this connection; the file stays as it is."""
    connection.execute("CREATE TEMP VIEW log AS SELECT *, '' AS kind, 1 AS version FROM main.log")
    connection.execute("CREATE TEMP VIEW visits AS SELECT *, NULL AS term_relevance FROM main.visits")


def _make_tables(connection: sqlite3.Connection, *, warc: bool, segment_bytes: int) -> None:
    """Create the tables in an empty database, in one commit."""
    connection.execute("BEGIN IMMEDIATE")
    for statement in (*TABLES.split(";"), f"CREATE {LOST}"):
        connection.execute(statement)
    connection.execute("INSERT INTO run VALUES (?, ?, ?, '')", (str(uuid.uuid4()), warc, segment_bytes))
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    _add_columns(connection)
    connection.execute("COMMIT")
