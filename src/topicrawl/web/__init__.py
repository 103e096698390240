"""Where pages live: HTTP, a recorded web (WARC), or an invented one. All answer the same question."""

from __future__ import annotations

from typing import Protocol

from topicrawl.model import Response


class Web(Protocol):
    """A source of pages. Wrappers (caches, recorders) are Webs around a Web."""

    @property
    def name(self) -> str:
        """How `--web` spells this web; kept in crawl.toml, compared on resume."""

    async def fetch(self, url: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
        """The answer for `url`, redirects followed, whatever its status; `FetchError` when there is none.

        Waits for politeness by itself. `headers` are extra request headers (conditional requests).
        """

    async def host_answers(self, url: str) -> bool:
        """Whether the host of `url` answers anything at all now; asks it for what it has answered before.

        Webs that need no network always answer. Waits for politeness by itself.
        """

    def remember(self, url: str, parsed: bytes) -> None:
        """Offer the packed `Page` that was read from the answer to `url`: a cache keeps it, others ignore it."""

    async def close(self) -> None:
        """Release sockets and files."""
