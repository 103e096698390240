"""What sites say of their pages: sitemaps, with the time of the last change of each page.

In each turn some hosts are asked, those with the most relevant pages, in rotation. Their requests come on top of
those of the turn. Only what changed since the last turn is used, and logged with the turn. A site that says so of
most of its pages is not believed.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import numpy as np

from topicrawl.crawling.core import Crawl
from topicrawl.errors import FetchError
from topicrawl.setup.config import Config
from topicrawl.web import Web
from topicrawl.web.http import HttpWeb
from topicrawl.web.http.sitemap_file import parse_sitemap
from topicrawl.web.http.sitemaps import dated, sitemap_entries
from topicrawl.web.open import open_web

HOSTS = 10
"""Hosts that are asked in a turn."""
RELEVANT = 1.0
"""Sum of the relevance of the pages of a host that is asked."""
MOST = 1000
"""Pages of a turn that are taken, those that changed last."""
FEW = 20
"""Entries of a sitemap below which it may have changed as a whole."""
AT_MOST = 0.5
"""Share of the entries of a sitemap that may have changed since the last turn, if it is to be believed."""
DAY_LETTERS = 10
"""Letters of a day as a sitemap writes it."""


def asked_hosts(crawl: Crawl, number: int) -> list[str]:
    """The hosts to ask for their sitemaps; `number` differs from turn to turn, so that all get their turn."""
    hosts = crawl.frontier.hosts
    worth = hosts.columns["relevance_sum"]
    best = [host for host in np.argsort(-worth, kind="stable").tolist() if worth[host] >= RELEVANT]
    begin = HOSTS * (number % max(-(-len(best) // HOSTS), 1))
    names = [hosts.names[host] for host in best[begin : begin + HOSTS]]
    return [_home(crawl, name) for name in names]


def _home(crawl: Crawl, name: str) -> str:
    """The home page of a host, with the scheme of its pages."""
    number = crawl.frontier.hosts.number(name)
    links = [] if number is None else crawl.frontier.hosts.links(number).tolist()
    scheme = crawl.frontier.urls[links[0]].partition(":")[0] if links else "https"
    return f"{scheme}://{name}/"


async def announced_since(
    config: Config, web_name: str, hosts: list[str], since: float, now: float
) -> list[tuple[str, float]]:
    """The pages that the sitemaps of `hosts` say have changed after `since`, the latest last."""
    web = open_web(web_name, bodies=True, http=config.http)
    try:
        found = await asyncio.gather(*(_entries(web, home, config.http.sitemap_bytes) for home in hosts))
    finally:
        await web.close()
    changed = [page for entries in found for page in believed(entries, since, now)]
    return sorted(changed, key=lambda page: (page[1], page[0]))[-MOST:]


async def _entries(web: Web, home: str, limit: int) -> dict[str, str]:
    """The pages of the sitemaps of a host, with what they say of their last change."""
    if isinstance(web, HttpWeb):
        return await sitemap_entries(web, home)
    try:
        answer = await web.fetch(f"{home}sitemap.xml")
    except FetchError:
        return {}
    return dated(parse_sitemap(answer.content, limit, 50_000)) if answer.status == 200 else {}


def believed(entries: dict[str, str], since: float, now: float) -> list[tuple[str, float]]:
    """Those of the entries that changed after `since`; none where that is said of most."""
    when = {url: moment_of(text) for url, text in entries.items()}
    changed = [(url, min(time, now)) for url, time in when.items() if time is not None and time > since]
    if len(entries) > FEW and len(changed) > AT_MOST * len(entries):
        return []
    return changed


def moment_of(written: str) -> float | None:
    """A moment as sitemaps write it, in seconds since 1970; of a day its end. None where it cannot be read."""
    try:
        found = datetime.fromisoformat(written.strip())
    except ValueError:
        return None
    found = found if found.tzinfo else found.replace(tzinfo=UTC)
    if len(written.strip()) == DAY_LETTERS:
        found = found.replace(hour=23, minute=59, second=59)
    return found.timestamp()
