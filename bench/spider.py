"""The Scrapy spider: `python -m bench.spider SEED PORT IN_FLIGHT PAGES LIST`; 0 pages means all, LIST gets their URLs.

As in Scrapy's documentation: LxmlLinkExtractor, `//text()`, robots.txt obeyed. No archive, no state for a resume,
no log, no telnet console. It connects straight to PORT on loopback, whatever a URL's port is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response, TextResponse
from scrapy.linkextractors.lxmlhtml import LxmlLinkExtractor
from scrapy.resolver import dnscache


class Whole(Spider):
    """Follows every link."""

    name = "whole"
    extractor = LxmlLinkExtractor()
    fetched: list[str]

    def parse(self, response: Response) -> Iterator[Any]:
        assert isinstance(response, TextResponse)
        self.fetched.append(response.url)
        yield {"url": response.url, "text": " ".join(response.xpath("//text()").getall())}
        for link in self.extractor.extract_links(response):
            yield Request(link.url)


def connect_to(name: str, port: int) -> None:
    """Resolve `name` to loopback and make every connection one to `port`."""
    from twisted.internet import reactor

    connect = reactor.connectTCP  # type: ignore[attr-defined]
    reactor.connectTCP = lambda host, _, *rest, **named: connect(host, port, *rest, **named)  # type: ignore[attr-defined]
    dnscache[name] = "127.0.0.1"


def main(seed: str, port: str, in_flight: str, pages: str, listed: str) -> None:
    """Crawl from `seed` and list what was fetched."""
    fetched: list[str] = []
    process = CrawlerProcess(
        {
            "CLOSESPIDER_PAGECOUNT": int(pages),
            "CONCURRENT_REQUESTS": int(in_flight),
            "CONCURRENT_REQUESTS_PER_DOMAIN": int(in_flight),
            "DOWNLOAD_DELAY": 0,
            "LOG_ENABLED": False,
            "ROBOTSTXT_OBEY": True,
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    process.crawl(Whole, start_urls=[seed], fetched=fetched)
    connect_to(urlsplit(seed).netloc, int(port))
    process.start()
    Path(listed).write_text("\n".join(fetched))


if __name__ == "__main__":
    main(*sys.argv[1:])
