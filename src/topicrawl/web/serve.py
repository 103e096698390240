"""Serves a recorded or invented web over HTTP, all its hosts on one port: the Host header tells them apart.

A crawl reaches it by `--resolve '*=127.0.0.1:PORT' --allow-net 127.0.0.0/8`, a browser by using it as its proxy.
Only http: pages recorded under https are not served. Answers are made once and kept in memory, so that
measurements measure the crawler and not the server.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol, TextIO

from aiohttp import web as http
from multidict import CIMultiDict

from topicrawl.errors import WebError
from topicrawl.model import Response
from topicrawl.urls import canonical
from topicrawl.web.open import open_offline

SLOW = 2.0
"""Seconds that a slow page takes to begin."""
READY_BYTES = 256 << 20
"""Most bytes of bodies kept in memory; further answers are made for each request."""
OURS = frozenset({"connection", "content-encoding", "content-length", "keep-alive", "transfer-encoding"})
"""Headers that the server sets itself: bodies are sent decoded and complete."""
UNSENDABLE = re.compile(r"[\0\r\n]")


class Servable(Protocol):
    """A web that can be served."""

    @property
    def name(self) -> str:
        """The value of `--web` for this web."""

    def exchange(self, url: str) -> Response:
        """The single answer for `url`, redirects not followed."""

    def behaviour(self, url: str) -> str:
        """How to misbehave at `url`: "slow", "cut" (the body ends early) or not at all."""


@dataclass(frozen=True, slots=True)
class Access:
    """One request as the server saw it; `at` is seconds of a monotonic clock."""

    at: float
    method: str
    url: str
    status: int
    agent: str


Seen = Callable[[Access], None]


@dataclass(frozen=True, slots=True)
class Ready:
    """An answer ready to be sent."""

    status: int
    reason: str
    headers: CIMultiDict[str]
    body: bytes
    behaviour: str = ""


class Server:
    """Answers requests from `web`. `seen` is called with each before it is answered; slow pages take `slow` seconds."""

    def __init__(self, web: Servable, *, slow: float = SLOW, seen: Seen | None = None) -> None:
        self.web = web
        self.slow = slow
        self.seen = seen
        self._ready: dict[str, Ready] = {}
        self._room = READY_BYTES

    async def answer(self, request: http.BaseRequest) -> http.StreamResponse:
        """The answer of the web for `http://HOST/PATH`, with its misbehaviour."""
        path = request.raw_path
        url = path if path.startswith("http://") else f"http://{request.host}{path}"
        ready = self._ready.get(url) or self._make(url)
        if self.seen:
            agent = request.headers.get("User-Agent", "")
            self.seen(Access(time.monotonic(), request.method, url, ready.status, agent))
        if request.method not in ("GET", "HEAD"):
            return http.Response(status=405, headers={"Allow": "GET, HEAD"})
        if ready.behaviour == "slow":
            await asyncio.sleep(self.slow)
        elif ready.behaviour == "cut":
            return await _cut(request, ready)
        return http.Response(body=ready.body, status=ready.status, reason=ready.reason, headers=ready.headers)

    def _make(self, url: str) -> Ready:
        at = canonical(url)
        if at is None:
            return _refusal(400, "Bad Request", f"{url} is no URL\n")
        answer = self.web.exchange(at)
        if answer.status == 404 and not answer.content:
            return _refusal(404, "Not Found", f"{self.web.name} has no page {at}\n")
        ready = Ready(answer.status, answer.reason, _headers(answer), answer.content, self.web.behaviour(at))
        if len(ready.body) <= self._room:
            self._room -= len(ready.body)
            self._ready[url] = ready
        return ready


def _headers(answer: Response) -> CIMultiDict[str]:
    return CIMultiDict(
        (name, value)
        for name, value in answer.headers
        if name.lower() not in OURS and not UNSENDABLE.search(name + value)
    )


def _refusal(status: int, reason: str, text: str) -> Ready:
    return Ready(status, reason, CIMultiDict({"Content-Type": "text/plain; charset=utf-8"}), text.encode())


async def _cut(request: http.BaseRequest, ready: Ready) -> http.StreamResponse:
    """Announce the whole body, send half of it and close the connection."""
    response = http.StreamResponse(status=ready.status, reason=ready.reason, headers=ready.headers)
    response.content_length = len(ready.body)
    with suppress(ConnectionError):  # the crawler may have closed the connection first
        await response.prepare(request)
        await response.write(ready.body[: len(ready.body) // 2])
    if request.transport:
        request.transport.close()
    return response


@asynccontextmanager
async def serving(
    web: Servable,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    slow: float = SLOW,
    seen: Seen | None = None,
) -> AsyncIterator[int]:
    """Serve `web` inside the block; yields the port, a free one if `port` is 0."""
    server = http.Server(Server(web, slow=slow, seen=seen).answer, access_log=None)
    runner = http.ServerRunner(server, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await _listen(runner, host, port)
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


async def _listen(runner: http.ServerRunner, host: str, port: int) -> None:
    try:
        await http.TCPSite(runner, host, port, backlog=1024).start()
    except OSError as fault:
        why = os.strerror(fault.errno) if fault.errno and fault.errno > 0 else fault.strerror
        raise WebError(f"port {port} of {host}: {why}; give another port, or 0 for a free one") from None


def run_server(
    spec: str,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    slow: float = SLOW,
    log: Path | None = None,
    ready: Callable[[str, int], None] = lambda host, port: None,
) -> None:
    """Serve the web called `spec` until SIGINT or SIGTERM; `ready` is called with host and port once it answers.

    With `log` each request becomes a line of JSON in that file, written before the answer is sent.
    """
    if spec == "http":
        raise WebError("web 'http': the real web serves itself; give invented:7 or the path of a WARC")
    web = open_offline(spec)
    with ExitStack() as stack:
        seen = (
            _line_writer(stack.enter_context(log.open("a", buffering=1, encoding="utf-8"))) if log else None
        )

        async def main() -> None:
            async with serving(web, host=host, port=port, slow=slow, seen=seen) as bound:
                stopped = _stop_signal()
                ready(host, bound)
                await stopped.wait()

        with suppress(KeyboardInterrupt):
            asyncio.run(main())


def _line_writer(lines: TextIO) -> Seen:
    def write(access: Access) -> None:
        lines.write(json.dumps(asdict(access)) + "\n")

    return write


def _stop_signal() -> asyncio.Event:
    """Set by SIGINT or SIGTERM. On Windows it never is: there Ctrl-C raises KeyboardInterrupt."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    with suppress(NotImplementedError):
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stopped.set)
    return stopped
