"""The endpoint that Prometheus asks for the figures of a running crawl: GET /metrics (`--metrics ADDRESS`)."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import cast

from topicrawl.crawling.core import Crawl
from topicrawl.crawling.live import Live
from topicrawl.crawling.speed import Speed
from topicrawl.errors import ConfigError
from topicrawl.report.exposition import CONTENT_TYPE, Figures, exposition
from topicrawl.serving.names import SLOWEST, Names, is_loopback

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
        self._talks: set[asyncio.Task[None]] = set()
        self.text = ""

    @property
    def address(self) -> str:
        """The URL that answers."""
        host, port = self._bound.getsockname()[:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}{PATH}"

    @asynccontextmanager
    async def answering(self) -> AsyncIterator[None]:
        """Answer during the body of the `async with`; the socket is closed then."""
        server = await asyncio.start_server(self._talk, sock=self._bound)
        try:
            yield
        finally:
            server.close()
            for task in self._talks:
                task.cancel()
            await asyncio.gather(*self._talks, return_exceptions=True)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request; one that does not come in time is not waited for."""
        task = cast("asyncio.Task[None]", asyncio.current_task())
        self._talks.add(task)
        try:
            async with asyncio.timeout(SLOWEST):
                writer.write(self._answer(await reader.readuntil(b"\r\n\r\n")))
                await writer.drain()
        except (
            OSError,
            EOFError,
            asyncio.LimitOverrunError,
            RuntimeError,
        ):  # late, too long, or gone (uvloop)
            pass
        finally:
            self._talks.discard(task)
            writer.close()

    def _answer(self, head: bytes) -> bytes:
        """The answer to a request; where only this machine can ask, to its own names only (DNS rebinding)."""
        first, *lines = head.decode("latin-1").split("\r\n")
        method, _, rest = first.partition(" ")
        hosts = [line.partition(":")[2].strip() for line in lines if line.lower().startswith("host:")]
        host, port = self._bound.getsockname()[:2]
        if len(hosts) != 1 or (is_loopback(host) and not Names(host, port).has(hosts[0])):
            return _said(421, "this server answers only under the address that it printed\n")
        if rest.partition(" ")[0].partition("?")[0] != PATH:
            return _said(404, f"there is only {PATH}\n")
        if method not in ("GET", "HEAD"):
            return _said(405, "GET only\n")
        return _said(200, self.text, CONTENT_TYPE, has_body=method == "GET")


def _said(status: int, text: str, kind: str = "text/plain; charset=utf-8", *, has_body: bool = True) -> bytes:
    body = text.encode()
    head = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}"
    return f"{head}\r\nConnection: close\r\n\r\n".encode() + (body if has_body else b"")


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
