"""Atomic file replacement, waiting for free disk space, and one error type for all failures of disk or database."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from topicrawl.errors import ReplayError, StorageError, TopicrawlError

OUR_BUGS = (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.NotSupportedError)
"""Database errors that the disk cannot cause: they are bugs and are not converted."""
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
"""SQLite errors of the disk or the machine. Our statements never change, so any other error (malformed, no such
table, text that is not UTF-8) means that the file is damaged."""


CLOSED = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY)
"""SQLite errors of a file that could not be opened or written, for whatever reason."""
TRIES, BETWEEN = 50, 0.02
"""Tries to replace a file that another process of Windows reads, and seconds between two."""
ROOM_SECONDS = 0.5
"""Seconds between two checks of a full disk."""
LOOK_SECONDS = 0.1
"""The same for a disk that is not full."""


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free


@contextlib.contextmanager
def disk_errors(place: Path) -> Iterator[None]:
    """Convert errors of disk or database (full, broken, read-only) into a `StorageError` that names `place`.

    A damaged database is a `ReplayError`: resuming does not help.
    """
    try:
        yield
    except OUR_BUGS:
        raise
    except OSError as error:
        raise _failed(place, error.strerror or str(error), remedy(error.errno)) from error
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code not in DISK:
            raise damaged(place, str(error)) from error
        raise _failed(place, str(error), remedy(_refusal(place) if code in CLOSED else None)) from error


@contextlib.contextmanager
def database_errors(database: Path) -> Iterator[None]:
    """`disk_errors` for a database; the error message of a damaged one may itself not be valid UTF-8."""
    with disk_errors(database):
        try:
            yield
        except UnicodeDecodeError as error:
            raise damaged(database, "it holds text that is not UTF-8") from error


def _failed(place: Path, reason: str, cure: str) -> TopicrawlError:
    return StorageError(
        f"{place}: {reason}; what was committed is safe: {cure}, then start the command again"
    )


def remedy(number: int | None) -> str:
    """The cure for an error of the system."""
    if number in (errno.EMFILE, errno.ENFILE):
        return "allow more open files (ulimit -n 1024)"
    if number in (errno.EACCES, errno.EPERM, errno.EROFS):
        return "make it writable"
    return "free disk space or repair the disk"


def _refusal(place: Path) -> int | None:
    """Why the system opens no file, which SQLite does not tell: too many are open, or this one may not be written."""
    try:
        with (place if place.is_file() else Path(os.devnull)).open("rb"):
            pass
    except OSError as error:
        return error.errno
    may_write = os.access(place.parent, os.W_OK) and (not place.exists() or os.access(place, os.W_OK))
    return None if may_write else errno.EACCES


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
    """Return when the disk of `folder` has `least` bytes free, or when `hurried` returns true (the crawl is stopped).

    Waiting before the disk is full lets a crawl continue by itself once there is space again.
    """
    if free(folder) >= least:
        return
    say(_lacks(folder, least))
    while free(folder) < least and not hurried():
        time.sleep(ROOM_SECONDS)


class Room:
    """Whether the disk of a folder has room, for those who may not wait for it; looked at a few times a second."""

    def __init__(self, folder: Path, say: Callable[[str], None], free: Callable[[Path], int] = _free) -> None:
        self._folder, self._say, self._free = folder, say, free
        self._looked = float("-inf")
        self._has = True

    def has(self, least: int) -> bool:
        """Whether `least` bytes were free when last looked; says so when they are not any more."""
        now = time.monotonic()
        if now - self._looked >= LOOK_SECONDS:
            self._looked, had = now, self._has
            self._has = self._free(self._folder) >= least
            if had and not self._has:
                self._say(_lacks(self._folder, least))
        return self._has


def _lacks(folder: Path, least: int) -> str:
    return f"{folder}: less than {least:,} bytes free; waiting for disk space (see --min-free)"


def replace_file(path: Path, content: bytes) -> None:
    """Replace the file at `path` for its readers: they see the old content or all of `content`.

    After a power cut it may be empty; `write_atomically` is for what must not be lost.
    """
    part = part_of(path)
    part.write_bytes(content)
    put_in_place(part, path)


def write_atomically(path: Path, content: bytes) -> None:
    """Replace the file at `path`: after a crash it holds either the old content or all of `content`."""
    part = part_of(path)
    with part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    put_in_place(part, path)
    sync_folder(path.parent)


def put_in_place(part: Path, path: Path) -> None:
    """Give a complete file its name. On Windows whoever reads the file of that name prevents it for a moment."""
    for _ in range(TRIES if os.name == "nt" else 0):
        with contextlib.suppress(PermissionError):
            part.replace(path)
            return
        time.sleep(BETWEEN)
    part.replace(path)


def read_small(path: Path, most: int) -> bytes:
    """The content of a regular file of at most `most` bytes; `OSError` for anything else.

    A run may come from elsewhere: a pipe of that name would never end, and a link may lead anywhere.
    """
    never_waits = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, os.O_RDONLY | never_waits)
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_size > most:
            raise OSError(f"{path} is no file of at most {most:,} bytes")
        return file.read(most)


def part_of(path: Path) -> Path:
    """The temporary file that replaces `path` when complete; one left by a crash is ignored."""
    return path.with_name(path.name + ".part")


def sync_folder(folder: Path) -> None:
    """Make new file names in `folder` survive a power cut (where the system can sync folders)."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_all(descriptor: int, content: bytes) -> None:
    """Write all of `content`: a single write may be partial when the disk fills."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
