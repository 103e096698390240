"""Serves the dashboard: binds, says under which address, ends on Ctrl-C or when nobody has looked for long."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import stat
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from topicrawl.dashboard.app import application
from topicrawl.dashboard.guard import Keys
from topicrawl.dashboard.rendering import environment
from topicrawl.dashboard.runs import Runs
from topicrawl.errors import ConfigError
from topicrawl.knowledge.terms import count_terms
from topicrawl.serving.bound import bind
from topicrawl.serving.names import Names, is_loopback
from topicrawl.serving.prompt import server_of

SHORTEST = 16
"""Letters of a token, at least."""
SWITCH = 0.001
"""Seconds that a thread runs before another: with Python's five milliseconds, views would wait for the index."""
LOOKS = 5.0
"""Seconds between two looks whether somebody is there."""


def serve(
    path: Path,
    *,
    address: str = "127.0.0.1",
    port: int = 0,
    token_file: Path | None = None,
    ready: Callable[[str], None],
    linger: float | None = None,
) -> None:
    """Serve the dashboard of a run or of a folder of runs until it is interrupted.

    `ready` is called with its address. With `linger` the server also ends when nobody has asked for so many seconds.
    """
    keys = Keys() if token_file is None else Keys(token=read_token(token_file))
    if token_file is None and not is_loopback(address):
        raise ConfigError(
            f"--listen {address}: other machines could reach the dashboard, read the run and steer the crawl; "
            "give a secret for it: --token-file FILE"
        )
    sys.setswitchinterval(SWITCH)
    runs = Runs(path)
    bound = bind(address, port)
    names = Names(address, bound.getsockname()[1])
    busy = _Busy(application(runs, names, keys))
    server = server_of(busy)
    logging.getLogger("uvicorn.error").addFilter(_is_news)
    shown = f"[{address}]" if ":" in address else address
    try:
        with bound:
            threading.Thread(target=_warm, daemon=True).start()
            ready(f"http://{shown}:{names.port}/?token={keys.token}")
            asyncio.run(_serve(server, bound, busy, linger))
    finally:
        runs.close()


def _is_news(record: logging.LogRecord) -> bool:
    """Whether a message is worth showing: at the end, streams of events are open, and are cut as they should be."""
    return not record.getMessage().startswith("Cancel ")


def _warm() -> None:
    """Load what the first page would wait for: templates, and the words behind passages."""
    for name in ("pages.html", "page.html", "live.html"):
        environment().get_template(name)
    count_terms("storm")


def read_token(path: Path) -> str:
    """The token in a file that only its owner can read."""
    try:
        token = path.read_text("utf-8").strip()
        mode = path.stat().st_mode
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"--token-file {path}: {error}; give a file with one line") from error
    if len(token) < SHORTEST or not token.isascii() or not token.isprintable() or " " in token:
        raise ConfigError(
            f"--token-file {path}: a token has at least {SHORTEST} letters and digits; "
            f"make one: openssl rand -hex 24 > {path}"
        )
    if os.name != "nt" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ConfigError(f"--token-file {path}: others can read it; run: chmod 600 {path}")
    return token


async def _serve(server: uvicorn.Server, bound: socket.socket, busy: _Busy, linger: float | None) -> None:
    serving = asyncio.create_task(server.serve(sockets=[bound]))
    while linger is not None and not serving.done():
        await asyncio.wait([serving], timeout=min(LOOKS, linger))
        if busy.idle() > linger:
            server.should_exit = True
            break
    await serving


class _Busy:
    """Knows since when nobody asks: an open stream of events counts as asking."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._open = 0
        self._last = time.monotonic()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._open += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._open -= 1
            self._last = time.monotonic()

    def idle(self) -> float:
        """Seconds since the last request ended; 0 while there is one."""
        return 0.0 if self._open else time.monotonic() - self._last
