"""Memory that this process has freed and the C library keeps.

The library hands back to the system what is free at the end of a heap; what lies between things in use it keeps. After
hosts that all answer at once, or a machine that wakes up, that would be megabytes for good. The GNU library can be
told to let go of it; others are left alone.
"""

from __future__ import annotations

import ctypes
import sys
import time

TRIM_SECONDS = 1.0
"""To let go takes half a millisecond, and so does to have it again."""
_ARENA_MAX = -8
"""The number that mallopt knows the setting by."""
_library = ctypes.CDLL(None) if sys.platform == "linux" else None
_trim = getattr(_library, "malloc_trim", None)


def share_heap() -> None:
    """Let threads that begin from now on share one heap: what one of them frees the others can use.

    Of the heaps of other threads `Heap` could not give back the end. Python runs one thread at a time, so they seldom
    wait for each other.
    """
    if _library is not None and _trim is not None:
        _library.mallopt(_ARENA_MAX, 1)


class Heap:
    """What is free, given back now and then; any thread may call."""

    def __init__(self) -> None:
        self._trimmed = -TRIM_SECONDS

    def release_memory(self) -> None:
        """Let go of what is free, once a second at most."""
        now = time.monotonic()
        if _trim is not None and now - self._trimmed >= TRIM_SECONDS:
            self._trimmed = now
            _trim(0)
