"""Connections through a SOCKS5 proxy (RFC 1928), with user and password (RFC 1929).

With `socks5://` we resolve names, and the guard checks the addresses that the proxy is asked to connect to. With
`socks5h://` the proxy gets the names. At most 262 bytes of an answer of the proxy are read.
"""

from __future__ import annotations

import asyncio
import socket
from ipaddress import ip_address
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import aiohappyeyeballs
import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler
from aiohttp.client_reqrep import ClientRequest, ConnectionKey

from topicrawl.errors import ConfigError, FetchError
from topicrawl.web.http.dns import Resolver
from topicrawl.web.http.guard import Guard, literal

PORT = 1080
LONGEST = 255
"""Bytes of a name, a user or a password, whose length is sent in one byte."""
VERSION, LOGIN_VERSION, CONNECT = 5, 1, 1
OPEN, LOGIN, NO_METHOD = 0, 2, 255
IPV4, NAME, IPV6 = 1, 3, 4
UNREACHED = {
    1: "general failure",
    3: "network unreachable",
    4: "host unreachable, or its name is unknown",
    5: "connection refused",
    6: "time to live expired",
}
"""Replies that may concern the host and may pass."""
REFUSED = {
    2: "its rules do not allow this host",
    7: "it does not connect to hosts (command not supported)",
    8: "it does not take this kind of address (IPv6 or names)",
}
"""Replies that stay the same when they are asked for again."""


class SocksProxy(NamedTuple):
    """Where a SOCKS5 proxy listens, and how to log in."""

    host: str
    port: int
    user: bytes
    """Empty: no login is offered."""
    password: bytes
    resolves: bool
    """Whether names are resolved by the proxy (`socks5h`)."""

    @property
    def shown(self) -> str:
        """What messages call it: without user and password."""
        return f"{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


class ProxyFaultError(aiohttp.ClientConnectionError):
    """The proxy is down, or ends the conversation: nothing is known of the host."""


class ProxyRefusalError(ProxyFaultError):
    """The proxy refuses us or this host, or speaks no SOCKS5: to ask again does not help."""


class UnreachedError(aiohttp.ClientConnectorError):
    """The proxy does not reach the host at this address."""

    def __init__(self, key: ConnectionKey, why: str) -> None:
        super().__init__(key, OSError(why))
        self._why = why

    def __str__(self) -> str:
        return self._why


def read_socks(proxy: str | None) -> SocksProxy | None:
    """The SOCKS5 proxy that a setting names; None where it names none. Errors hold no user and no password."""
    scheme = (proxy or "").partition("://")[0].lower()
    if proxy is None or not scheme.startswith("socks"):
        return None
    shown = proxy.rpartition("@")[2]
    if scheme not in ("socks5", "socks5h"):
        raise ConfigError(
            f"proxy {shown!r}: only version 5 of SOCKS is spoken; write it as socks5://host:port"
        )
    try:
        parts = urlsplit(proxy)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or port == 0 or parts.path.strip("/") or parts.query or parts.fragment:
        raise ConfigError(f"proxy {shown!r}: not a proxy; write it as socks5://host:port")
    user, password = (unquote(part or "").encode() for part in (parts.username, parts.password))
    if bool(user) != bool(password) or max(len(user), len(password)) > LONGEST:
        raise ConfigError(
            f"proxy {shown!r}: SOCKS5 takes a user and a password of 1 to {LONGEST} bytes each, or neither; write "
            "socks5://user:password@host:port, with %40 for @, %3A for : and %2F for /"
        )
    return SocksProxy(host, port or PORT, user, password, scheme == "socks5h")


class NamesAsGiven(AbstractResolver):
    """Leaves names to the proxy."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The name itself in place of an address."""
        return [ResolveResult(hostname=host, host=host, port=port, family=socket.AF_INET, proto=0, flags=0)]

    async def close(self) -> None:
        """Nothing is open."""


