"""What sites say of their pages: sitemaps and feeds, with the time of the last change of each page.

In each turn some hosts are asked, those with the most relevant pages, in rotation. Their requests come on top of
those of the turn. Only what changed since the last turn is used, and logged with the turn. A sitemap that says so of
most of its pages is not believed, nor a feed that gives all its entries one date.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import islice

import numpy as np

from topicrawl import urls
from topicrawl.crawling.core import Crawl
from topicrawl.errors import FetchError
from topicrawl.page.decode import decode
from topicrawl.page.feed import FeedLinks
from topicrawl.setup.config import Config
from topicrawl.web import Web
from topicrawl.web.http import HttpWeb
from topicrawl.web.http.redirects import absolute
from topicrawl.web.http.sitemap_file import parse_sitemap
from topicrawl.web.http.sitemaps import sitemap_entries
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
FEEDS = 3
"""Feeds of a host that are fetched."""
ENTRIES = 50_000
"""Entries of a sitemap or feed that are read."""
FEED_NAME = re.compile(
    r"/(?:feed|rss|atom|index)(?:\.xml|\.rdf)$|/(?:feed|rss|atom)/?$|\.(?:rss|atom|rdf)$", re.I
)
"""How the address of a feed ends, as a rule."""
DAY_LETTERS = 10
"""Letters of a day as a sitemap writes it."""


def asked_sites(crawl: Crawl, number: int) -> dict[str, list[str]]:
    """The home pages of the hosts to ask, with links to them that look like feeds.

    `number` differs from turn to turn, so that all get their turn.
    """
    hosts = crawl.frontier.hosts
    worth = hosts.columns["relevance_sum"]
    best = [host for host in np.argsort(-worth, kind="stable").tolist() if worth[host] >= RELEVANT]
    begin = HOSTS * (number % max(-(-len(best) // HOSTS), 1))
    return dict(_site(crawl, host) for host in best[begin : begin + HOSTS])


def _site(crawl: Crawl, host: int) -> tuple[str, list[str]]:
    """The home page of a host, with the scheme of its pages, and what looks like its feeds."""
    known = (crawl.frontier.urls[link] for link in crawl.frontier.hosts.links(host).tolist())
    first = next(known, "https:")
    feeds = list(islice((url for url in (first, *known) if FEED_NAME.search(url)), FEEDS))
    return f"{first.partition(':')[0]}://{crawl.frontier.hosts.names[host]}/", feeds


async def announced_since(
    config: Config, web_name: str, sites: dict[str, list[str]], since: float, now: float
) -> list[tuple[str, float]]:
    """The pages that the sitemaps and feeds of `sites` say have changed after `since`, the latest last."""
    web = open_web(web_name, bodies=True, http=config.http)
    limit = config.http.sitemap_bytes

    async def said(home: str, feeds: list[str]) -> list[tuple[str, float]]:
        found = believed(await _in_sitemaps(web, home, limit), since, now)
        for feed in feeds or await _named_feeds(web, home, limit):
            found += news(await _in_feed(web, feed, home, limit), since, now)
        return found

    try:
        changed = await asyncio.gather(*(said(home, feeds) for home, feeds in sites.items()))
    finally:
        await web.close()
    latest: dict[str, float] = {}
    for url, time in (page for pages in changed for page in pages):
        latest[url] = max(time, latest.get(url, time))
    return sorted(latest.items(), key=lambda page: (page[1], page[0]))[-MOST:]


async def _in_sitemaps(web: Web, home: str, limit: int) -> dict[str, str]:
    """The pages of the sitemaps of a host, with what they say of their last change."""
    if isinstance(web, HttpWeb):
        return await sitemap_entries(web, home)
    return parse_sitemap(await _content(web, f"{home}sitemap.xml", limit), limit, ENTRIES).dated()


async def _named_feeds(web: Web, home: str, limit: int) -> list[str]:
    """The feeds that the home page names in its head."""
    html, _ = decode(await _content(web, home, limit))
    found = (urls.join(home, link) for link in FeedLinks(html).found)
    return list(dict.fromkeys(link for link in found if link))[:FEEDS]


async def _in_feed(web: Web, feed: str, home: str, limit: int) -> dict[str, str]:
    """The dated entries of a feed that are pages of the site of `home`."""
    content = await _content(web, feed, limit)
    read = await asyncio.to_thread(parse_sitemap, content, limit, ENTRIES)
    site = urls.site(urls.host(home))
    dated = read.dated(feed) if read.is_feed else {}
    return {url: when for url, when in dated.items() if urls.site(urls.host(url)) == site}


async def _content(web: Web, url: str, limit: int) -> bytes:
    """What is at `url`; empty where that cannot be fetched."""
    try:
        if isinstance(web, HttpWeb):
            answer, _ = await web.answer(absolute(url), limit)
            return (await web.content(answer, limit))[0] if answer.status == 200 else b""
        response = await web.fetch(url)
    except FetchError:
        return b""
    return response.content if response.status == 200 else b""


def believed(entries: dict[str, str], since: float, now: float) -> list[tuple[str, float]]:
    """Those of the entries of sitemaps that changed after `since`; none where that is said of most."""
    changed = list(_changed(entries, since, now))
    if len(entries) > FEW and len(changed) > AT_MOST * len(entries):
        return []
    return changed


def news(entries: dict[str, str], since: float, now: float) -> list[tuple[str, float]]:
    """Those of the entries of a feed that are later than `since`; none where all have one date."""
    return list(_changed(entries, since, now)) if len({*entries.values()}) > 1 or len(entries) == 1 else []


def _changed(entries: dict[str, str], since: float, now: float) -> Iterator[tuple[str, float]]:
    for url, written in entries.items():
        time = moment_of(written)
        if time is not None and time > since:
            yield url, min(time, now)


def moment_of(written: str) -> float | None:
    """A moment as sitemaps and feeds write it, in seconds since 1970; of a day its end. None where it is no moment."""
    written = written.strip()
    try:
        found = datetime.fromisoformat(written) if written[:1].isdigit() else None
    except ValueError:
        found = None  # RSS: the day of the week may be left out
    try:
        found = found or parsedate_to_datetime(written)
        found = found if found.tzinfo else found.replace(tzinfo=UTC)
        if len(written) == DAY_LETTERS:
            found = found.replace(hour=23, minute=59, second=59)
        return found.timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
