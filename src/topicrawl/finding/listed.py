"""Lists that are on the web: sitemaps (with those of an index), feeds, OPML and pages, fetched like any page."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable

from topicrawl.errors import FetchError
from topicrawl.setup.seeds import Listing, read_listing
from topicrawl.web.http import HttpWeb
from topicrawl.web.http.redirects import absolute


async def fetched_lists(
    web: HttpWeb, places: Iterable[str], remark: Callable[[str], None]
) -> AsyncGenerator[tuple[str, Listing], None]:
    """The links of each list, and of the sitemaps that it names; `remark` is told of lists that cannot be fetched."""
    for place in places:
        waiting, seen = deque([(place, 0)]), set[str]()
        while waiting and len(seen) < web.settings.sitemap_files:
            url, depth = waiting.popleft()
            if url in seen:
                continue
            seen.add(url)
            try:
                listing = await _fetched(web, url)
            except FetchError as failure:
                remark(f"{url} cannot be fetched ({failure}); skipped")
                continue
            if listing.damage:
                remark(f"{url} {listing.damage}")
            yield place, listing
            if depth < web.settings.sitemap_depth:
                waiting.extend((each, depth + 1) for each in listing.sitemaps)


async def _fetched(web: HttpWeb, url: str) -> Listing:
    limit = web.settings.sitemap_bytes
    answer, _ = await web.answer(absolute(url), limit)
    if answer.status != 200:
        raise FetchError("http", f"status {answer.status}", status=answer.status)
    content, _ = await web.content(answer, limit)
    return await asyncio.to_thread(read_listing, content, answer.url)
