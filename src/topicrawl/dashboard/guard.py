"""Who may ask the dashboard, and with which headers every answer goes out.

The dashboard can steer a crawl and shows pages that may be hostile, so other websites must not reach it through the
user's browser:

    Host            only the names of the address that is bound: a name of another site that resolves to this machine
                    (DNS rebinding) is refused
    token           the address printed at the start has a secret; it becomes a cookie that scripts cannot read and that
                    no other site can have sent
    Sec-Fetch-Site  requests from pages of other sites and ports are refused
    Origin, CSRF    what changes something must come from our own pages, and carry a second secret they contain
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from urllib.parse import urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from topicrawl.serving.names import Names

OURS = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of our own pages: nothing inline, nothing from elsewhere."""
ARCHIVED = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'self'"
)
"""That of archived copies: no script, no request."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-DNS-Prefetch-Control": "off",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
SAFE = ("GET", "HEAD")
LARGEST = 1_000_000
"""Bytes of a request."""


@dataclass(frozen=True)
class Keys:
    """The secrets of one server."""

    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    """In the address that is printed."""
    session: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    """In the cookie."""
    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    """In every form of our pages."""


class Guard:
    """Stands around the whole application."""

    def __init__(self, app: ASGIApp, names: Names, keys: Keys) -> None:
        self._app, self._names, self._keys = app, names, keys
        self._cookie = f"topicrawl_{names.port}"  # cookies of all ports of a machine are in one jar

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on; every answer gets our headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Content-Security-Policy", OURS)
            await send(message)

        request = Request(scope)
        refusal = self._refusal(request)
        await (refusal or self._app)(scope, receive, with_headers)

    def _refusal(self, request: Request) -> Response | None:
        """The answer to a request that is not passed on."""
        headers = request.headers
        if len(headers.getlist("host")) != 1 or not self._names.has(headers["host"]):
            return _refuse(421, "this server answers only under the address that it printed")
        if _is_foreign(request):
            return _refuse(403, "requests from other sites are refused")
        if "token" in request.query_params and request.method in SAFE:
            return self._enter(request)
        session = request.cookies.get(self._cookie, "")
        if not secrets.compare_digest(session.encode(), self._keys.session.encode()):
            return _refuse(403, "open the address with the token that `topicrawl ui` printed")
        if request.method in SAFE:
            return None
        if headers.get("origin") != f"http://{headers['host']}":
            return _refuse(403, "what changes a crawl must come from a page of this dashboard")
        if not secrets.compare_digest(headers.get("x-csrf-token", "").encode(), self._keys.csrf.encode()):
            return _refuse(403, "this page is from an earlier start of the dashboard; load it again")
        length = headers.get("content-length", "")
        if "transfer-encoding" in headers or not length.isdecimal() or len(length) > len(str(LARGEST)):
            return _refuse(413, "too large, or of unknown size")
        if int(length) > LARGEST:
            return _refuse(413, "too large")
        return None

    def _enter(self, request: Request) -> Response:
        """Take the token of the printed address for a cookie, and show the address without it."""
        if not secrets.compare_digest(request.query_params["token"].encode(), self._keys.token.encode()):
            return _refuse(403, "the token is wrong: open the address that `topicrawl ui` printed last")
        rest = [(name, value) for name, value in request.query_params.multi_items() if name != "token"]
        to = request.url.path + (f"?{urlencode(rest)}" if rest else "")
        answer = RedirectResponse("/" + to.lstrip("/\\"), 303)  # `//name` would be another host
        answer.set_cookie(self._cookie, self._keys.session, httponly=True, samesite="strict", path="/")
        return answer


def _is_foreign(request: Request) -> bool:
    """Whether a page of another site or port has the browser ask this; opening a link to us is allowed."""
    headers: Headers = request.headers
    site = headers.get("sec-fetch-site", "none")
    if site in ("same-origin", "none"):
        return False
    opens = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return not (opens and request.method == "GET")


def _refuse(status: int, why: str) -> Response:
    return PlainTextResponse(f"refused: {why}\n", status)
