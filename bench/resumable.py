"""Scrapy with a JOBDIR: `python -m bench.resumable SEED PORT JOBDIR`; the spider is that of spider.py."""

from __future__ import annotations

import sys
from urllib.parse import urlsplit

from scrapy.crawler import CrawlerProcess

from bench.spider import Whole, connect_to


def main(seed: str, port: str, job: str) -> None:
    """Crawl, or resume the job."""
    settings = {
        "JOBDIR": job,
        "CONCURRENT_REQUESTS": 8,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
        "DOWNLOAD_DELAY": 0,
        "LOG_ENABLED": False,
        "ROBOTSTXT_OBEY": True,
        "TELNETCONSOLE_ENABLED": False,
    }
    process = CrawlerProcess(settings)
    process.crawl(Whole, start_urls=[seed], fetched=[])
    connect_to(urlsplit(seed).netloc, int(port))
    process.start()


if __name__ == "__main__":
    main(*sys.argv[1:])
