"""The endpoint that Prometheus asks for the figures of a running crawl: GET /metrics (`--metrics ADDRESS`)."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

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


class Endpoint:
    """Answers on a bound socket with `text`, which somebody keeps up to date."""

    def __init__(self, bound: socket.socket) -> None:
        self._bound = bound
        self.text = ""

    @property
    def address(self) -> str:
        """The URL that answers."""
        host, port = self._bound.getsockname()[:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}{PATH}"

    @asynccontextmanager
    async def answering(self) -> AsyncIterator[None]:
        """Answer during the body of the `async with`; the socket is closed then."""
        app = web.Application()
        app.router.add_get(PATH, self._answer)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        try:
            await web.SockSite(runner, self._bound).start()
            yield
        finally:
            with suppress(OSError):
                await runner.cleanup()

    async def _answer(self, _: web.Request) -> web.Response:
        return web.Response(body=self.text.encode(), headers={"Content-Type": CONTENT_TYPE})


class Metrics:
    """Keeps an endpoint up to date with the figures of one crawl, read once a second."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._speed = Speed()

    async def serve(self, live: Live) -> None:
        """Answer until cancelled, from the first reading on."""
        self._endpoint.text = await live.look(self._read)
        async with self._endpoint.answering():
            while True:
                await asyncio.sleep(SECONDS)
                self._endpoint.text = await live.look(self._read)

    def _read(self, crawl: Crawl) -> str:
        """The figures now; called between two events."""
        tally = crawl.tally
        figures = Figures(
            pages=tally.fetched,
            relevant=tally.relevant,
            failed=tally.failed,
            bytes=tally.bytes,
            waiting=crawl.waiting,
            in_flight=len(crawl.pending),
            pages_per_second=self._speed.at(time.monotonic(), tally.fetched),
        )
        return exposition([({}, figures)])
