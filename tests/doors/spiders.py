"""Spiders of the tests, each run in a process of its own: `python spiders.py NAME PORT LIST [KEY=VALUE …]`.

A line of JSON for each page goes to LIST as soon as the spider has it. The last line of standard output has the stats.
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from scrapy import FormRequest, Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

from topicrawl.scrapy import FocusedLinkExtractor

FOCUSED = "topicrawl.scrapy.FocusedScheduler"
META = ("link_text", "link_context", "topicrawl_request", "depth")


class Listed:
    """A spider that lists the pages it gets."""

    listed: str

    def note(self, response: Response, how: str) -> None:
        carried = {key: response.meta.get(key) for key in META}
        with Path(self.listed).open("a") as file:
            file.write(json.dumps({"url": response.url, "how": how, **carried}) + "\n")


class Ordinary(Listed, CrawlSpider):
    """As in Scrapy's documentation."""

    name = "ordinary"
    rules = (Rule(LinkExtractor(), callback="parse_page", follow=True),)

    def parse_start_url(self, response: Response, **_: Any) -> Any:
        return self.parse_page(response)

    def parse_page(self, response: Response) -> Iterator[Any]:
        self.note(response, "page")
        yield {"url": response.url}


class Seeded(Ordinary):
    """Begins with more than its `start_urls`."""

    name = "seeded"

    async def start(self) -> AsyncIterator[Any]:
        async for request in super().start():
            yield request
        for path in ("/1", "/2", "/1?again"):
            yield Request(urljoin(self.start_urls[0], path))


class ByHand(Listed, Spider):
    """Follows links with our extractor, with priorities, callbacks, a form and a failure of its own."""

    name = "by_hand"
    extractor = FocusedLinkExtractor(deny=r"/(low|high|json|form|lost|moved)")

    def parse(self, response: Response) -> Iterator[Any]:
        self.note(response, "page")
        copied = {key: value for key, value in response.meta.items() if key != "download_latency"}
        yield from self.extractor.requests(response, meta=copied)
        if response.url.endswith("/0"):
            yield response.follow("/low", self.parse_other, priority=-5)
            yield response.follow("/high", self.parse_other, priority=5, cb_kwargs={"how": "high"})
            yield FormRequest(response.urljoin("/form"), self.parse_form, formdata={"q": "rain"})
            yield response.follow("/json", self.parse_json)
            yield response.follow("/lost", self.parse_other, errback=self.lost)
            yield response.follow("/moved", self.parse_other)
            yield Request(response.url, self.parse_other, dont_filter=True, cb_kwargs={"how": "again"})

    def parse_other(self, response: Response, how: str = "other") -> None:
        self.note(response, how)

    def parse_form(self, response: Response) -> Iterator[Any]:
        self.note(response, "form")
        yield response.follow("/of-form", self.parse_other)

    def parse_json(self, response: Response) -> Iterator[Any]:
        self.note(response, "json")
        for path in response.json():
            yield response.follow(path, self.parse_other, meta={"link_text": "rain of json"})

    def lost(self, failure: Any) -> None:
        self.note(failure.value.response, "lost")


class Rendered(Listed, Spider):
    """Renders its first page in a browser, and has the browser wait for an element."""

    name = "rendered"

    async def start(self) -> AsyncIterator[Any]:
        from scrapy_playwright.page import PageMethod

        for url in self.start_urls:
            methods = [PageMethod("wait_for_selector", "a")]
            yield Request(url, meta={"playwright": True, "playwright_page_methods": methods})

    def parse(self, response: Response) -> Iterator[Any]:
        self.note(response, "page")
        for link in LinkExtractor().extract_links(response):
            yield Request(link.url)


def main(name: str, seed: str, listed: str, *pairs: str) -> None:
    """Crawl, and print the stats."""
    settings: dict[str, Any] = {
        "LOG_LEVEL": "WARNING",
        "TELNETCONSOLE_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
        "RETRY_TIMES": 2,
        **dict(pair.split("=", 1) for pair in pairs),
    }
    process = CrawlerProcess(settings)
    crawler = process.create_crawler({each.name: each for each in (Ordinary, Seeded, ByHand, Rendered)}[name])
    process.crawl(crawler, start_urls=[seed], listed=listed)
    process.start()
    assert crawler.stats is not None
    sys.stdout.write(json.dumps(crawler.stats.get_stats(), default=str) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
