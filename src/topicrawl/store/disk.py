"""The disk and its moods: small files replaced in one step, one error for everything a disk can do to us."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from topicrawl.errors import ReplayError, StorageError, TopicrawlError

OUR_BUGS = (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.NotSupportedError)
"""Database errors that no disk can cause; they must not be excused as one."""
DISK = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_READONLY,
    }
)
"""What SQLite says of the disk or the machine. Our statements never change, so whatever else it says (malformed,
no such table, text that is no UTF-8) is said of what stands in the file: the file is damaged."""


ROOM_SECONDS = 0.5
"""Between two looks at a disk that is full."""


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free


@contextlib.contextmanager
def disk_errors(place: Path) -> Iterator[None]:
    """Turn what disk or database say (full, broken, read-only) into a `StorageError` naming `place`.

    A database that is damaged is no matter of the disk any more: that is a `ReplayError`.
    """
    try:
        yield
    except OUR_BUGS:
        raise
    except OSError as error:
        raise _failed(place, error.strerror or str(error)) from error
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        raise (_failed if code in DISK else damaged)(place, str(error)) from error


@contextlib.contextmanager
def database_errors(database: Path) -> Iterator[None]:
    """`disk_errors` for a database; one that is damaged may even speak of its damage in bytes that are no text."""
    with disk_errors(database):
        try:
            yield
        except UnicodeDecodeError as error:
            raise damaged(database, "it holds text that is not UTF-8") from error


def _failed(place: Path, reason: str) -> TopicrawlError:
    return StorageError(
        f"{place}: {reason}; what was committed is safe: make room or mend the disk, then resume the run"
    )


def damaged(database: Path, reason: str) -> TopicrawlError:
    """The error for a crawl.db that does not hold what was written to it."""
    return ReplayError(
        f"{database} is damaged: {reason}; `topicrawl doctor {database.parent} --repair` saves what can be read"
    )


def wait_for_room(
    folder: Path,
    least: int,
    hurried: Callable[[], bool],
    say: Callable[[str], None],
    free: Callable[[Path], int] = _free,
) -> None:
    """Return when the disk of `folder` has `least` bytes free, or when somebody is `hurried`.

    Waiting before the disk is full is what lets a crawl go on by itself once there is room again.
    """
    if free(folder) >= least:
        return
    say(f"{folder}: less than {least:,} bytes free; waiting for room (see --min-free)")
    while free(folder) < least and not hurried():
        time.sleep(ROOM_SECONDS)


def write_atomically(path: Path, content: bytes) -> None:
    """Put `content` at `path` so that, whatever happens, it holds either what it held or all of `content`."""
    part = part_of(path)
    with part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    sync_folder(path.parent)


def part_of(path: Path) -> Path:
    """The name under which the new content of `path` grows; one left behind by a crash means nothing."""
    return path.with_name(path.name + ".part")


def sync_folder(folder: Path) -> None:
    """Make new names in `folder` outlive a power cut (where the system lets folders be synced)."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_all(descriptor: int, content: bytes) -> None:
    """Hand all of `content` to the operating system: a plain write may stop half-way when the disk fills."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
