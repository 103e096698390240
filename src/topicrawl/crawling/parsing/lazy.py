"""Parse workers that are started for the first page to parse: many crawls of offline webs have none."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from topicrawl.crawling.outcome import has_page, known_page
from topicrawl.crawling.parsing.pool import Parsed, ParseWorkers
from topicrawl.errors import FetchError
from topicrawl.model import Page, Response, Topic
from topicrawl.web import Web


class LazyParseWorkers:
    """Parse workers that are started for the first page to parse."""

    def __init__(self, topic: Topic, documents: Sequence[str] = ()) -> None:
        self._workers = ParseWorkers(topic.terms, documents=documents)
        self._started: asyncio.Future[None] | None = None

    async def parse(self, response: Response) -> Parsed | None:
        """What the page of a response says; None where it cannot be read."""
        if self._started is None:
            self._started = asyncio.ensure_future(self._workers.start())
        await asyncio.shield(self._started)
        return await self._workers.parse(
            response.url,
            response.content,
            response.header("content-type"),
            x_robots_tag=", ".join(
                value for name, value in response.headers if name.lower() == "x-robots-tag"
            ),
            truncated=response.truncated,
        )

    async def page_at(self, web: Web, url: str) -> Page:
        """The page at `url`, fetched for a person; `FetchError` if there is none."""
        response = await web.fetch(url)
        if not has_page(response):
            raise FetchError("http", f"{url} is no page: status {response.status}", status=response.status)
        if (page := known_page(response)) is not None:
            return page
        if (parsed := await self.parse(response)) is None:
            raise FetchError("type", f"{url} is no page that can be read")
        return parsed.page

    async def close(self) -> None:
        """End the workers, if any were started."""
        if self._started is not None:
            await self._workers.close()
