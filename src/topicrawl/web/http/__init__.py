"""The web over HTTP: polite, with limits on time and size, and with a guard against internal addresses.

    fetch ─► robots.permit ─► exchange.ask ─► redirect? ─► again, from robots.permit
                                  │
                                  └─ scheme · resolve + guard · politeness · aiohttp · limits · retries

Pages that need JavaScript are not rendered. A meta refresh is not followed: the page offers it as a link.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

# isort: split
from topicrawl.web.http import late_certificates  # noqa: F401 - before any other module imports aiohttp

# isort: split
from topicrawl.errors import FetchError
from topicrawl.model import Hop, Response
from topicrawl.urls import origin
from topicrawl.web.http.answer import Answer, Headers
from topicrawl.web.http.exchange import Exchange
from topicrawl.web.http.redirects import absolute, follow
from topicrawl.web.http.robots import Robots
from topicrawl.web.http.settings import HttpSettings

__all__ = ["HttpSettings", "HttpWeb"]

LARGE = 128 << 10
"""Bodies above this many bytes are decoded in a thread: the event loop only moves bytes."""
CONDITIONS = frozenset({"if-none-match", "if-modified-since"})


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
        answer, hops = await self.answer(asked, self.settings.body_bytes, headers)
        if answer.status == 304 and not any(name.lower() in CONDITIONS for name, _ in headers):
            raise FetchError("protocol", "304 without a condition", status=304)
        content, truncated = await self.content(answer, self.settings.body_bytes)
        return _response(asked, answer, hops, content, truncated)

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
