"""All network traffic (pages, robots.txt, redirects, sitemaps) goes through `Exchange.ask`.

Here and nowhere else a request is checked (scheme, address), delayed for politeness, limited in time and size, and
retried.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cached_property
from time import monotonic

import aiohttp
from yarl import URL

from topicrawl import urls
from topicrawl.credentials import is_credential
from topicrawl.errors import TRANSIENT_STATUS, FetchError
from topicrawl.web.http.answer import Answer, Headers
from topicrawl.web.http.body import read_body, read_headers
from topicrawl.web.http.client import (
    PeerResponse,
    check_headers,
    open_session,
    proxy_resolves,
    tls_context,
    trusted_host,
)
from topicrawl.web.http.cookie_file import CookieFile
from topicrawl.web.http.direct import Direct, DirectResponse
from topicrawl.web.http.dns import Resolver
from topicrawl.web.http.errors import Faults, fault, passes_quickly
from topicrawl.web.http.guard import Guard
from topicrawl.web.http.politeness import Politeness
from topicrawl.web.http.retry import Backoff, retry_after
from topicrawl.web.http.settings import HttpSettings
from topicrawl.web.http.socks import read_socks
from topicrawl.web.http.stream import Opened


class Exchange:
    """Sends requests and counts them: `requests`, `retries`, `bytes` (of bodies as sent)."""

    def __init__(self, settings: HttpSettings) -> None:
        self.counts: Counter[str] = Counter()
        self.settings = settings
        self._guard = Guard(settings.allow_nets)
        self._resolver = Resolver(settings, self._guard, trusted_host(settings))
        self._names_go_out = proxy_resolves(settings)
        self._is_direct = not settings.cookies and (
            not settings.proxy or read_socks(settings.proxy) is not None
        )
        self.politeness = Politeness(settings, self._guard)
        self._cookies = CookieFile(settings.cookie_file)
        self._backoff = Backoff(settings)
        self._tls = tls_context(settings)
        check_headers(settings)

    async def ask(
        self, url: str, *, limit: int, delay: float, headers: Headers = (), retries: int | None = None
    ) -> Answer:
        """The answer to a GET of `url` (canonical), with at most `limit` bytes of body as sent.

        Starts no sooner than `delay` after the last request to the host. Broken connections are retried
        `retries` times (None: as in the settings); a truncated body is requested once more and then accepted.
        """
        host = urls.host(url)
        attempt = 0
        retries = self.settings.retries if retries is None else retries
        while True:
            try:
                answer = await self._once(url, host, limit, delay, headers)
            except FetchError as failure:
                if attempt == retries or not passes_quickly(failure):
                    raise
                rest = self._backoff.rest(attempt)
            else:
                pause = self._pause_after(answer, host, attempt)
                if attempt == retries or pause is None:
                    return answer
                rest = pause
            attempt += 1
            self.counts["retries"] += 1
            self.politeness.park(host, rest)

    @asynccontextmanager
    async def open(self, url: str, *, delay: float, headers: Headers = ()) -> AsyncIterator[Opened]:
        """The answer to a GET of `url` (canonical) while it is read, however long it is; never retried."""
        target, address = await self._reach(url)
        async with self.politeness.turn(urls.host(url), address, delay):
            self.counts["requests"] += 1
            try:
                async with asyncio.timeout(self.settings.deadline):
                    response = await self._get(target, self._with_secrets(url, headers))
                try:
                    yield Opened(response, read_headers(response, self.settings), self.settings)
                finally:
                    response.close()
            except Faults as error:
                raise fault(error) from error

    def park(self, host: str, status: int, after: str, attempt: int) -> None:
        """Let the next request to `host` wait, which answered `status` with this Retry-After to one of `attempt`."""
        pause = retry_after(after)
        if pause is None:
            self.politeness.park(host, self._backoff.rest(attempt))
        else:
            self._wait(host, pause, status)

    def rest(self, host: str) -> None:
        """Ask `host` no sooner than if a request to it had just ended."""
        self.politeness.rest(host)

    def resting(self) -> dict[str, float]:
        """Hosts for which requests wait, and for how many seconds none may start."""
        return self.politeness.resting()

    def pace(self, settings: HttpSettings) -> None:
        """Use the delay and the limit of requests in flight of `settings`, which differ in nothing else."""
        self.settings = settings
        self.politeness.pace(settings)

    async def close(self) -> None:
        """Close all connections."""
        if "_session" in self.__dict__:
            await self._session.close()
        await self._resolver.close()

    def _pause_after(self, answer: Answer, host: str, attempt: int) -> float | None:
        """Seconds to wait before a retry; None if `answer` is final."""
        if answer.status not in TRANSIENT_STATUS:
            return self._backoff.rest(attempt) if answer.cut and attempt == 0 else None
        pause = retry_after(answer.header("retry-after"))
        return self._backoff.rest(attempt) if pause is None else self._wait(host, pause, answer.status)

    def _wait(self, host: str, pause: float, status: int) -> float:
        """Start no request to `host` for the time that it asked for; `FetchError` if that is too long."""
        self.politeness.park(host, pause)
        if pause > self.settings.retry_after_cap:
            detail = f"{host} asks for a pause of {pause:.0f} s"
            raise FetchError("retry-later", detail, status=status, retry_after=pause)
        return pause

    async def _once(self, url: str, host: str, limit: int, delay: float, headers: Headers) -> Answer:
        """One request, delayed for politeness."""
        target, address = await self._reach(url)
        async with self.politeness.turn(host, address, delay):
            self.counts["requests"] += 1
            try:
                return await self._send(url, target, limit, headers)
            except Faults as error:
                raise fault(error) from error

    async def _reach(self, url: str) -> tuple[URL, str | None]:
        """`url` for aiohttp, and a checked address of its host; None where a proxy resolves the name."""
        if not url.startswith(("http://", "https://")):
            raise FetchError("scheme", url)
        try:
            target = URL(url, encoded=True)
        except ValueError as error:
            raise FetchError("url", f"{url}: {error}") from None
        name, port = target.raw_host, target.port
        if not name or not port:
            raise FetchError("url", url)
        if self._names_go_out:
            self._resolver.check_spelling(name)
            return target, None
        return target, min(await self._resolver.endpoints(name, port))[0]

    async def _send(self, url: str, target: URL, limit: int, headers: Headers) -> Answer:
        began = monotonic()
        headers = self._with_secrets(url, headers)
        async with asyncio.timeout(self.settings.deadline):
            response = await self._get(target, headers)
            try:
                lines = read_headers(response, self.settings)
                body, truncated, cut = await read_body(response, limit, self.settings)
            finally:
                response.close()
        self.counts["bytes"] += len(body)
        version = response.version
        return Answer(
            url=url,
            status=response.status,
            reason=response.reason or "",
            headers=lines,
            body=body,
            truncated=truncated,
            cut=cut,
            address="" if self.settings.proxy else response.peer,  # of a proxy, that of the host is not known
            http_version=f"{version.major}.{version.minor}" if version else "1.1",
            request_headers=self._archived(response.sent),
            took=monotonic() - began,
        )

    async def _get(self, target: URL, headers: Headers) -> PeerResponse | DirectResponse:
        if self._is_direct:
            return await self._direct.get(target, headers)
        response = await self._session.get(target, headers=headers, allow_redirects=False)
        assert isinstance(response, PeerResponse)
        return response

    def _with_secrets(self, url: str, headers: Headers) -> Headers:
        """`headers` and those that only the origin of `url` gets, with the cookies of the user's file."""
        if self.settings.secrets:
            headers = (*headers, *self.settings.secrets.get(urls.origin(url), ()))
        if cookies := self._cookies.header(url):
            given = [value for name, value in headers if name.lower() == "cookie"]
            others = tuple(line for line in headers if line[0].lower() != "cookie")
            headers = (*others, ("Cookie", "; ".join((*given, cookies))))
        return headers

    def _archived(self, headers: Headers) -> Headers:
        """The request headers without secrets, whatever their names."""
        if self.settings.secrets:
            own = {name.lower() for lines in self.settings.secrets.values() for name, _ in lines}
            headers = tuple(line for line in headers if line[0].lower() not in own)
        return without_secrets(headers)

    @cached_property
    def _session(self) -> aiohttp.ClientSession:
        """Created by the first request, because aiohttp needs a running event loop."""
        return open_session(self.settings, self._resolver, self._guard, self._tls)

    @cached_property
    def _direct(self) -> Direct:
        return Direct(self._session, self.settings)


def without_secrets(headers: Headers) -> Headers:
    """`headers` without those that only one origin may get."""
    return tuple(line for line in headers if not is_credential(line[0]))
