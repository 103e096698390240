"""Serves the tools: over standard input and output, or over HTTP to whoever has the token."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
from collections.abc import Callable
from types import FrameType

from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from topicrawl.agents.crawls import Crawls
from topicrawl.agents.limits import Limits
from topicrawl.agents.tools import server
from topicrawl.errors import ConfigError
from topicrawl.serving.bound import bind
from topicrawl.serving.ending import ENDING
from topicrawl.serving.names import Names
from topicrawl.serving.prompt import server_of

SHORTEST = 16
"""Letters of a token, at least."""
LARGEST = 1_000_000
"""Bytes of a request."""


def serve_stdio(limits: Limits) -> None:
    """Serve until the client closes standard input, or until a signal."""
    crawls = Crawls(limits)

    def end(number: int, frame: FrameType | None) -> None:
        crawls.close()
        os._exit(0)  # a thread waits for standard input and cannot be ended

    for number in (signal.SIGINT, *ENDING):
        signal.signal(number, end)
    try:
        server(limits, crawls).run("stdio")
    finally:
        crawls.close()


def serve_http(limits: Limits, address: str, port: int, token: str, ready: Callable[[str], None]) -> None:
    """Serve HTTP until a signal; `ready` is called with the address."""
    if len(token) < SHORTEST:
        raise ConfigError(
            f"--token: a token has at least {SHORTEST} letters and digits; make one: openssl rand -hex 24"
        )
    crawls = Crawls(limits)
    bound = bind(address, port)
    names = Names(address, bound.getsockname()[1])
    app = server(limits, crawls).streamable_http_app(
        max_request_body_size=LARGEST,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # Guard does it
    )
    shown = f"[{address}]" if ":" in address else address
    try:
        with bound:
            ready(f"http://{shown}:{names.port}/mcp")
            asyncio.run(server_of(Guard(app, names, token), "auto").serve(sockets=[bound]))
    finally:
        crawls.close()


class Guard:
    """Refuses requests under other names, from pages of other sites, or without the token."""

    def __init__(self, app: ASGIApp, names: Names, token: str) -> None:
        self._app, self._names, self._token = app, names, f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        refusal = self._refusal(Request(scope)) if scope["type"] == "http" else None
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, request: Request) -> PlainTextResponse | None:
        headers = request.headers
        if len(headers.getlist("host")) != 1 or not self._names.has(headers["host"]):
            return PlainTextResponse(
                "refused: this server answers only under the address that it printed\n", 421
            )
        if headers.get("origin", f"http://{headers['host']}") != f"http://{headers['host']}":
            return PlainTextResponse("refused: requests from other sites are refused\n", 403)
        if not secrets.compare_digest(headers.get("authorization", "").encode(), self._token):
            return PlainTextResponse("refused: send the header Authorization: Bearer TOKEN\n", 401)
        return None
