"""The URLs in a site's sitemaps: those named in its robots.txt, and /sitemap.xml.

Sitemaps are fetched like pages, with robots.txt and politeness; links to other sites are ignored.
"""

from __future__ import annotations

import asyncio
from collections import deque
from itertools import islice

from topicrawl import urls
from topicrawl.errors import FetchError
from topicrawl.urls import origin
from topicrawl.web.http import HttpWeb
from topicrawl.web.http.redirects import absolute
from topicrawl.web.http.sitemap_file import Sitemap, parse_sitemap


async def sitemap_urls(web: HttpWeb, host: str) -> list[str]:
    """The canonical URLs in all sitemaps of `host` (or of the host of that URL), each once, in their order.

    Of missing, forbidden or damaged sitemaps the readable part is used.
    """
    return list(await sitemap_entries(web, host))


async def sitemap_entries(web: HttpWeb, host: str) -> dict[str, str]:
    """The same, each with when its page changed last, as written; empty where that is not said."""
    settings = web.settings
    home = absolute(host if "://" in host else f"https://{host}/")
    found: dict[str, str] = {}
    seen: set[str] = set()
    waiting = deque((url, 0) for url in await _named(web, home))
    while waiting and len(found) < settings.sitemap_urls and len(seen) < settings.sitemap_files:
        url, depth = waiting.popleft()
        if url in seen:
            continue
        seen.add(url)
        sitemap = await _read(web, url)
        links = _same_site(sitemap.canonical(url), home)
        if not sitemap.is_index:
            when = sitemap.dated(url)
            found.update((link, when.get(link, "")) for link in links)
        elif depth < settings.sitemap_depth:
            waiting.extend((link, depth + 1) for link in links)
    return dict(islice(found.items(), settings.sitemap_urls))


async def _named(web: HttpWeb, home: str) -> list[str]:
    """The possible URLs of a site's sitemaps; none if its robots.txt is unreachable."""
    try:
        rules = await web.robots.rules(origin(home))
    except FetchError:
        return []
    named = [urls.join(home, sitemap) for sitemap in (*rules.sitemaps, "/sitemap.xml")]
    return _same_site([url for url in named if url], home)


def _same_site(links: list[str], home: str) -> list[str]:
    site = urls.site(urls.host(home))
    return [link for link in links if urls.site(urls.host(link)) == site]


async def _read(web: HttpWeb, url: str) -> Sitemap:
    limit = web.settings.sitemap_bytes
    try:
        answer, _ = await web.answer(url, limit)
        if answer.status != 200:
            return Sitemap()
        content, _ = await web.content(answer, limit)
    except FetchError:
        return Sitemap()
    return await asyncio.to_thread(parse_sitemap, content, limit, web.settings.sitemap_urls)
