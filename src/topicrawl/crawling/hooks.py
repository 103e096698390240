"""Functions of the user that a crawl calls. Their results are logged: a resume does not call them again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import msgspec

from topicrawl.judge import Judge
from topicrawl.judge.outside import Judgement
from topicrawl.model import REFUSED, Page, Response, Visit
from topicrawl.urls import canonical
from topicrawl.web import Web, Wrapper


class Link(NamedTuple):
    """The argument of `filter_link`."""

    url: str
    anchor: str
    page: str
    """The URL of the page that contains it."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """The functions, each optional.

    `filter_link` says whether a link may be followed. It is called once for each link of each page read; a refused link
    carries the flag REFUSED in the logged page. `fetch` may answer for a URL instead of the web: with HTML, with a
    `Response`, or with None to leave it to the web. `on_page` is called for each visit that fetched a page. `judge`
    says how likely pages are relevant.
    """

    filter_link: Callable[[Link], bool] | None = None
    fetch: Callable[[str], str | bytes | Response | None] | None = None
    on_page: Callable[[Visit, Page], None] | None = None
    judge: Judge | Judgement | None = None

    def around(self, web: Web) -> Web:
        """`web`, with `fetch` called first."""
        return web if self.fetch is None else _FetchedByUser(web, self.fetch)

    def filtered(self, page: Page) -> Page:
        """`page` with the links marked that `filter_link` refuses."""
        if self.filter_link is None or not page.links.urls:
            return page
        links, allows = page.links, self.filter_link
        flags = links.flags or bytes(len(links.urls))
        rows = zip(links.urls, links.anchors, flags, strict=True)
        marked = (
            flag | (0 if allows(Link(url, anchor, page.url)) else REFUSED) for url, anchor, flag in rows
        )
        return _with_flags(page, bytes(marked))


NO_HOOKS = Hooks()


def unfiltered(page: Page) -> Page:
    """`page` as it was read, without the marks of a `filter_link`."""
    if not any(flag & REFUSED for flag in page.links.flags):
        return page
    return _with_flags(page, bytes(flag & ~REFUSED for flag in page.links.flags))


def _with_flags(page: Page, flags: bytes) -> Page:
    return msgspec.structs.replace(page, links=msgspec.structs.replace(page.links, flags=flags))


class _FetchedByUser(Wrapper):
    """A web that calls a function of the user before each fetch."""

    def __init__(self, web: Web, fetch: Callable[[str], str | bytes | Response | None]) -> None:
        super().__init__(web)
        self._fetch = fetch

    async def fetch(self, url: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
        from asyncio import to_thread  # slow to import, and most commands do without it

        answer = await to_thread(self._fetch, url)  # it may block
        if answer is None:
            return await self.web.fetch(url, headers)
        if isinstance(answer, Response):
            content = answer.content or answer.body
            return replace(answer, url=canonical(answer.url) or url, content=content, size=len(content))
        body = answer.encode() if isinstance(answer, str) else answer
        kind = (("content-type", "text/html; charset=utf-8" if isinstance(answer, str) else "text/html"),)
        return Response(url, url, 200, "OK", kind, body=body, content=body, size=len(body))
