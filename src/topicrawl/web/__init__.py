"""Where pages come from: HTTP, a recorded web (WARC) or an invented one, all behind the protocol `Web`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from topicrawl.model import Response

redirects_allowed: ContextVar[Callable[[str], bool]] = ContextVar(
    "redirects_allowed", default=lambda url: True
)
"""Whether a redirect may lead to a URL, for the fetches of one task. Webs without a network need not ask."""


@contextmanager
def only_redirects(allowed: Callable[[str], bool]) -> Iterator[None]:
    """Fetches in this block follow redirects only where they are allowed, and fail (`scope`) elsewhere.

    What a page loads besides, in a browser, is fetched outside of such a block.
    """
    token = redirects_allowed.set(allowed)
    try:
        yield
    finally:
        redirects_allowed.reset(token)


class Web(Protocol):
    """A source of pages. A cache or a conditional fetcher is a `Wrapper`: a Web around a Web."""

    @property
    def name(self) -> str:
        """The value of `--web` for this web; kept in crawl.toml, compared on resume."""

    async def fetch(self, url: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
        """The answer for `url`, redirects followed, whatever its status; `FetchError` when there is none.

        Waits for politeness by itself. `headers` are extra request headers (conditional requests).
        """

    async def host_answers(self, url: str) -> bool:
        """Whether the host of `url` answers at all now, tested by a request for its robots.txt.

        Always true without a network. Waits for politeness by itself.
        """

    def remember(self, url: str, parsed: bytes) -> None:
        """Offer the packed `Page` that was parsed from the answer for `url`: a cache keeps it, others ignore it."""

    def rest(self, hosts: Iterable[str]) -> None:
        """Treat these hosts as asked just now, so that politeness holds across a restart; else no effect."""

    def resting(self) -> dict[str, float]:
        """Hosts for which requests wait, and for how many seconds none may start; none without a network."""

    def pace(self, delay: float, concurrency: int) -> None:
        """From the next request on: seconds between two requests to a host, requests in flight; else no effect."""

    def addresses(self) -> set[str]:
        """IP addresses asked a moment ago whose requests are limited; none without a network."""

    def share_addresses(self, addresses: Mapping[str, int]) -> None:
        """Keep the limits of these addresses together with others, so many in all, and of no others; else no effect."""

    @property
    def warnings(self) -> Sequence[str]:
        """Faults found when the web was opened that leave it usable, a sentence each, such as a damaged WARC."""

    @property
    def reads(self) -> int:
        """Pages read from disk so far, from an archive or a cache; 0 for webs that read none."""

    async def close(self) -> None:
        """Release sockets and files."""


class Wrapper:
    """A Web around the Web `web`. Forwards every member of the protocol; subclasses override what they change."""

    def __init__(self, web: Web) -> None:
        self.web = web

    @property
    def name(self) -> str:
        return self.web.name

    async def fetch(self, url: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
        return await self.web.fetch(url, headers)

    async def host_answers(self, url: str) -> bool:
        return await self.web.host_answers(url)

    def remember(self, url: str, parsed: bytes) -> None:
        self.web.remember(url, parsed)

    def rest(self, hosts: Iterable[str]) -> None:
        self.web.rest(hosts)

    def resting(self) -> dict[str, float]:
        return self.web.resting()

    def pace(self, delay: float, concurrency: int) -> None:
        self.web.pace(delay, concurrency)

    def addresses(self) -> set[str]:
        return self.web.addresses()

    def share_addresses(self, addresses: Mapping[str, int]) -> None:
        self.web.share_addresses(addresses)

    @property
    def warnings(self) -> Sequence[str]:
        return self.web.warnings

    @property
    def reads(self) -> int:
        return self.web.reads

    async def close(self) -> None:
        await self.web.close()
