"""Resolves names to addresses that the guard allows.

All addresses of a name must pass the guard, not only the one used: a name with a public and a private address is an
attack. The checked address is the one connected to, because aiohttp uses only this resolver, and each socket is
checked again when it is created (`checked_socket`).
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Thread
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult

from topicrawl.errors import ConfigError, FetchError
from topicrawl.web.http.guard import Guard, RefusedAddressError, literal
from topicrawl.web.http.settings import HttpSettings
from topicrawl.web.http.ttl_cache import TtlCache

Endpoint = tuple[str, int]
"""An address and a port."""
LOOKUPS = 32
"""Concurrent name lookups; each occupies a thread."""
NAMES = 65536
"""Most names cached."""
ADDRESSES = 8
"""Most addresses of one name that are tried, once all have been checked."""
UNKNOWN_NAME = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}


class Resolver(AbstractResolver):
    """Names mapped by the user, literal addresses, then DNS; all checked; answers and failures are cached."""

    def __init__(self, settings: HttpSettings, guard: Guard, trusted: str | None = None) -> None:
        """`trusted` is the one host that need not pass the guard: the proxy."""
        self._settings = settings
        self._guard = guard
        self._trusted = trusted
        self._mapped = {name.lower(): _targets(name, to) for name, to in settings.resolve.items()}
        self._known: TtlCache[str, tuple[str, ...] | FetchError] = TtlCache(NAMES)
        self._asking: dict[str, asyncio.Task[tuple[str, ...]]] = {}
        self._lookups = asyncio.Semaphore(LOOKUPS)

    async def endpoints(self, host: str, port: int) -> tuple[Endpoint, ...]:
        """The endpoints of `host`, all checked; `FetchError` (`dns`, `guard`) if there are none."""
        if mapped := _lookup(self._mapped, host):
            self._check(host, [address for address, _ in mapped])
            return tuple((address, to or port) for address, to in mapped)
        if address := literal(host):
            self._check(host, [address])
            return ((address, port),)
        found = self._known.get(host)
        if found is None:
            found = await self._ask_once(host)
        if isinstance(found, FetchError):
            passes = found.retry_after is not None
            raise FetchError(found.kind, found.detail, retry_after=self._known.left(host) if passes else None)
        return tuple((address, port) for address in found)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Called by aiohttp before it connects."""
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=to,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for address, to in await self.endpoints(host, port)
        ]

    def check_spelling(self, host: str) -> None:
        """Check a host whose name the proxy resolves: only literal addresses and `localhost` can be refused."""
        if host == "localhost" or host.endswith(".localhost"):
            self._check(host, ["127.0.0.1"])
        elif address := literal(host):
            self._check(host, [address])

    async def close(self) -> None:
        """Cancel running lookups."""
        for task in self._asking.values():
            task.cancel()

    async def _ask_once(self, name: str) -> tuple[str, ...] | FetchError:
        """Look `name` up; concurrent callers share one lookup."""
        task = self._asking.get(name)
        if task is None:
            task = self._asking[name] = asyncio.create_task(self._ask(name))
            task.add_done_callback(lambda done: self._forget(name, done))
        try:
            found: tuple[str, ...] | FetchError = await asyncio.shield(task)
        except FetchError as failure:
            found = failure
        failed = isinstance(found, FetchError)
        self._known.put(name, found, self._settings.dns_failure_age if failed else self._settings.dns_age)
        return found

    async def _ask(self, name: str) -> tuple[str, ...]:
        try:
            async with asyncio.timeout(self._settings.dns_deadline), self._lookups:
                addresses = await in_thread(_getaddrinfo, name)
        except TimeoutError:
            detail = f"{name}: no answer within {self._settings.dns_deadline:g} s"
            raise FetchError("dns", detail, retry_after=0.0) from None
        except (OSError, UnicodeError) as failure:
            unknown = isinstance(failure, socket.gaierror) and failure.errno in UNKNOWN_NAME
            detail = f"{name}: {'no such host' if unknown else failure}"
            raise FetchError("dns", detail, retry_after=None if unknown else 0.0) from None
        if name != self._trusted:
            self._check(name, addresses)
        return tuple(addresses[:ADDRESSES])

    def _forget(self, name: str, done: asyncio.Task[tuple[str, ...]]) -> None:
        del self._asking[name]
        if not done.cancelled():
            done.exception()  # mark it as retrieved: the callers may be gone, and asyncio would log it

    def _check(self, host: str, addresses: list[str]) -> None:
        refused = []
        for address in addresses:
            try:
                self._guard.check(address)
            except RefusedAddressError as why:
                refused.append(str(why))
        if refused:
            raise FetchError("guard", f"{host}: {', and '.join(refused)}")


def in_thread(work: Callable[[str], list[str]], name: str) -> asyncio.Future[list[str]]:
    """The result of `work(name)` from a daemon thread: a lookup cannot be cancelled, and exit must not wait for it."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[list[str]] = loop.create_future()

    def settle(found: list[str] | None, error: Exception | None) -> None:
        if answer.done():
            return
        if error is not None:
            answer.set_exception(error)
        else:
            answer.set_result(found or [])

    def run() -> None:
        found, error = None, None
        try:
            found = work(name)
        except Exception as failure:
            error = failure
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(settle, found, error)

    Thread(target=run, name="dns", daemon=True).start()
    return answer


def checked_socket(guard: Guard) -> Any:
    """A socket factory for aiohttp that refuses addresses the guard refuses."""

    def make(info: tuple[int, int, int, str, tuple[Any, ...]]) -> socket.socket:
        family, kind, protocol, _, address = info
        guard.check(address[0])
        return socket.socket(family, kind, protocol)

    return make


def _getaddrinfo(name: str) -> list[str]:
    answers = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in answers))


def _lookup(mapped: Mapping[str, tuple[Endpoint, ...]], host: str) -> tuple[Endpoint, ...] | None:
    """The targets of the most specific pattern that `host` matches."""
    if not mapped:
        return None
    if host in mapped:
        return mapped[host]
    rest = host
    while "." in rest:
        rest = rest.partition(".")[2]
        if found := mapped.get(f"*.{rest}"):
            return found
    return mapped.get("*")


def _targets(name: str, targets: str) -> tuple[Endpoint, ...]:
    return tuple(_target(name, target.strip()) for target in targets.split(","))


def _target(name: str, target: str) -> Endpoint:
    """`127.0.0.1`, `127.0.0.1:8000`, `::1`, `[::1]:8000`; port 0 means the URL's own."""
    host, colon, port = target.rpartition(":")
    if not colon or (":" in host and not host.endswith("]")):
        host, port = target, "0"
    address = literal(host)
    if not address or not port.isdecimal() or int(port) > 65535:
        raise ConfigError(f"resolve {name}={target}: not an address; write it as 127.0.0.1:8000")
    return address, int(port)
