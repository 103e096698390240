"""Allocator for the columns of links: unnamed temporary files in the run directory, mapped into memory.

A long crawl knows millions of links and keeps data about each until it ends. Pages of a mapped file can be dropped from
memory at any time, by the operating system under memory pressure and by `release_memory`, and are read back on access.
The files vanish with the process, however it ends.

Each file is filled with zeros before use, so that a full disk raises an error at allocation instead of SIGBUS later.
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
"""Bytes written at a time. The system reads back at least one such piece, even for a single number."""


class MappedFiles:
    """An `Allocator` (frontier/columns.py) on the disk of `folder`; one file per call."""

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
        if not size:
            return [np.zeros(rows, kind) for kind in kinds]  # no file of no bytes can be mapped
        mapped = self._map(size)
        return [np.frombuffer(mapped, kind, rows, start) for kind, start in zip(kinds, starts, strict=True)]

    def release_memory(self, *, busy: bool = False) -> None:
        """Drop all mapped pages from this process's memory; a `busy` crawl at most five times a second. Thread-safe.

        Reading a megabyte back takes 0.1 ms. That matters only to a crawl that does not wait for hosts; a scan over
        long columns does not return to the part it has read.
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
    """Write zeros. Reserving the space (fallocate) is as safe, but makes the first access three times as slow."""
    for start in range(0, size, PIECE):
        write_all(file.fileno(), bytes(min(PIECE, size - start)))
