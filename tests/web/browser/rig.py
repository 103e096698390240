"""A renderer with a real Chromium in a thread of its own, and a server on loopback whose pages it renders."""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from topicrawl.errors import BrowserError
from topicrawl.model import Page, Rendered
from topicrawl.page.read import read
from topicrawl.web.browser.find import Found, find_browser
from topicrawl.web.browser.tab import SECONDS
from web.http.loopback import Site, browse, reply, serve

T = TypeVar("T")
BOUND = 60
"""Seconds after which anything here has failed."""
SHORT = 1.5
"""The time of pages that are to use up their time; others have the time of a crawl, as this machine may be busy."""
LONG = pytest.mark.skipif(
    "TOPICRAWL_BROWSER_TESTS" not in os.environ, reason="takes long; `make browser-test` runs it"
)


class Rig:
    """Renders pages of `site`, which is every host of `.test`."""

    site: Site

    def __init__(self, found: Found, **changes: Any) -> None:
        from topicrawl.web.browser.renderer import Renderer

        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._stack = AsyncExitStack()

        async def begin() -> None:
            self.site = await self._stack.enter_async_context(serve({}))
            self.web = await self._stack.enter_async_context(browse(self.site))
            self.renderer = Renderer(self.web.fetch, **{"found": found} | changes)
            self._stack.push_async_callback(self.renderer.close)

        self.run(begin())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(BOUND)

    def begin(self, markup: str, url: str = "http://a.test/", seconds: float = SECONDS, **more: bytes) -> Any:
        """Start to render a page; returns a future."""
        self.renderer._seconds = seconds
        self.site.log.clear()
        self.site.pages.clear()
        self.site.pages["/"] = reply(markup)
        self.site.pages.update({f"/{name.replace('__', '/')}": body for name, body in more.items()})

        async def work() -> Rendered:
            return await self.renderer.render(await self.web.fetch(url))

        return asyncio.run_coroutine_threadsafe(work(), self._loop)

    def show(
        self, markup: str, url: str = "http://a.test/", seconds: float = SECONDS, **more: bytes
    ) -> tuple[Rendered, Page]:
        """What the browser shows of a page, also as it is read."""
        rendered: Rendered = self.begin(markup, url, seconds, **more).result(BOUND)
        page = read(url, rendered.html, "text/html; charset=utf-8")
        assert page is not None
        return rendered, page

    def asked(self) -> list[str]:
        """The paths that the server was asked for, in order, without the page and robots.txt."""
        return [path for path in self.site.paths if path not in ("/", "/robots.txt")]

    def browser_pid(self) -> int:
        """The process of the browser, which is started if it does not run."""

        async def ask() -> int:
            while not await (started := await self.renderer._browser()).answers():
                started.retired = True  # killed, and nobody has noticed yet
            told = await started.devtools.send("SystemInfo.getProcessInfo")
            return next(int(each["id"]) for each in told["processInfo"] if each["type"] == "browser")

        return self.run(ask())

    def driver_pid(self) -> int:
        """Playwright's own process: the parent of the browser's."""
        status = Path(f"/proc/{self.browser_pid()}/status").read_text()
        parent = next(line for line in status.splitlines() if line.startswith("PPid:"))
        return int(parent.split()[1])

    def close(self) -> None:
        self.run(self._stack.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def usable_browser() -> Found:
    """The browser; the test is skipped where there is none."""
    try:
        return find_browser()
    except BrowserError as why:
        pytest.skip(f"no browser to render with: {why}")


@contextmanager
def rig(**changes: Any) -> Iterator[Rig]:
    made = Rig(changes.pop("found", None) or usable_browser(), **changes)
    try:
        yield made
    finally:
        made.close()


def script(body: str) -> bytes:
    return reply(body, content_type="text/javascript")


def fake_browser(folder: Path, said: str, then: str = "exit 1") -> str:
    """A program that says `said` when it is asked for its version, and else runs the commands `then`."""
    path = folder / "chromium"
    path.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo "{said}"; exit; fi\n{then}\n')
    path.chmod(0o755)
    folder.chmod(0o755)
    return str(path)


def needs(program: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"no {program} on the PATH")
