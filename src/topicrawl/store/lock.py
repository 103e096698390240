"""One writing process per run: an operating-system lock on a small file that names its holder.

The system releases the lock when the process ends, however it ends, so there are no stale locks and process numbers
need not be checked. The file is never removed: otherwise two processes could lock two different files of that name.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import sys
import time
from pathlib import Path

from topicrawl.errors import BusyError
from topicrawl.store.disk import disk_errors, read_small

if sys.platform == "win32":
    import msvcrt

    LOCKED_BYTE = 1 << 20  # far behind the text, which others must be able to read

    def _try_lock(descriptor: int, *, shared: bool = False) -> None:
        os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)
else:
    import fcntl

    def _try_lock(descriptor: int, *, shared: bool = False) -> None:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


LONGEST = 1000
"""Bytes of the name of a holder that are read."""
TRIES, BETWEEN = 5, 0.02
"""Tries to lock, and seconds between two: `is_locked` holds a lock for a moment."""


def _lock(descriptor: int) -> None:
    for _ in range(TRIES - 1):
        try:
            return _try_lock(descriptor)
        except OSError:
            time.sleep(BETWEEN)
    return _try_lock(descriptor)


def is_locked(path: Path) -> bool:
    """Whether a process holds the lock with this file.

    It is tried, and released at once: shared, so that two who ask at the same time do not take each other for a holder.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # it may be a pipe
    except OSError:
        return False
    try:
        _try_lock(descriptor, shared=True)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


_held: set[int] = set()


def _release_in_child() -> None:
    """A forked child shares its parent's locks: unless released, they outlive the parent."""
    for descriptor in _held:
        os.close(descriptor)
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_release_in_child)


class Lock:
    """The right to write in one run directory, held from construction until `release`."""

    def __init__(self, path: Path) -> None:
        """Take the lock or raise `BusyError` naming the process and machine that hold it."""
        with disk_errors(path):
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _lock(descriptor)
        except OSError as error:
            holder = os.read(descriptor, LONGEST).decode(errors="replace").strip() or "another process"
            os.close(descriptor)
            raise _busy(path.parent, holder) from error
        _held.add(descriptor)
        self._descriptor: int | None = descriptor
        self._write_holder(f"process {os.getpid()} on {socket.gethostname()}\n")

    def release(self) -> None:
        """Release the lock; a second call does nothing."""
        if self._descriptor is None:
            return
        self._write_holder("")
        _held.discard(self._descriptor)
        os.close(self._descriptor)
        self._descriptor = None

    def _write_holder(self, text: str) -> None:
        """Write `text` for other processes to read; on a full disk the lock holds without it."""
        assert self._descriptor is not None
        with contextlib.suppress(OSError):
            os.ftruncate(self._descriptor, 0)
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            os.write(self._descriptor, text.encode())


def _busy(run: Path, holder: str) -> BusyError:
    return BusyError(f"{run} is being written by {holder}; stop that crawl or wait for it")


def refuse_written(run: Path) -> None:
    """`BusyError` if a process writes to the run."""
    if holder := writer_of(run):
        raise _busy(run, holder)


def writer_of(run: Path) -> str | None:
    """The process that writes to the run, by its lock file; None if it has ended.

    The lock decides, not the name in the file: that of a killed crawl stays, and its number may be in use again.
    """
    path = run / "lock"
    try:
        text = read_small(path, LONGEST).decode(errors="replace").strip()
    except OSError:
        return None
    if not is_locked(path):
        return None
    found = re.fullmatch(r"process (\d+) on (.*)", text)
    if found and found[2] == socket.gethostname() and not _alive(int(found[1])):
        return None
    return text or None


def _alive(process: int) -> bool:
    if os.name == "nt":  # signal 0 is Ctrl-C on Windows, not a test
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
