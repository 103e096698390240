"""The server of the hostile web: listeners, request parsing, the log of requests."""

from __future__ import annotations

import asyncio
import json
import signal
import ssl
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, Self
from weakref import WeakSet

from topicrawl_lab.hostile import behaviours
from topicrawl_lab.hostile.authority import CLIENT, GOOD, OLD, Authority
from topicrawl_lab.hostile.exchange import Asked, Exchange, Ports, html

ROWS = behaviours.load()
VAULT = "vault"
ADDRESS, VAULT_ADDRESS = "127.0.0.1", "127.0.0.2"
HEAD_BYTES = 1 << 20


class Server:
    """All listeners in one event loop; `log` grows with every request."""

    def __init__(
        self, authority: Authority | None, seen: Callable[[Asked], None] = lambda asked: None
    ) -> None:
        self.log: list[Asked] = []
        self.ports = Ports(0, 0, 0, 0, 0)
        self._authority = authority
        self._seen = seen
        self._memory: dict[str, dict[str, Any]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: WeakSet[asyncio.StreamWriter] = WeakSet()
        self._servers: list[asyncio.Server] = []

    async def start(self, port: int = 0) -> None:
        """Listen on `port`, and on free ports for TLS and silence."""
        http = await self._listen(self._serve, ADDRESS, port)
        tls, old, client = [await self._listen_tls(kind) for kind in (GOOD, OLD, CLIENT)]
        mute = await self._listen(self._stay_silent, ADDRESS, 0)
        with suppress(OSError):  # some systems have one loopback address only
            await self._listen(self._serve_vault, VAULT_ADDRESS, http)
        self.ports = Ports(http, tls, old, client, mute)

    async def stop(self) -> None:
        """Close all listeners and connections."""
        for server in self._servers:
            server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.sleep(0.01)  # the loop closes sockets in its next iterations

    async def _listen_tls(self, kind: str) -> int:
        context = self._authority.context(kind) if self._authority else None
        return await self._listen(self._serve, ADDRESS, 0, context)

    async def _listen(self, talk: Any, address: str, port: int, tls: ssl.SSLContext | None = None) -> int:
        def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._writers.add(writer)
            task = asyncio.ensure_future(talk(reader, writer))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        server = await asyncio.start_server(connected, address, port, ssl=tls, limit=HEAD_BYTES, backlog=1024)
        self._servers.append(server)
        bound: int = server.sockets[0].getsockname()[1]
        return bound

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(
            asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError, ssl.SSLError, OSError
        ):
            while await self._answer(await reader.readuntil(b"\r\n\r\n"), reader, writer):
                pass
        writer.close()

    async def _answer(self, sent: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; returns whether the connection stays open."""
        asked = _read(sent.decode("latin-1"))
        self._note(asked)
        exchange = Exchange(asked, self.ports, writer, self._memory.setdefault(asked.row, {}))
        answering = asyncio.ensure_future(self._behave(exchange))
        closing = asyncio.ensure_future(_closed(reader))
        try:
            await asyncio.wait({answering, closing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            answering.cancel()
            closing.cancel()
            await asyncio.gather(answering, closing, return_exceptions=True)
            asked.ended = monotonic()
        failed = answering.cancelled() or answering.exception() is not None
        return not (failed or exchange.close or writer.is_closing())

    async def _behave(self, exchange: Exchange) -> None:
        row = ROWS.get(exchange.asked.row)
        if row is None and exchange.path == "/ca.pem" and self._authority:
            await exchange.answer(self._authority.pem, 200, Content_Type="application/x-pem-file")
        elif row is None:
            await _index(exchange)
        elif exchange.path == "/robots.txt" and not row.robots:
            await exchange.answer("nothing here", 404)
        else:
            await row.behave(exchange)

    async def _stay_silent(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._note(Asked(monotonic(), "mute", "", "", {}))
        with suppress(ConnectionError):
            await reader.read()
        writer.close()

    async def _serve_vault(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._note(Asked(monotonic(), VAULT, "", "", {}))
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\nsecret")
            await writer.drain()
        writer.close()

    def _note(self, asked: Asked) -> None:
        self.log.append(asked)
        self._seen(asked)


async def _closed(reader: asyncio.StreamReader) -> None:
    """Return once the peer has closed the connection; a pipelined request does not count."""
    while not reader.at_eof() and reader.exception() is None:  # noqa: ASYNC110 - asyncio has no event for it
        await asyncio.sleep(0.05)


def _read(text: str) -> Asked:
    first, *lines = text.rstrip("\r\n").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    path = first.split(" ")[1] if first.count(" ") >= 2 else ""
    host = headers.get("host", "")
    return Asked(monotonic(), row_of(host), host, path, headers)


def row_of(host: str) -> str:
    """The row of a host: the last of its labels that is the name of a row."""
    labels = host.partition(":")[0].replace("-", ".").split(".")
    return next((label for label in reversed(labels) if label in ROWS), "")


async def _index(exchange: Exchange) -> None:
    links = [f"http://{name}.test/" for name in sorted(ROWS)]
    await exchange.answer(html(links, "Every host here is hostile."))


def resolve_map(ports: Ports) -> list[str]:
    """The addresses of all host names, as values of `--resolve`."""
    secure = f"{ADDRESS}:{ports.tls}"
    return [
        f"*.test={ADDRESS}:{ports.http}",
        f"*.co.uk={ADDRESS}:{ports.http}",
        f"*.h46.test={secure}",
        f"old.h46.test={ADDRESS}:{ports.old}",
        f"client.h46.test={ADDRESS}:{ports.client}",
        f"secure.h08.test={secure}",
        f"mute.h14.test={ADDRESS}:{ports.mute}",
        f"rebind.h03.test={ADDRESS}:{ports.http}, {VAULT_ADDRESS}:{ports.http}",
        f"mixed.h03.test={ADDRESS}:{ports.http}, [::1]:{ports.http}",
        "dead.h47.test=127.0.0.1:9",
    ]


class Hostile:
    """The hostile web in a thread, within a `with` block; each instance has its own log and state."""

    def __init__(self, port: int = 0, seen: Callable[[Asked], None] = lambda asked: None) -> None:
        self.authority = Authority.make()
        self._server = Server(self.authority, seen)
        self._port = port
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="hostile", daemon=True)

    @property
    def log(self) -> list[Asked]:
        """Every request so far."""
        return self._server.log

    @property
    def ports(self) -> Ports:
        """The ports it listens on."""
        return self._server.ports

    def requests(self, row: str) -> list[Asked]:
        """The requests to the hosts of one row."""
        return [asked for asked in list(self.log) if asked.row == row]

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._server.start(self._port), self._loop).result(30)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._server.stop(), self._loop).result(30)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30)
        self._loop.close()


def run_hostile(port: int, log: Path | None, ready: Callable[[Hostile], None]) -> None:
    """Serve the hostile web until SIGINT or SIGTERM; each request is appended to `log` as a line of JSON."""
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    with ExitStack() as stack:
        lines = stack.enter_context(log.open("a", buffering=1, encoding="utf-8")) if log else None

        def seen(asked: Asked) -> None:
            if lines:
                lines.write(json.dumps(asdict(asked)) + "\n")

        ready(stack.enter_context(Hostile(port, seen)))
        stopped.wait()
