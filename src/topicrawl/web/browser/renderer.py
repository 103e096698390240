"""The browser of a crawl: started for the first page, shared by several pages at a time, replaced when it dies.

A tab has a context of its own and is for the pages of one site, one after the other; what a page stores is deleted
after it. A tab is closed after a number of pages, and when a page of it did not become quiet. A page whose browser died
is tried once more in a new one. The browser is replaced after a number of pages, and a process of it that grows too
large is killed.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from topicrawl.errors import BrowserError, FetchError
from topicrawl.model import QUIET, Rendered, Response
from topicrawl.urls import host, origin, site
from topicrawl.web.browser.find import Found, find_browser
from topicrawl.web.browser.launch import END_SECONDS, Started, start
from topicrawl.web.browser.requests import Fetch, Requests, Scripts
from topicrawl.web.browser.tab import CONTEXT, LONGEST, RENDER, SECONDS, Tab

T = TypeVar("T")

CONTEXTS = 4
"""Pages that are rendered at a time, and tabs that are kept."""
TAB_PAGES = 25
"""Pages after which a tab is closed."""
RECYCLE = 500
"""Pages after which the browser is replaced."""
TRIES = 2
"""Browsers in which a page is tried."""
MEMORY = 1 << 30
"""Bytes that one process of the browser may hold; a page has a process of its own."""
LOOK_SECONDS = 0.25
"""Seconds between two looks at the memory."""
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class DiedError(Exception):
    """The browser, or the process of the page, died."""


class Renderer:
    """Renders pages; `fetch` answers what they ask for. For one event loop."""

    def __init__(
        self,
        fetch: Fetch,
        *,
        found: Found | None = None,
        contexts: int = CONTEXTS,
        recycle: int = RECYCLE,
        seconds: float = SECONDS,
    ) -> None:
        self._fetch = fetch
        self._seconds = seconds
        self._recycle = recycle
        self._contexts = contexts
        self._slots = asyncio.Semaphore(contexts)
        self._starting = asyncio.Lock()
        self._found = found
        self._started: Started | None = None
        self._scripts = Scripts()
        self._background: set[asyncio.Task[None]] = set()

    async def render(self, response: Response) -> Rendered:
        """What a browser shows of a page; `FetchError` if it shows nothing, `BrowserError` if there is no browser."""
        async with self._slots:
            for _ in range(TRIES):
                started = await self._browser()
                started.pages, started.active = started.pages + 1, started.active + 1
                try:
                    return await self._render(started, response)
                except DiedError:
                    started.retired |= not await started.answers()
                    continue
                finally:
                    started.active -= 1
                    self._end_if_over(started)
        raise FetchError(RENDER, f"the browser died {TRIES} times")

    async def close(self) -> None:
        """End the browser."""
        if self._started is not None:
            self._keep(self._started.end())
        await asyncio.gather(*self._background, return_exceptions=True)

    async def _browser(self) -> Started:
        """The browser: the one that runs, or a new one."""
        async with self._starting:
            if self._started is not None:
                self._started.retired |= self._started.pages >= self._recycle
                self._end_if_over(self._started)
            if self._started is None or not self._started.usable:
                if self._found is None:
                    self._found = await asyncio.to_thread(find_browser)
                try:
                    self._started = await start(self._found)
                except BrowserError:
                    self._started = await start(self._found)  # once more: the machine may have been busy
                self._started.watcher = asyncio.create_task(_bound_memory(self._started))
            return self._started

    def _end_if_over(self, started: Started) -> None:
        """End a browser that is dead, or that is to be replaced and has no page under way."""
        if not started.browser.is_connected() or (started.retired and not started.active):
            self._keep(started.end())

    async def _render(self, started: Started, response: Response) -> Rendered:
        """Render in a tab of the page's site; `DiedError` if its process dies meanwhile."""
        requests = Requests(response, self._fetch, self._scripts)
        tab = await _while_alive(started, None, self._tab(started, site(host(response.url))))
        goes_on = False
        try:
            rendered = await _while_alive(started, tab, tab.render(response, requests, self._seconds))
            if rendered.ended == QUIET and tab.pages < TAB_PAGES:
                with suppress(DiedError, FetchError, TimeoutError):
                    await _while_alive(started, tab, tab.clear(origin(response.url)))
                    goes_on = started.usable
            return rendered
        finally:
            requests.close()
            if goes_on:
                started.idle.append(tab)
            else:
                self._keep(asyncio.create_task(_close(started, tab)))

    async def _tab(self, started: Started, site: str) -> Tab:
        """An idle tab of this site, or a new one; then an idle one of another site is closed if there are many."""
        for tab in started.idle:
            if tab.site == site:
                started.idle.remove(tab)
                return tab
        if len(started.idle) + started.active > self._contexts and started.idle:
            self._keep(asyncio.create_task(_close(started, started.idle.pop(0))))
        tab = Tab(await started.browser.new_context(**CONTEXT), site)
        await tab.open()
        return tab

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._background.add(task)
        task.add_done_callback(self._background.discard)


async def _while_alive(started: Started, tab: Tab | None, work: Coroutine[Any, Any, T]) -> T:
    """The result of work in the browser; `DiedError` if it, or the process of the tab, dies or does not answer."""
    task = asyncio.ensure_future(work)
    ends: set[asyncio.Future[Any]] = {task, started.died, *([tab.crashed] if tab else [])}
    try:
        await asyncio.wait(ends, timeout=LONGEST + 30, return_when=asyncio.FIRST_COMPLETED)
        if not task.done() or task.cancelled():  # Playwright cancels its own calls where its process has died
            raise DiedError
        return task.result()
    except (DiedError, FetchError):
        raise
    except Exception as error:  # whatever the browser answered costs this page, and not the crawl
        if tab is None or tab.crashed.done() or not await started.answers():
            raise DiedError from error
        raise FetchError(RENDER, str(error).partition("\n")[0][:200] or type(error).__name__) from error
    finally:
        task.cancel()


async def _close(started: Started, tab: Tab) -> None:
    """Close a tab; a browser that does not do that hangs, and is replaced."""
    try:
        await asyncio.wait_for(tab.close(), END_SECONDS)
    except TimeoutError:
        started.end()
    except Exception:  # it is dead already
        return


async def _bound_memory(started: Started) -> None:
    """Kill processes of the browser that grow too large: the page of one dies with it, and no other."""
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        if not started.active:
            continue
        try:
            told = await started.devtools.send("SystemInfo.getProcessInfo")
        except Exception:  # it is dead
            return
        for process in told["processInfo"]:
            if process["type"] == "renderer" and _resident(process["id"]) > MEMORY:
                with suppress(OSError):
                    os.kill(process["id"], signal.SIGKILL)


def _resident(pid: int) -> int:
    """Bytes of memory that a process holds; 0 if it is gone, or where /proc does not tell."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_BYTES
    except (OSError, ValueError, IndexError):
        return 0
