"""Recovers from a damaged log everything before the damage.

A database that was truncated or has changed bytes is read row by row up to the first unreadable row. What was read
is copied to `crawl.db.rescued`. Missing rows of visits come from visits.jsonl and timings.jsonl, and the positions of
their records from a scan of the archive. Then the log is truncated before the first entry that is missing, damaged or
contradicts those before it (verify_log.py), and replaces the damaged one. Nothing is deleted: the damaged database
becomes `crawl.db.damaged`, and what archive and line files hold beyond the new end of the log becomes
`archive.damaged/` and `….jsonl.damaged`. A resume fetches the missing pages again.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from topicrawl.model import Timing, Visit
from topicrawl.store.archive import segments
from topicrawl.store.archive_scan import find_records
from topicrawl.store.disk import disk_errors, sync_folder
from topicrawl.store.line_files import visit_line
from topicrawl.store.log import COLUMNS, STORED_TYPES, Log, capture_rows
from topicrawl.store.schema import connect_to_read, open_to_read, open_to_write

T = TypeVar("T")
UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""Errors of SQLite for a damaged file; the text of an error may be damaged too."""

HEADER = 100
"""Bytes of the header of a database (https://www.sqlite.org/fileformat.html); below, fields of it."""
WAL_VERSIONS, CHANGES, FREE_PAGES, VALID_FOR = slice(18, 20), slice(24, 28), slice(32, 40), slice(92, 96)
DAMAGED = ".damaged"
TABLES = ("log", "visits", "captures", "lost")
"""The tables that are recovered."""
TYPES = dict(zip((name.strip('" ') for name in COLUMNS["visits"].split(",")), STORED_TYPES, strict=True))
"""Types of the columns of `visits`: a row with others is damaged, and is taken from the line files."""


