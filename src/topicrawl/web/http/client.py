"""aiohttp configured to resolve only through our resolver, connect only past the guard, and not decode or retry."""

from __future__ import annotations

import asyncio
import re
import ssl
from dataclasses import replace
from functools import partial
from typing import Any, cast

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection
from aiohttp.http_exceptions import HttpProcessingError
from yarl import URL

from topicrawl.credentials import is_credential
from topicrawl.errors import ConfigError
from topicrawl.web.http.cookies import PrivateCookies
from topicrawl.web.http.decoding import ACCEPTED
from topicrawl.web.http.descriptors import sockets
from topicrawl.web.http.dns import Resolver, checked_socket
from topicrawl.web.http.guard import Guard
from topicrawl.web.http.settings import HttpSettings
from topicrawl.web.http.socks import NamesAsGiven, SocksConnector, read_socks

HEADER_NAME = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII)
IDLE_SHARE = 2
"""With fewer descriptors per request in flight than this, no idle connection is kept."""
MUCH = 128 << 10
"""Bytes received after which at least a quarter must be body, not chunk headers."""
ACCEPT = "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5"


class LenientHandler(ResponseHandler):
    """Keeps the valid part of an answer whose body is malformed: a bad chunk, or more bytes than its length.

    aiohttp drops an answer if one piece of data holds the headers and the fault, so the parser gets the headers first.
    If the fault comes later, aiohttp lets the reader of the body wait for ever, so the exception is set on the body.
    A body that is mostly chunk sizes takes far more time than its bytes are worth, and is cut.
    """

    _wire = 0
    """Bytes of the body received, and bytes the parser has read of them."""

    def data_received(self, data: bytes) -> None:
        if self._payload is None or self._payload.is_eof():
            self._wire = 0
            end = data.find(b"\r\n\r\n") + 4
            if 4 <= end < len(data):
                super().data_received(data[:end])
                data = data[end:]
        if self._wire > MUCH and self._payload is not None and self._payload.total_bytes < self._wire // 4:
            self._payload.set_exception(aiohttp.ClientPayloadError("the body is mostly chunk sizes"))
            self.close()
            return
        self._wire += len(data)
        super().data_received(data)

    def set_exception(self, exc: BaseException, *cause: Any, **named: Any) -> None:
        if isinstance(exc, HttpProcessingError) and self._payload is not None and not self._payload.is_eof():
            self._payload.set_exception(aiohttp.ClientPayloadError(str(exc)))
        super().set_exception(exc, *cause, **named)


class PeerResponse(aiohttp.ClientResponse):
    """Keeps the peer's address, which aiohttp drops as soon as a short answer has been read."""

    peer = ""

    async def start(self, connection: Connection) -> aiohttp.ClientResponse:
        if connection.transport is not None:
            peer = connection.transport.get_extra_info("peername")
            self.peer = peer[0] if peer else ""
        return await super().start(connection)

    @property
    def sent(self) -> tuple[tuple[str, str], ...]:
        """The headers of the request."""
        return tuple(self.request_info.headers.items())


def open_session(
    settings: HttpSettings, resolver: Resolver, guard: Guard, tls: ssl.SSLContext | None
) -> aiohttp.ClientSession:
    """A session that resolves by `resolver`, connects past `guard`, and neither decodes nor retries."""
    connector = _connector(settings, resolver, guard, tls)
    handler = partial(LenientHandler, loop=asyncio.get_running_loop())
    connector._factory = cast("partial[ResponseHandler]", handler)
    session = aiohttp.ClientSession(
        connector=connector,
        headers=[
            ("User-Agent", settings.agent),
            ("Accept", ACCEPT),
            ("Accept-Encoding", ACCEPTED),
            *settings.headers,
        ],
        cookie_jar=PrivateCookies() if settings.cookies else aiohttp.DummyCookieJar(),
        response_class=PeerResponse,
        timeout=aiohttp.ClientTimeout(
            total=None, sock_connect=settings.connect, sock_read=settings.first_byte
        ),
        auto_decompress=False,
        proxy=None if read_socks(settings.proxy) else settings.proxy,
        max_line_size=settings.header_bytes,
        max_field_size=settings.header_bytes,
        max_headers=settings.header_lines,
    )
    session._retry_connection = False  # its own retry would not wait for politeness
    return session


def _connector(
    settings: HttpSettings, resolver: Resolver, guard: Guard, tls: ssl.SSLContext | None
) -> aiohttp.TCPConnector:
    scarce = sockets() < IDLE_SHARE * settings.concurrency
    common: dict[str, Any] = {
        "use_dns_cache": False,
        "limit": 0,
        "keepalive_timeout": aiohttp.helpers.sentinel if scarce else settings.keep_alive,
        "force_close": scarce,
        "ssl": tls or True,
    }
    if proxy := read_socks(settings.proxy):
        # a resolver of its own: the address of the proxy is trusted, that of a link to the same name is not
        own = Resolver(replace(settings, resolve={}), guard, proxy.host)
        names = NamesAsGiven() if proxy.resolves else resolver
        return SocksConnector(proxy, own, guard, resolver=names, **common)
    factory = None if settings.proxy else checked_socket(guard)
    return aiohttp.TCPConnector(resolver=resolver, socket_factory=factory, **common)


def check_headers(settings: HttpSettings) -> None:
    """Refuse headers that cannot be sent, contain line breaks, or would send a secret to every host."""
    for name, _ in settings.headers:
        if is_credential(name):
            raise ConfigError(
                f"header {name}: it would go to every host; name one: '{name}@https://example.org: …'"
            )
    secrets = [line for lines in settings.secrets.values() for line in lines]
    for name, value in (("User-Agent", settings.agent), *settings.headers, *secrets):
        if not HEADER_NAME.fullmatch(name) or not value.isprintable():
            raise ConfigError(f"header {name!r}: cannot be sent; use one line of printable text")


def tls_context(settings: HttpSettings) -> ssl.SSLContext | None:
    """The verifying context with the user's further authorities; None means aiohttp's own verifying one."""
    if settings.ca_file is None:
        return None
    context = ssl.create_default_context()
    try:
        context.load_verify_locations(settings.ca_file)
    except OSError as error:
        raise ConfigError(f"ca_file {settings.ca_file}: {error}; give a PEM file") from None
    return context


def proxy_resolves(settings: HttpSettings) -> bool:
    """Whether a proxy resolves the names of hosts: the guard then sees only hosts written as addresses."""
    socks = read_socks(settings.proxy)
    return socks.resolves if socks else settings.proxy is not None


def trusted_host(settings: HttpSettings) -> str | None:
    """The host of an HTTP proxy, which need not pass the guard; raises `ConfigError` for a proxy that is none."""
    if settings.proxy is None:
        return None
    if settings.resolve and proxy_resolves(settings):
        raise ConfigError(
            "proxy and resolve cannot be combined: with a proxy, the proxy resolves the names (but for socks5://)"
        )
    if read_socks(settings.proxy):
        return None
    try:
        proxy = URL(settings.proxy)
    except ValueError:
        proxy = URL()
    if proxy.scheme not in ("http", "https") or not proxy.raw_host:
        shown = settings.proxy.rpartition("@")[2]
        raise ConfigError(f"proxy {shown!r}: not a proxy; write it as http://host:port or socks5://host:port")
    return proxy.raw_host
