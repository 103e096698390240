"""Which pages a browser renders; what it shows is parsed in place of what came."""

from __future__ import annotations

import importlib.util
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from topicrawl.crawling.parsing.pool import Parsed
from topicrawl.errors import BrowserError, FetchError
from topicrawl.model import DEADLINE, NOT_RENDERED, Page, Rendered, Response, TermCounts
from topicrawl.page.normalize import TEXT_LIMIT
from topicrawl.page.sniff import HTML, XHTML
from topicrawl.web import Web

if TYPE_CHECKING:
    from topicrawl.web.browser.renderer import Renderer

NEVER, AUTO, ALWAYS = "never", "auto", "always"
"""The values of the setting `render`."""
SAID_PAGES = 3
"""Pages that could not be rendered of which the user is told one by one; the summary counts all."""


class Shown(NamedTuple):
    """A page as a browser showed it; `counts` is None where it could not, and `page` is then as it came."""

    response: Response
    page: Page
    counts: TermCounts | None = None


Render = Callable[[Response, Page], Awaitable[Shown | None]]


async def not_rendered(response: Response, page: Page) -> Shown | None:
    """No page is rendered."""
    return None


@dataclass
class Rendering:
    """Renders pages as `mode` says. The browser is started for the first page that needs one."""

    mode: Callable[[], str]
    web: Callable[[], Web]
    """What answers the requests of the browser."""
    parse: Callable[[Response], Awaitable[Parsed | None]]
    say: Callable[[str], None]

    def __post_init__(self) -> None:
        self._renderer: Renderer | None = None
        self._unusable = False
        self._failed = 0

    async def render(self, response: Response, page: Page) -> Shown | None:
        """The page as a browser shows it; None where it is to be read as it came."""
        if not self._wanted(page) or (response.rendered is None and not response.content):
            return None
        rendered = response.rendered or await self._rendered(response)
        parsed = None if rendered is None else await self._parsed(response, rendered)
        if rendered is None or parsed is None or _lost_text(rendered, parsed.page, page):
            return Shown(response, msgspec.structs.replace(page, rendered=NOT_RENDERED))
        shown = msgspec.structs.replace(parsed.page, rendered=rendered.ended, truncated=page.truncated)
        return Shown(replace(response, rendered=rendered), shown, parsed.counts)

    async def close(self) -> None:
        """End the browser."""
        if self._renderer is not None:
            await self._renderer.close()

    def _wanted(self, page: Page) -> bool:
        mode = self.mode()
        if mode == NEVER or page.rendered or page.media_type not in (HTML, XHTML):
            return False
        return mode == ALWAYS or page.needs_script

    async def _rendered(self, response: Response) -> Rendered | None:
        """What the browser shows; None where it cannot, which the user is told."""
        if self._unusable:
            return None
        try:
            return await self._started().render(response)
        except BrowserError as why:
            if not self._unusable:  # of pages that wait at the same time, one tells it
                self._unusable = True
                self.say(f"pages are not rendered: {why}")
        except FetchError as why:
            self._failed += 1
            if self._failed <= SAID_PAGES:
                self.say(f"{response.url} is not rendered, and counts as it came: {why.detail}")
        return None

    def _started(self) -> Renderer:
        if self._renderer is None:
            if importlib.util.find_spec("playwright") is None:
                raise BrowserError(
                    "Playwright is not installed; install it: pip install 'topicrawl[browser]'"
                )
            from topicrawl.web.browser.renderer import Renderer

            self._renderer = Renderer(lambda url, headers: self.web().fetch(url, headers))
        return self._renderer

    async def _parsed(self, response: Response, rendered: Rendered) -> Parsed | None:
        others = tuple(line for line in response.headers if line[0].lower() != "content-type")
        headers = (("content-type", "text/html; charset=utf-8"), *others)
        try:
            return await self.parse(replace(response, content=rendered.html, headers=headers))
        except FetchError:
            return None


def _lost_text(rendered: Rendered, shown: Page, page: Page) -> bool:
    """Whether the time of a page was over before the browser had read all of it: then it says less than as it came.

    Of texts that are cut at the limit nobody can tell.
    """
    is_less = len(shown.text) < len(page.text) or len(page.text) >= TEXT_LIMIT
    return rendered.ended == DEADLINE and is_less
