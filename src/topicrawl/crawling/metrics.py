"""The endpoint that Prometheus asks for the figures of a running crawl: GET /metrics (`crawl --metrics ADDRESS`)."""

from __future__ import annotations

import asyncio
import socket
import time
from contextlib import suppress

from aiohttp import web

from topicrawl.crawling.core import Crawl
from topicrawl.crawling.live import Live
from topicrawl.crawling.speed import Speed
from topicrawl.errors import ConfigError
from topicrawl.report.exposition import CONTENT_TYPE, Figures, exposition

LOOPBACK = "127.0.0.1"
SECONDS = 1.0
"""Time between two readings of the crawl."""
PATH = "/metrics"


def listen(address: str) -> socket.socket:
    """A socket bound to `address`, PORT or HOST:PORT (an IPv6 address in brackets); without a host, loopback.

    `ConfigError` if the address is none, is taken, or belongs to another machine.
    """
    host, port = _parts(address)
    try:
        return socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=16
        )
    except OSError as error:
        raise ConfigError(
            f"--metrics {address} cannot be listened on: {error.strerror or error}; give another address or port"
        ) from error


def _parts(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not (port.isascii() and port.isdigit() and int(port) < 65536) or (":" in host and host[0] != "["):
        raise ConfigError(f"--metrics {address!r} is no address; give a port or HOST:PORT, such as 9190")
    return host.strip("[]") or LOOPBACK, int(port)


class Metrics:
    """Answers on a bound socket with the figures of one crawl, read once a second."""

    def __init__(self, bound: socket.socket) -> None:
        self._bound = bound
        self._speed = Speed()
        self._figures: Figures | None = None

    @property
    def address(self) -> str:
        """The URL that answers."""
        host, port = self._bound.getsockname()[:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}{PATH}"

    async def serve(self, live: Live) -> None:
        """Answer until cancelled. Before the first reading the answer waits."""
        app = web.Application()
        app.router.add_get(PATH, self._answer)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        try:
            self._figures = await live.look(self._read)
            await web.SockSite(runner, self._bound).start()
            while True:
                await asyncio.sleep(SECONDS)
                self._figures = await live.look(self._read)
        finally:
            with suppress(OSError):
                await runner.cleanup()

    async def _answer(self, _: web.Request) -> web.Response:
        assert self._figures is not None
        return web.Response(
            body=exposition([({}, self._figures)]).encode(), headers={"Content-Type": CONTENT_TYPE}
        )

    def _read(self, crawl: Crawl) -> Figures:
        """The figures now; called between two events."""
        tally = crawl.tally
        return Figures(
            pages=tally.fetched,
            relevant=tally.relevant,
            failed=tally.failed,
            bytes=tally.bytes,
            waiting=crawl.waiting,
            in_flight=len(crawl.pending),
            pages_per_second=self._speed.at(time.monotonic(), tally.fetched),
        )
