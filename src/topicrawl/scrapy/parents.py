"""A spider middleware that tells the scheduler which page each request was found on.

The scheduler adds it itself, nearest to the engine, where it sees what all others let through.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

Found = Callable[[Request, Response], None]


class Parents:
    """Calls `found` with each request that a callback returns, and the response it was made from."""

    def __init__(self, found: Found) -> None:
        self._found = found

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        """Pass on everything as it is."""
        async for each in result:
            if isinstance(each, Request):
                self._found(each, response)
            yield each


def add_parents(crawler: Crawler, found: Found) -> None:
    """Add the middleware to a crawler that is being opened.

    Scrapy has no public way to do so after the settings were read. The private one used here is tested with 2.19.
    """
    assert crawler.engine is not None
    manager = crawler.engine.scraper.spidermw
    manager._add_middleware(Parents(found))  # it is the first of these now: nearest to the spider
    for name in ("process_spider_output", "process_spider_exception"):
        manager.methods[name].rotate(-1)
