"""The disk and its moods: small files replaced in one step, one error for everything a disk can do to us."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from topicrawl.errors import StorageError

OUR_BUGS = (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.NotSupportedError)
"""Database errors that no disk can cause; they must not be excused as one."""


ROOM_SECONDS = 0.5
"""Between two looks at a disk that is full."""


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free


@contextlib.contextmanager
def disk_errors(place: Path) -> Iterator[None]:
    """Turn what disk or database say (full, broken, read-only) into a `StorageError` naming `place`."""
    try:
        yield
    except OUR_BUGS:
        raise
    except (OSError, sqlite3.DatabaseError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise StorageError(
            f"{place}: {reason}; what was committed is safe: make room or mend the disk, then resume the run"
        ) from error


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
