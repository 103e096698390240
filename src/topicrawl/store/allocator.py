"""Room for what grows with the links of a crawl: files of its run directory that have no name, mapped into memory.

What a crawl knows of a link is kept while it lasts, and a long one knows millions. In such files it may be taken from
memory at any time, by the operating system when others need it and by ourselves now and then, and comes back when it
is looked at. The files vanish with the process, however that ends.

Room is written once before it is used: a full disk is an error where room is asked for, not a signal that kills.
"""

from __future__ import annotations

import mmap
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from typing import BinaryIO
from weakref import WeakSet

import numpy as np
import numpy.typing as npt

from topicrawl.frontier.columns import Array
from topicrawl.store.disk import disk_errors, write_all
from topicrawl.store.failpoints import reach

GIVE_BACK_SECONDS = 0.2
PIECE = 1 << 16
"""Bytes written at a time. What was written together comes back to memory together, though a single number is read."""


class MappedFiles:
    """An `Allocator` (frontier/columns.py) on the disk of `folder`; a file each time it is asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._maps: WeakSet[mmap.mmap] = WeakSet()
        self._lock = Lock()
        self._given_back = time.monotonic()

    def __call__(self, kinds: Sequence[npt.DTypeLike], rows: int) -> list[Array]:
        starts, size = list[int](), 0
        for kind in kinds:
            starts.append(size)
            size += -(-rows * np.dtype(kind).itemsize // mmap.PAGESIZE) * mmap.PAGESIZE
        mapped = self._map(size)
        return [np.frombuffer(mapped, kind, rows, start) for kind, start in zip(kinds, starts, strict=True)]

    def release_memory(self, *, busy: bool = False) -> None:
        """Take everything from this process's memory; who is busy does so five times a second. Any thread may call it.

        To have a megabyte back costs a tenth of a millisecond, which matters only where no host is waited for, and
        not to those who go through long columns: they need another part next.
        """
        now = time.monotonic()
        if not hasattr(mmap, "MADV_DONTNEED") or (busy and now - self._given_back < GIVE_BACK_SECONDS):
            return
        self._given_back = now
        with self._lock:
            maps = list(self._maps)
        for mapped in maps:
            mapped.madvise(mmap.MADV_DONTNEED)  # a shared mapping: what was written stays in the file

    def _map(self, size: int) -> mmap.mmap:
        with disk_errors(self.folder), TemporaryFile(dir=self.folder, buffering=0) as file:
            reach("room")
            _fill(file, size)
            mapped = mmap.mmap(file.fileno(), size)
        with self._lock:
            self._maps.add(mapped)
        return mapped


def _fill(file: BinaryIO, size: int) -> None:
    """Write zeros. Reserving the place would be as safe, but then every first touch costs three times as much."""
    for start in range(0, size, PIECE):
        write_all(file.fileno(), bytes(min(PIECE, size - start)))
