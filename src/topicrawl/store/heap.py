"""Returns freed heap memory, which the C library keeps, to the operating system.

The C library returns only free memory at the end of a heap, not holes between blocks in use. After a burst of answers,
or after the machine was suspended, megabytes would stay resident. glibc has `malloc_trim` for this; elsewhere nothing
is done.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import time

TRIM_SECONDS = 1.0
"""Seconds between two trims: a trim takes 0.5 ms, and so does getting the memory again."""
_ARENA_MAX = -8
"""M_ARENA_MAX of mallopt."""
_library = ctypes.CDLL(None) if sys.platform == "linux" else None
_trim = getattr(_library, "malloc_trim", None)


def share_heap() -> None:
    """Make threads started from now on share one heap (arena): memory that one frees the others can use.

    malloc_trim does not shrink the arenas of other threads. Python runs one thread at a time, so the threads seldom
    contend for the heap.
    """
    if _library is not None and _trim is not None:
        _library.mallopt(_ARENA_MAX, 1)


def release_ended() -> None:
    """Collect what a crawl that has ended leaves in cycles, and return its memory.

    A process that crawls looks for cycles rarely, so that several ended crawls would be held at once.
    """
    gc.collect()
    if _trim is not None:
        _trim(0)


class Heap:
    """Trims the heap at most once every `TRIM_SECONDS`. Thread-safe."""

    def __init__(self) -> None:
        self._trimmed = -TRIM_SECONDS

    def release_memory(self) -> None:
        """Return free memory to the system, at most once a second."""
        now = time.monotonic()
        if _trim is not None and now - self._trimmed >= TRIM_SECONDS:
            self._trimmed = now
            _trim(0)
