"""The Scrapy spider of the comparison: `python spider.py JSON`; follows every link, as in Scrapy's tutorial.

Defaults, except for the limits of both crawlers; robots.txt is obeyed, retries are off. Names that end in `.test` and
`.co.uk` resolve to loopback, ports 80 and 443 to those of the hostile web.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response, TextResponse
from scrapy.linkextractors.lxmlhtml import LxmlLinkExtractor
from scrapy.resolver import CachingThreadedResolver
from scrapy.spiders import SitemapSpider
from twisted.internet import defer

LOOPBACK, VAULT = "127.0.0.1", "127.0.0.2"
OWN = {"old": "127.0.0.3", "client": "127.0.0.4", "mute": "127.0.0.5"}


class Loopback(CachingThreadedResolver):
    """Resolves names of the hostile web; of two addresses the second lookup gives the internal one (rebinding)."""

    asked: ClassVar[dict[str, int]] = {}

    def getHostByName(self, name: str, timeout: Any = ()) -> Any:
        times = self.asked[name] = self.asked.get(name, 0) + 1
        if name.startswith(("rebind.", "mixed.")) and times > 1:
            return defer.succeed(VAULT)
        if name in ("old.h46.test", "client.h46.test", "mute.h14.test"):
            return defer.succeed(OWN[name.partition(".")[0]])
        if name.endswith((".test", ".co.uk")):
            return defer.succeed(LOOPBACK)
        return super().getHostByName(name, timeout)


class Follow(Spider):
    """Follows every link and lists the responses."""

    name = "follow"
    extractor = LxmlLinkExtractor()

    async def start(self) -> Any:
        for seed in self.seeds:
            yield Request(
                seed, headers={"Authorization": self.secret} if self.secret else None, dont_filter=True
            )

    def parse(self, response: Response) -> Iterator[Any]:
        with Path(self.listed).open("a") as file:
            file.write(response.url + "\n")
        if not isinstance(response, TextResponse):
            return
        headers = {"Authorization": self.secret} if self.secret and "h08.test" in response.url else None
        for link in self.extractor.extract_links(response):
            yield Request(link.url, headers=headers)


class FollowSitemaps(SitemapSpider, Follow):
    """The same, from the sitemaps that robots.txt names."""

    name = "follow-sitemaps"

    async def start(self) -> Any:
        self.sitemap_urls = [f"{seed}robots.txt" for seed in self.seeds]
        async for request in SitemapSpider.start(self):
            yield request
        async for request in Follow.start(self):
            yield request


def route(ports: dict[str, int]) -> None:
    """Map the standard ports to those of the hostile web; some hosts have an address of their own."""
    from twisted.internet import reactor

    connect = reactor.connectTCP
    plain = {80: ports["http"], 443: ports["tls"], 8080: ports["http"], 8081: ports["http"]}
    own = {address: ports[name] for name, address in OWN.items()}

    def rerouted(host: str, port: int, *rest: Any, **named: Any) -> Any:
        if host in own:
            return connect(LOOPBACK, own[host], *rest, **named)
        return connect(host, plain.get(port, port), *rest, **named)

    reactor.connectTCP = rerouted


def main(given: dict[str, Any]) -> None:
    """Crawl."""
    process = CrawlerProcess(
        {
            "ROBOTSTXT_OBEY": True,
            "RETRY_ENABLED": False,
            "LOG_LEVEL": "ERROR",
            "TELNETCONSOLE_ENABLED": False,
            "DNS_RESOLVER": Loopback,
            **given["settings"],
        }
    )
    spider = FollowSitemaps if given["sitemaps"] else Follow
    kept = {name: given[name] for name in ("seeds", "secret", "listed")}
    process.crawl(spider, **kept)
    route(given["ports"])
    process.start()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
