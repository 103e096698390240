"""Recrawls with conditional requests, and lists the changes since an earlier run.

For a page that is "not modified" no body is sent: the parsed page of the earlier run is used, whose bytes stay in
that run's archive. A page that needs scripts is asked for without conditions: what it shows changes while it does not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from topicrawl.crawling.hooks import unfiltered
from topicrawl.model import Page, Response, Visit
from topicrawl.store.run import Run
from topicrawl.web import Web, Wrapper

CONDITIONS = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}
GONE = (404, 410)
CHANGES = ("new", "changed", "unchanged", "moved", "gone", "failed", "unlinked", "not visited")
"""The kinds of change; docs/runs.md explains each."""
Headers = tuple[tuple[str, str], ...]


class ConditionalWeb(Wrapper):
    """`web`, with "not modified" answered from the run in the folder `earlier`."""

    def __init__(self, web: Web, earlier: Path) -> None:
        super().__init__(web)
        self._earlier = Run.open(earlier, writable=False)
        self._visits = self._all_visits()

    async def fetch(self, url: str, headers: Headers = ()) -> Response:
        """The answer for `url`; an unchanged page is returned parsed, without a body."""
        visit = self._last(url)
        page = self._page(visit) if visit else None
        if visit is None or page is None or page.rendered or page.needs_script:
            return await self.web.fetch(url, headers)
        conditions = self._conditions(visit)
        response = await self.web.fetch(url, (*headers, *conditions))
        if not conditions or response.status != 304:
            return response
        parsed = msgspec.msgpack.encode(unfiltered(page))
        return Response(asked=url, url=url, status=200, reason="OK", size=visit.bytes, parsed=parsed)

    async def close(self) -> None:
        """Close the web and the earlier run."""
        self._earlier.close()
        await self.web.close()

    def _all_visits(self) -> dict[str, Visit]:
        return {visit.url: visit for visit in self._earlier.visits() if visit.fetched}

    def _last(self, url: str) -> Visit | None:
        """The earlier visit of a page."""
        return self._visits.get(url)

    def _page(self, visit: Visit) -> Page | None:
        """The page of an earlier visit."""
        return self._earlier.page(visit.url)

    def _conditions(self, visit: Visit) -> Headers:
        """Request headers from the page's validators; none if it was redirected or not archived."""
        record = self._earlier.record(visit.n) if visit.asked == visit.url else None
        found = {name.lower(): value for name, value in record.headers} if record else {}
        return tuple((CONDITIONS[name], found[name]) for name in CONDITIONS if found.get(name))


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of changes.jsonl: a page, one of `CHANGES`, the new URL if moved, the error if failed."""

    url: str
    change: str
    to: str = ""
    error: str = ""


def changes(earlier: Run, now: Run, seeds: Iterable[str] = ()) -> Iterator[Change]:
    """The change of each page of `earlier`, and each page that is new in `now`: one change per page.

    Only a page that was requested can be "gone". Another is "unlinked" if no page of `now` links to it and it is
    none of its `seeds`: it may have been deleted. Else it is "not visited": the crawl ended before.
    """
    before = {visit.url: _fingerprint(page) for visit, page in earlier.pages()}
    reported: set[str] = set()
    linked = set(seeds)
    for visit, page in now.pages():
        known = before.get(visit.url)
        same = known == _fingerprint(page)
        yield Change(visit.url, "new" if known is None else "unchanged" if same else "changed")
        reported.add(visit.url)
        linked.update(page.links.urls)
    for visit in now.visits():
        if visit.asked in before and visit.asked not in reported:
            yield _not_fetched(visit)
            reported.add(visit.asked)
    for url in before:
        if url not in reported:
            yield Change(url, "not visited" if url in linked else "unlinked")


def _not_fetched(visit: Visit) -> Change:
    """The change of a page that was requested but not fetched under its URL."""
    if visit.fetched or visit.error == "duplicate":
        return Change(visit.asked, "moved", to=visit.url)
    if visit.status in GONE:
        return Change(visit.asked, "gone")
    return Change(visit.asked, "failed", error=visit.error or "")


def _fingerprint(page: Page) -> bytes:
    return hashlib.blake2b(msgspec.msgpack.encode(unfiltered(page)), digest_size=16).digest()
