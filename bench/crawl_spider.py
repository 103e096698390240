"""An ordinary CrawlSpider, as Scrapy's tutorial has it: `python -m bench.crawl_spider SEEDS LIST [KEY=VALUE …]`.

SEEDS is a file of URLs; LIST gets the URLs of the pages, in order. Settings of Scrapy are given as KEY=VALUE.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scrapy.crawler import CrawlerProcess
from scrapy.http import Response
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class Ordinary(CrawlSpider):
    """Follows every link."""

    name = "ordinary"
    rules = (Rule(LinkExtractor(), callback="parse_page", follow=True),)
    fetched: list[str]

    def parse_start_url(self, response: Response, **_: Any) -> Any:
        return self.parse_page(response)

    def parse_page(self, response: Response) -> Iterator[Any]:
        self.fetched.append(response.url)
        yield {"url": response.url}


def main(seeds: str, listed: str, *pairs: str) -> None:
    """Crawl from the seeds and list what was fetched."""
    fetched: list[str] = []
    settings = {
        "LOG_LEVEL": "CRITICAL",
        "TELNETCONSOLE_ENABLED": False,
        **dict(p.split("=", 1) for p in pairs),
    }
    process = CrawlerProcess(settings)
    process.crawl(Ordinary, start_urls=Path(seeds).read_text().split(), fetched=fetched)
    process.start()
    Path(listed).write_text("\n".join(fetched))


if __name__ == "__main__":
    main(*sys.argv[1:])
