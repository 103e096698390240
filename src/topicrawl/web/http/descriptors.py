"""How many sockets the system lets us have, so that running out of them slows a crawl and does not end it."""

from __future__ import annotations

import contextlib

RESERVED = 46
"""Descriptors for the log, the archive, the parse workers and the rest of the process."""
PLENTY = 1 << 16


def sockets() -> int:
    """Connections that may be open at once."""
    with contextlib.suppress(ImportError):  # Windows has no such limit
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY:
            return max(2, soft - RESERVED)
    return PLENTY
