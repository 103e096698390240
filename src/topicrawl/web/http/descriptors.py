"""The limit of open sockets: a crawl stays below it, so that few descriptors make it slower and do not end it."""

from __future__ import annotations

import contextlib

RESERVED = 54
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
