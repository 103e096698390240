"""The web over HTTP: polite, with limits on time and size, and with a guard against internal addresses.

    fetch ─► robots.permit ─► exchange.ask ─► redirect? ─► again, from robots.permit
                                  │
                                  └─ scheme · resolve + guard · politeness · aiohttp · limits · retries

Scripts of pages run in a browser, if at all (web/browser). A meta refresh is not followed: it is a link of the page.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing
from dataclasses import replace

# isort: split
from topicrawl.web.http import late_certificates  # noqa: F401 - before any other module imports aiohttp

# isort: split
from topicrawl.errors import TRANSIENT_STATUS, FetchError
from topicrawl.model import Hop, Response
from topicrawl.urls import host as host_of
from topicrawl.urls import origin
from topicrawl.web import redirects_allowed
from topicrawl.web.http.answer import Answer, Headers
from topicrawl.web.http.exchange import Exchange
from topicrawl.web.http.redirects import CONDITIONS, Permit, absolute, follow
from topicrawl.web.http.robots import Robots
from topicrawl.web.http.settings import HttpSettings
from topicrawl.web.http.stream import PLAIN

__all__ = ["HttpSettings", "HttpWeb"]

LARGE = 128 << 10
"""Bodies above this many bytes are decoded in a thread: the event loop only moves bytes."""
SAID = 500
"""Bytes of an answer that an error repeats."""


class HttpWeb:
    """Fetches pages. One instance serves a whole crawl and all its tasks, in one event loop."""

    name = "http"
    warnings: tuple[str, ...] = ()
    reads = 0

    def __init__(self, settings: HttpSettings) -> None:
        self.settings = settings
        self._exchange = Exchange(settings)
        self.robots = Robots(self._exchange)

    @property
    def counts(self) -> Counter[str]:
        """Counts so far: `requests`, `retries`, `bytes`."""
        return self._exchange.counts

    async def fetch(self, url: str, headers: Headers = ()) -> Response:
        """The page at `url`, redirects followed; docs/errors.md lists the kinds of `FetchError`."""
        asked = absolute(url)
        answer, hops = await follow(
            self._exchange,
            asked,
            self.robots.permit,
            limit=self.settings.body_bytes,
            headers=headers,
            allowed=redirects_allowed.get(),
        )
        if answer.status == 304 and (hops or not any(name.lower() in CONDITIONS for name, _ in headers)):
            raise FetchError("protocol", "304 without a condition", status=304)
        content, truncated = await self.content(answer, self.settings.body_bytes)
        return _response(asked, answer, hops, content, truncated)

    async def consult(self, url: str, headers: Headers = ()) -> Response:
        """What an interface for programs, which a person named, answers at `url`; redirects are followed.

        Its own robots.txt is not asked: that speaks to crawlers that follow links (docs/decisions/014). Where a
        redirect leads to another origin, that one's is.
        """
        asked = absolute(url)
        answer, hops = await follow(
            self._exchange, asked, self._named(asked), limit=self.settings.body_bytes, headers=headers
        )
        content, truncated = await self.content(answer, self.settings.body_bytes)
        return _response(asked, answer, hops, content, truncated)

    async def lines(self, url: str) -> AsyncGenerator[bytes, None]:
        """The lines that such an interface answers at `url`, while they arrive; there is no limit of their number.

        Close it (`contextlib.aclosing`) where not all are read. `FetchError` (`http`) for a status other than 200,
        with the beginning of the answer as detail.
        """
        asked = absolute(url)
        permit, at = self._named(asked), asked
        for attempt in range(self.settings.redirects + self.settings.retries + 1):
            async with self._exchange.open(at, delay=await permit(at), headers=PLAIN) as opened:
                if opened.status == 200:
                    async with aclosing(opened.lines()) as lines:
                        async for line in lines:
                            yield line
                    return
                said = (await opened.beginning(SAID))[:SAID].decode("utf-8", "replace")
            if opened.location:
                at = absolute(opened.location, at)
            elif opened.status in TRANSIENT_STATUS and attempt < self.settings.retries:
                self._exchange.park(host_of(at), opened.status, opened.header("retry-after"), attempt)
            else:
                raise FetchError("http", said, status=opened.status)
        raise FetchError("redirects", f"more than {self.settings.redirects}")

    def _named(self, asked: str) -> Permit:
        """Permits requests to the origin of `asked`, which a person named, and asks robots.txt of others."""

        async def permit(url: str) -> float:
            return self.settings.delay if origin(url) == origin(asked) else await self.robots.permit(url)

        return permit

    async def once(self, url: str, headers: Headers = ()) -> Answer:
        """The answer at `url` (canonical) itself: redirects are not followed. robots.txt is asked."""
        delay = await self.robots.permit(url)
        return await self._exchange.ask(url, limit=self.settings.body_bytes, delay=delay, headers=headers)

    async def answer(self, url: str, limit: int, headers: Headers = ()) -> tuple[Answer, tuple[Hop, ...]]:
        """The answer at the end of the redirects from `url`; robots.txt is checked before each request."""
        return await follow(self._exchange, url, self.robots.permit, limit=limit, headers=headers)

    async def content(self, answer: Answer, limit: int) -> tuple[bytes, bool]:
        """The decoded body of `answer`, at most `limit` bytes, and whether something is missing."""
        if len(answer.body) > LARGE:
            return await asyncio.to_thread(answer.content, limit, self.settings.encodings)
        return answer.content(limit, self.settings.encodings)

    async def host_answers(self, url: str) -> bool:
        """Whether the host of `url` answers a request for its robots.txt."""
        return await self.robots.answers(origin(absolute(url)))

    def rest(self, hosts: Iterable[str]) -> None:
        """Treat these hosts as asked just now: an earlier session may have asked them a moment ago."""
        for host in hosts:
            self._exchange.rest(host)

    def resting(self) -> dict[str, float]:
        """Hosts for which requests wait, and for how many seconds none may start."""
        return self._exchange.resting()

    def pace(self, delay: float, concurrency: int) -> None:
        """Change the delay between two requests to a host and the limit of requests in flight.

        A request that waits already waits for as long as it was told.
        """
        self.settings = replace(self.settings, delay=delay, concurrency=concurrency)
        self._exchange.pace(self.settings)

    def addresses(self) -> set[str]:
        """Addresses asked a moment ago whose requests are limited."""
        return self._exchange.politeness.addresses()

    def share_addresses(self, addresses: Mapping[str, int]) -> None:
        """Keep the limits of these addresses together with other crawls, so many in all."""
        self._exchange.politeness.share_addresses(addresses)

    def remember(self, url: str, parsed: bytes) -> None:
        """No effect: HTTP has no cache."""

    async def close(self) -> None:
        """Close all connections."""
        self.robots.close()
        await self._exchange.close()


def _response(asked: str, answer: Answer, hops: tuple[Hop, ...], content: bytes, truncated: bool) -> Response:
    return Response(
        asked=asked,
        url=answer.url,
        status=answer.status,
        reason=answer.reason,
        headers=answer.headers,
        body=answer.body,
        content=content,
        size=len(content),
        truncated=truncated,
        hops=hops,
        request_headers=answer.request_headers,
        address=answer.address,
        http_version=answer.http_version,
        took=answer.took,
    )
