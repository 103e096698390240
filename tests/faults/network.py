"""The command line with a faulty clock or resolver: `python network.py KIND crawl …`."""

from __future__ import annotations

import socket
import sys
import time
from typing import Any

REAL_TIME = time.time
REAL_LOOKUP = socket.getaddrinfo
BEGAN = time.monotonic()


def jumping() -> float:
    """A clock that is set back an hour and forward a day, for a second each."""
    return REAL_TIME() + {1: -3600.0, 2: 86_400.0}.get(int(time.monotonic() - BEGAN) % 3, 0.0)


def faulty_lookup(name: Any, *rest: Any, **named: Any) -> Any:
    """A resolver that fails as the first label of the name says; other names resolve to loopback."""
    fault = str(name).partition(".")[0]
    if fault == "unknown":
        raise socket.gaierror(socket.EAI_NONAME, "no such name")
    if fault == "hangs":
        time.sleep(60)
    if fault == "later" and time.monotonic() - BEGAN < 6:
        raise socket.gaierror(socket.EAI_AGAIN, "try again")
    if fault == "many":
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 0))] * 10_000
    if str(name).endswith(".test"):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 0))]
    return REAL_LOOKUP(name, *rest, **named)


if __name__ == "__main__":
    if sys.argv.pop(1) == "clock":
        time.time = jumping
    else:
        socket.getaddrinfo = faulty_lookup
    from topicrawl.cli import main

    main()
