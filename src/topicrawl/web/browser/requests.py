"""Answers the requests of one rendered page: from what was fetched already, by our own fetcher, or not at all.

| what the page asks for                   | answer |
|---|---|
| itself                                   | the answer that the crawl has |
| scripts and data (script, fetch, XHR)    | fetched like pages: guard, robots.txt, politeness, limits; GET only |
| style sheets                             | an empty one: nothing is drawn |
| another page: it leads away, or opens it | refused; it becomes a link of the page |
| all else: images, media, fonts, frames   | refused |
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Request, Route

from topicrawl.errors import FetchError
from topicrawl.model import Response

Fetch = Callable[[str, tuple[tuple[str, str], ...]], Awaitable[Response]]

FETCHED = frozenset({"script", "fetch", "xhr"})
"""The resource types that are fetched."""
MOST_REQUESTS = 100
MOST_BYTES = 30 << 20
"""Requests that are answered for one page, and their bytes."""
MOST_LEADS = 20
"""Pages that scripts lead to, of one page."""
KEPT = frozenset(
    {
        *("content-type", "content-language", "content-security-policy", "x-content-type-options"),
        *("access-control-allow-origin", "access-control-allow-credentials", "access-control-expose-headers"),
    }
)
"""Headers of answers that the browser is told."""
CACHED_BYTES = 64 << 20


class Scripts:
    """Scripts that earlier pages have fetched: most pages of a site need the same."""

    def __init__(self, limit: int = CACHED_BYTES) -> None:
        self._limit = limit
        self._held: OrderedDict[str, Response] = OrderedDict()
        self._bytes = 0

    def get(self, url: str) -> Response | None:
        """The script at `url`, if it is held."""
        if (found := self._held.get(url)) is not None:
            self._held.move_to_end(url)
        return found

    def put(self, url: str, answer: Response) -> None:
        """Hold an answer, unless it asks not to be stored; the longest unused ones are dropped."""
        if answer.status != 200 or "no-store" in answer.header("cache-control").lower() or url in self._held:
            return
        self._held[url] = answer
        self._bytes += len(answer.content)
        while self._bytes > self._limit:
            self._bytes -= len(self._held.popitem(last=False)[1].content)


class Requests:
    """The requests of one page, whose answer the crawl has."""

    def __init__(self, page: Response, fetch: Fetch, scripts: Scripts) -> None:
        self._page = page
        self._fetch = fetch
        self._scripts = scripts
        self._begun = False
        self._tasks: set[asyncio.Task[Response]] = set()
        self._count = self._bytes = 0
        self._changed = monotonic()
        """When something was last asked or answered."""
        self._waited = 0.0
        self.resources: list[Response] = []
        self.leads: dict[str, str] = {}
        """Pages that scripts wanted to go to or open, and the text of what was clicked."""
        self.refuses_all = False

    @property
    def in_flight(self) -> int:
        """Requests that are not answered yet."""
        return len(self._tasks)

    @property
    def quiet(self) -> float:
        """Seconds since something was asked or answered."""
        return 0.0 if self._tasks else monotonic() - self._changed

    @property
    def waited(self) -> float:
        """Seconds in which at least one request was in flight."""
        return self._waited + (monotonic() - self._changed if self._tasks else 0.0)

    async def answer(self, route: Route, request: Request) -> None:
        """Answer one request."""
        with suppress(PlaywrightError):  # the page is gone
            if request.is_navigation_request():
                await self._navigate(route, request)
            elif request.resource_type == "stylesheet":
                await route.fulfill(status=200, content_type="text/css", body="")
            elif self._may_fetch(request):
                await self._answer_fetched(route, request)
            else:
                await route.abort("blockedbyclient")

    def close(self) -> None:
        """Cancel what is in flight."""
        self.refuses_all = True
        for task in self._tasks:
            task.cancel()

    async def _navigate(self, route: Route, request: Request) -> None:
        """The first is for the page itself. `aborted` leaves the page where it is; other errors would replace it."""
        is_main = _is_main(request)
        if is_main and not self._begun:
            self._begun = True
            await _fulfil(route, self._page)
            return
        if is_main and len(self.leads) < MOST_LEADS:
            self.leads.setdefault(request.url, "")
        await route.abort("aborted")

    def _may_fetch(self, request: Request) -> bool:
        return (
            not self.refuses_all
            and request.method == "GET"
            and request.resource_type in FETCHED
            and request.url.startswith(("http://", "https://"))
            and self._count < MOST_REQUESTS
            and self._bytes < MOST_BYTES
        )

    async def _answer_fetched(self, route: Route, request: Request) -> None:
        url, is_script = request.url.partition("#")[0], request.resource_type == "script"
        held = self._scripts.get(url) if is_script else None
        if held is not None:
            await _fulfil(route, held)
            return
        self._count += 1
        headers = () if is_script else (("Accept", request.headers.get("accept", "*/*")),)
        answer = await self._fetched(url, headers)
        if answer is None:
            await route.abort("failed")
            return
        self.resources.append(answer)
        self._bytes += len(answer.content)
        if is_script:
            self._scripts.put(url, answer)
        await _fulfil(route, answer)

    async def _fetched(self, url: str, headers: tuple[tuple[str, str], ...]) -> Response | None:
        """What our fetcher answers; None if it does not."""
        task = asyncio.ensure_future(self._fetch(url, headers))
        self._note()
        self._tasks.add(task)
        try:
            await asyncio.wait([task])
        finally:
            self._note()
            self._tasks.discard(task)
        if task.cancelled() or isinstance(task.exception(), FetchError):
            return None
        return task.result()

    def _note(self) -> None:
        """Something is asked or answered now."""
        self._waited, self._changed = self.waited, monotonic()


def _is_main(request: Request) -> bool:
    """Whether a navigation is that of a whole window, not of a frame in it."""
    try:
        return request.frame.parent_frame is None
    except PlaywrightError:  # the window is not there yet
        return True


async def _fulfil(route: Route, answer: Response) -> None:
    headers = {name.lower(): value for name, value in answer.headers if name.lower() in KEPT}
    plain = {name: value for name, value in headers.items() if value.isprintable() and value.isascii()}
    await route.fulfill(status=answer.status, headers=plain, body=answer.content)