class SocksConnector(aiohttp.TCPConnector):
    """Opens connections through a SOCKS5 proxy; TLS, if any, is spoken with the host itself."""

    def __init__(self, proxy: SocksProxy, own: Resolver, guard: Guard, **settings: Any) -> None:
        """`own` resolves the name of the proxy."""
        super().__init__(**settings)
        self._proxy, self._own, self._guard = proxy, own, guard

    async def _wrap_create_connection(
        self,
        *factory: Any,
        addr_infos: list[Any],
        req: ClientRequest,
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 - as aiohttp declares it
        client_error: type[Exception] = aiohttp.ClientConnectorError,
        **tls: Any,
    ) -> tuple[asyncio.Transport, ResponseHandler]:
        """A connection to the first address of each family that can be reached; aiohttp passes on the others."""
        firsts = {info[0]: info[4] for info in reversed(addr_infos)}
        addresses = sorted(firsts.values(), key=[info[4] for info in addr_infos].index)
        for number, (host, port, *_) in enumerate(addresses, 1):
            try:
                async with asyncio.timeout(timeout.sock_connect):
                    tunnel = await self._tunnel(host, port, req.connection_key)
                break
            except UnreachedError:
                if number == len(addresses):
                    raise
            except TimeoutError:
                if number == len(addresses):
                    raise aiohttp.ConnectionTimeoutError(
                        f"no connection to {host} through the proxy {self._proxy.shown} "
                        f"within {timeout.sock_connect:g} s"
                    ) from None
        return await self._wrap_existing_connection(
            *factory, req=req, timeout=timeout, client_error=client_error, sock=tunnel, **tls
        )

    async def _tunnel(self, host: str, port: int, key: ConnectionKey) -> socket.socket:
        """A socket that the proxy has connected to `host`."""
        if address := literal(host):
            self._guard.check(address)
        where = f"the proxy {self._proxy.shown}"
        try:
            opened = await self._to_proxy()
        except (OSError, FetchError) as error:
            why = getattr(error, "detail", None) or getattr(error, "strerror", None) or error
            raise ProxyFaultError(f"{where} cannot be reached: {why}") from error
        try:
            await _Talk(opened, where).connect(self._proxy, address or host, port, key)
        except OSError as error:
            opened.close()
            if isinstance(error, aiohttp.ClientError | TimeoutError):
                raise
            raise ProxyFaultError(f"{where} broke the connection: {error.strerror or error}") from error
        except BaseException:
            opened.close()
            raise
        return opened

    async def _to_proxy(self) -> socket.socket:
        proxy = self._proxy
        found = (
            [proxy.host]
            if literal(proxy.host)
            else [address for address, _ in await self._own.endpoints(proxy.host, proxy.port)]
        )
        infos = [
            (
                socket.AF_INET6 if ":" in address else socket.AF_INET,
                socket.SOCK_STREAM,
                socket.IPPROTO_TCP,
                "",
                (address, proxy.port, 0, 0) if ":" in address else (address, proxy.port),
            )
            for address in found
        ]
        return await aiohappyeyeballs.start_connection(infos, happy_eyeballs_delay=0.25)


class _Talk:
    """The few messages before a connection is the host's."""

    def __init__(self, opened: socket.socket, where: str) -> None:
        self._socket, self._where = opened, where
        self._loop = asyncio.get_running_loop()

    async def connect(self, proxy: SocksProxy, host: str, port: int, key: ConnectionKey) -> None:
        """Log in, and have the proxy connect to `host`, an address or a name."""
        await self._log_in(proxy)
        await self._say(bytes((VERSION, CONNECT, 0)) + _destination(host) + port.to_bytes(2))
        version, reply, _, kind = await self._hear(4)
        self._check_version(version)
        if reply:
            if reply in REFUSED:
                raise ProxyRefusalError(f"{self._where} refuses {host}:{port}: {REFUSED[reply]}")
            why = UNREACHED.get(reply, "unknown reason")
            raise UnreachedError(key, f"{self._where} does not reach {host}:{port}: {why} (reply {reply})")
        lengths = {IPV4: 4, IPV6: 16}
        if kind != NAME and kind not in lengths:
            raise ProxyRefusalError(
                f"{self._where} speaks no SOCKS5: its answer has an address of kind {kind}"
            )
        await self._hear((lengths[kind] if kind in lengths else (await self._hear(1))[0]) + 2)

    async def _log_in(self, proxy: SocksProxy) -> None:
        methods = bytes((OPEN, LOGIN)) if proxy.user else bytes((OPEN,))
        await self._say(bytes((VERSION, len(methods))) + methods)
        version, method = await self._hear(2)
        self._check_version(version)
        if method == LOGIN and proxy.user:
            login = b"".join(bytes((len(part),)) + part for part in (proxy.user, proxy.password))
            await self._say(bytes((LOGIN_VERSION,)) + login)
            if (await self._hear(2))[1]:
                raise ProxyRefusalError(f"{self._where} refuses this user and password; check them")
        elif method != OPEN:
            remedy = (
                "it takes no user and password"
                if proxy.user
                else "give a user and password: --proxy env:NAME, with socks5://user:password@host:port in it"
            )
            raise ProxyRefusalError(f"{self._where} refuses the login; {remedy}")

    def _check_version(self, version: int) -> None:
        if version != VERSION:
            raise ProxyRefusalError(
                f"{self._where} speaks no SOCKS5: its answer begins with byte {version}, not {VERSION}; an HTTP proxy "
                "is written http://host:port"
            )

    async def _say(self, message: bytes) -> None:
        await self._loop.sock_sendall(self._socket, message)

    async def _hear(self, size: int) -> bytes:
        heard = b""
        while len(heard) < size:
            piece = await self._loop.sock_recv(self._socket, size - len(heard))
            if not piece:
                raise ProxyFaultError(f"{self._where} ended the connection before it was open")
            heard += piece
        return heard


def _destination(host: str) -> bytes:
    """The kind of `host` and itself, as a request has it."""
    if address := literal(host):
        packed = ip_address(address).packed
        return bytes((IPV4 if len(packed) == 4 else IPV6,)) + packed
    name = host.encode("ascii", "replace")[:LONGEST]
    return bytes((NAME, len(name))) + name
