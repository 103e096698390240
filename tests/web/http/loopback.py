"""Loopback servers that send exactly what a test wants and record the requests."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any

import pytest

from topicrawl.errors import FetchError
from topicrawl.setup.config import Config
from topicrawl.web.http import HttpSettings, HttpWeb


@dataclass
class Asked:
    """A request as the server saw it."""

    host: str
    path: str
    headers: dict[str, str]
    began: float
    ended: float = 0.0


Handler = Callable[[asyncio.StreamWriter, Asked], Awaitable[None]]


@dataclass
class Site:
    """A server on a free port of 127.0.0.1; `pages` maps paths to whole answers or to handlers."""

    pages: dict[str, bytes | list[bytes] | Handler]
    log: list[Asked] = field(default_factory=list)
    port: int = 0
    connections: int = 0
    at_once: int = 0
    most_at_once: int = 0

    @property
    def paths(self) -> list[str]:
        return [asked.path for asked in self.log]

    def gaps(self) -> list[float]:
        """Seconds between the end of each request and the start of the next."""
        return [later.began - earlier.ended for earlier, later in zip(self.log, self.log[1:], strict=False)]

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                await self.answer(head.decode("latin-1"), writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def answer(self, head: str, writer: asyncio.StreamWriter) -> None:
        first, *lines = head.rstrip().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        asked = Asked(headers.get("host", ""), first.split(" ")[1], headers, monotonic())
        self.log.append(asked)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        page = self.pages.get(asked.path, NOT_FOUND)
        if isinstance(page, list):
            page = page.pop(0) if len(page) > 1 else page[0]
        try:
            if isinstance(page, bytes):
                writer.write(page)
                await writer.drain()
            else:
                await page(writer, asked)
        finally:
            self.at_once -= 1
            asked.ended = monotonic()


def reply(body: bytes | str = b"", status: int = 200, **headers: str) -> bytes:
    """A whole answer; header names are written with `_` for `-`."""
    body = body.encode() if isinstance(body, str) else body
    lines = {"content_type": "text/html", "content_length": str(len(body))} | headers
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 {status} Some-Reason\r\n{head}\r\n".encode() + body


NOT_FOUND = reply("nothing here", 404)


@asynccontextmanager
async def serve(
    pages: dict[str, Any], tls: ssl.SSLContext | None = None, address: str = "127.0.0.1"
) -> AsyncIterator[Site]:
    site = Site(pages)
    tasks: set[asyncio.Task[None]] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(site.talk(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(connected, address, 0, ssl=tls, limit=1 << 20)
    site.port = server.sockets[0].getsockname()[1]
    try:
        yield site
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def http_settings(**changes: Any) -> HttpSettings:
    """The defaults of a crawl, but for `changes`."""
    return replace(Config().http, **changes)


QUICK: dict[str, Any] = {
    "allow_nets": ("127.0.0.0/8",),
    "delay": 0.0,
    "retries": 0,
    "backoff": 0.01,
}


@asynccontextmanager
async def browse(site: Site | None = None, **changes: Any) -> AsyncIterator[HttpWeb]:
    """An `HttpWeb` without delays, that resolves every name of `.test` to `site`."""
    names = {"*.test": f"127.0.0.1:{site.port}"} if site else {}
    web = HttpWeb(http_settings(**{"resolve": names} | QUICK | changes))
    try:
        yield web
    finally:
        await web.close()


async def failure(web: HttpWeb, url: str, **more: Any) -> FetchError:
    """The error that fetching `url` ends in."""
    with pytest.raises(FetchError) as caught:
        await web.fetch(url, **more)
    return caught.value