def rescue(path: Path, archive: Path, visits: Path, timings: Path, *, segment_bytes: int) -> Path:
    """Copy what can be read of the log at `path` to a new log beside it; returns its path.

    Missing rows are taken from the other files of the run, as far as they have them.
    """
    rescued = path.with_name(path.name + ".rescued")
    with disk_errors(rescued):
        _remove(rescued)
        with (
            closing(open_to_write(rescued, warc=archive.is_dir(), segment_bytes=segment_bytes)) as new,
            _opened(path) as old,
        ):
            new.execute("BEGIN IMMEDIATE")
            with suppress(*UNREADABLE):
                old.execute("PRAGMA writable_schema = ON")  # lets SQLite read a file that is too short
            for row in _readable(old, "SELECT id, warc, segment_bytes, config FROM run LIMIT 1"):
                if list(map(type, row)) == [str, int, int, str]:
                    new.execute("UPDATE run SET id = ?, warc = ?, segment_bytes = ?, config = ?", row)
            for table in TABLES:
                _copy(old, new, table)
            _add_visits(new, visits, timings)
            _add_places(new, archive)
            new.execute("COMMIT")
    return rescued


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The damaged database at `path`; if it is its header that is damaged, a copy with that of an empty log."""
    with closing(connect_to_read(path)) as old:
        if list(_readable(old, "PRAGMA schema_version")):
            yield old
            return
    copy = path.with_name(path.name + ".headed")
    _remove(copy)
    try:
        with closing(open_to_read(copy)) as empty:
            header = bytearray(empty.serialize()[:HEADER])
        header[WAL_VERSIONS] = b"\2\2"
        header[CHANGES], header[VALID_FOR] = bytes(4), b"\0\0\0\1"  # so that SQLite asks how long the file is
        header[FREE_PAGES] = bytes(8)
        for ending in ("", "-wal"):
            if (there := path.with_name(path.name + ending)).exists():
                shutil.copyfile(there, copy.with_name(copy.name + ending))
        with copy.open("r+b") as file:
            file.write(header)
        with closing(connect_to_read(copy)) as old:
            yield old
    finally:
        _remove(copy)


def lines_unlike(logged: Iterable[Visit], path: Path) -> dict[int, Visit]:
    """The lines of visits.jsonl at `path` that can be read and differ from the visits of the log, by number."""
    found: dict[int, Visit] = {}
    if path.exists():
        with path.open("rb") as lines:
            for visit, line in zip(logged, lines, strict=False):
                with suppress(msgspec.DecodeError):
                    if (
                        line != visit_line(visit)
                        and (read := msgspec.json.decode(line, type=Visit)).n == visit.n
                    ):
                        found[visit.n] = read
    return found


def copy_aside(path: Path) -> Path:
    """Keep a copy of a file that is to be written again; returns the path of the copy."""
    with disk_errors(path):
        return Path(shutil.copyfile(path, _aside(path)))


def trim(rescued: Path, entries: int) -> int:
    """Keep the first `entries` of a rescued log; returns how many visits are left."""
    with disk_errors(rescued), closing(sqlite3.connect(rescued, isolation_level=None)) as log:
        log.execute("BEGIN IMMEDIATE")
        log.execute("DELETE FROM log WHERE seq > ?", (entries,))
        log.execute("DELETE FROM visits WHERE n NOT IN (SELECT n FROM log WHERE n IS NOT NULL)")
        for table in ("captures", "lost"):
            log.execute(f"DELETE FROM {table} WHERE n NOT IN (SELECT n FROM visits)")  # noqa: S608 - our own tables
        left: int = log.execute("SELECT count(*) FROM visits").fetchone()[0]
        log.execute("COMMIT")
    return left


def discard(rescued: Path) -> None:
    """Delete a rescued log."""
    with disk_errors(rescued):
        _remove(rescued)


def install(rescued: Path, path: Path, archive: Path, lines: tuple[Path, ...]) -> list[Path]:
    """Replace the damaged log at `path` by the rescued one; returns what was set aside.

    What archive and line files hold beyond the rescued log is set aside before opening the run truncates it.
    """
    with closing(Log.read(rescued)) as log:
        ends = log.segment_ends()
    aside = {each: _aside(each) for each in (path, *lines) if each.exists()}
    wal = path.with_name(path.name + "-wal")
    if wal.exists():
        aside[wal] = aside[path].with_name(aside[path].name + "-wal")
    with disk_errors(path.parent):
        beyond = _archived_beyond(archive, ends, _aside(archive))
        for each, name in aside.items():
            each.replace(name)
        path.with_name(path.name + "-shm").unlink(missing_ok=True)
        rescued.replace(path)
        sync_folder(path.parent)
    return [*aside.values(), *beyond]


def _copy(old: sqlite3.Connection, new: sqlite3.Connection, table: str) -> None:
    """Copy the rows of a table; columns that an older format lacks get their defaults."""
    names = [name for _, name, *_ in _readable(old, f"PRAGMA table_info({table})")]
    known = {name for _, name, *_ in new.execute(f"PRAGMA table_info({table})")}
    if not set(names) <= known:
        return
    types = [TYPES[name] if table == "visits" else object for name in names]
    columns, marks = ", ".join(f'"{name}"' for name in names), ", ".join("?" * len(names))
    with suppress(sqlite3.IntegrityError):  # a row that no crawl wrote: the rows after it are not used
        for row in _readable(old, f"SELECT {columns} FROM {table}"):  # noqa: S608 - our own tables
            if all(map(isinstance, row, types)):
                new.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", row)  # noqa: S608


def _readable(old: sqlite3.Connection, sql: str) -> Iterator[tuple[Any, ...]]:
    """The rows up to the first that cannot be read."""
    with suppress(*UNREADABLE):
        yield from old.execute(sql)


def _add_visits(log: sqlite3.Connection, visits: Path, timings: Path) -> None:
    """Insert rows for visits that `log` has and `visits` lacks, from the line files."""
    wanted = dict(
        log.execute("SELECT n, seq FROM log WHERE n IS NOT NULL AND n NOT IN (SELECT n FROM visits)")
    )
    found, when = _lines(visits, Visit, wanted), _lines(timings, Timing, wanted)
    for n in sorted(found.keys() & when.keys()):
        moments = (when[n].started, when[n].waited, when[n].fetched, when[n].parsed)
        row = (*msgspec.structs.astuple(found[n]), wanted[n], *moments, None, None, None)
        marks = ", ".join("?" * len(row))
        log.execute(f"INSERT INTO visits ({COLUMNS['visits']}) VALUES ({marks})", row)  # noqa: S608 - our own table


def _lines(path: Path, kind: type[T], wanted: dict[int, int]) -> dict[int, T]:
    """The readable lines of a file whose visit numbers are `wanted`, by number."""
    found: dict[int, T] = {}
    if wanted and path.exists():
        for n, line in enumerate(path.read_bytes().splitlines(), 1):
            with suppress(msgspec.DecodeError):
                if n in wanted:
                    found[n] = msgspec.json.decode(line, type=kind)
    return found


def _add_places(log: sqlite3.Connection, archive: Path) -> None:
    """Set the positions of records that are unknown, by a scan of the archive; records not found are lost."""
    run, warc = log.execute("SELECT id, warc FROM run").fetchone()
    placeless = (
        "(segment IS NOT NULL AND n NOT IN (SELECT n FROM captures))"
        " OR (segment IS NULL AND status IS NOT NULL AND n NOT IN (SELECT n FROM lost))"
    )
    wanted = dict(log.execute(f"SELECT n, url FROM visits WHERE {placeless}")) if warc else {}  # noqa: S608
    if not wanted:
        return
    log.executemany("DELETE FROM captures WHERE n = ?", [(n,) for n in wanted])
    found = find_records(archive, run, wanted)
    for n, extent in found.items():
        place = (extent.segment, extent.offset, extent.length, n)
        log.execute('UPDATE visits SET segment = ?, "offset" = ?, length = ? WHERE n = ?', place)
        for row in capture_rows(n, extent):
            log.execute(f"INSERT INTO captures ({COLUMNS['captures']}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)  # noqa: S608
    gone = [(n,) for n in wanted if n not in found]
    log.executemany("INSERT OR REPLACE INTO lost VALUES (?, NULL)", gone)
    log.executemany('UPDATE visits SET segment = NULL, "offset" = NULL, length = NULL WHERE n = ?', gone)


def _archived_beyond(archive: Path, ends: dict[int, int], aside: Path) -> list[Path]:
    """Copy the records of `archive` beyond `ends` to the folder `aside`; whole files are moved."""
    for segment, path in segments(archive):
        end = ends.get(segment, 0)
        if path.stat().st_size <= end:
            continue
        aside.mkdir(exist_ok=True)
        if end:
            with path.open("rb") as source, (aside / path.name).open("wb") as target:
                source.seek(end)
                shutil.copyfileobj(source, target)
        else:
            path.replace(aside / path.name)
    return [aside] if aside.exists() else []


def _aside(path: Path) -> Path:
    """An unused file name for what is set aside."""
    first = path.with_name(path.name + DAMAGED)
    later = (first.with_name(f"{first.name}-{count}") for count in range(2, 1000))
    return next(each for each in (first, *later) if not each.exists())


def _remove(database: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        database.with_name(database.name + ending).unlink(missing_ok=True)
