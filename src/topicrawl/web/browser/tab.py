"""A tab of the browser: a page is opened in it, waited for until it is quiet, and copied."""

from __future__ import annotations

import asyncio
import html
import json
from contextlib import suppress
from importlib.resources import files
from time import monotonic
from typing import Any

from playwright.async_api import BrowserContext, CDPSession, Dialog, Page, Request, Route, WebSocketRoute
from playwright.async_api import Error as PlaywrightError

from topicrawl.errors import FetchError
from topicrawl.model import DEADLINE, QUIET, Rendered, Response
from topicrawl.web.browser.requests import MOST_LEADS, Requests

QUIET_SECONDS = 0.5
"""A page that waits for no timer is ready when for this long nothing in it changed and nothing was asked."""
TIMER_SECONDS = 3.5
"""A page that waits for a timer (timers.js) is ready when for this long nothing in it changed and nothing was asked."""
SECONDS = 10.0
"""Its time; while a request is in flight it does not run."""
LONGEST = 120.0
"""Its time with all requests."""
POLL = 0.1
COPY_SECONDS = {QUIET: (10.0, 5.0), DEADLINE: (0.5, 0.5, 1.0, 2.0, 4.0, 8.0)}
"""How long the copy of a page may take; after each of these, what runs in it is stopped, then it is tried again."""
STOP_SECONDS = 0.5
MOST_MARKUP = 10 << 20
"""Characters of markup that are taken."""
CLICKS, CLICK_SECONDS, ALL_CLICKS_SECONDS = 20, 0.03, 5.0
"""Elements that are clicked, the time that each has to lead somewhere, and the longest time for all of them."""
CLEAR_SECONDS = 3.0
"""Longest time to leave a page; a tab that takes longer is closed."""
WORLD = "topicrawl"
WATCH, TIMERS = (
    (files("topicrawl.web.browser") / name).read_text("utf-8") for name in ("watch.js", "timers.js")
)
RENDER = "render"
"""The kind of `FetchError` of a page that cannot be rendered."""
CONTEXT: dict[str, Any] = {
    "accept_downloads": False,
    "service_workers": "block",
    "permissions": [],
    "viewport": {"width": 1280, "height": 2000},
    "locale": "en-US",
    "timezone_id": "UTC",
}


class Tab:
    """A tab in a context of its own, for pages of one site, one after the other."""

    def __init__(self, context: BrowserContext, site: str) -> None:
        self.site = site
        self.pages = 0
        """Pages begun."""
        self.crashed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when its process has died."""
        self._context = context
        self._page: Page
        self._devtools: CDPSession
        self._frame = ""
        self._requests: Requests | None = None
        self._wanted: list[str] = []
        """Pages that the page wanted to go to, since this was last emptied."""
        self._world: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def open(self) -> None:
        """Open it; to be called once."""
        await self._context.route("**/*", self._answer)
        await self._context.route_web_socket("**/*", _refuse_socket)
        page = self._page = await self._context.new_page()
        page.on("dialog", _dismiss)
        page.on("crash", self._note_crash)
        self._context.on("page", _close)
        devtools = self._devtools = await self._context.new_cdp_session(page)
        devtools.on("Runtime.executionContextCreated", self._note_world)
        devtools.on("Page.frameRequestedNavigation", self._note_wanted)
        devtools.on("Page.windowOpen", self._note_wanted)
        await devtools.send("Page.enable")
        self._frame = (await devtools.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        await devtools.send("Runtime.enable")
        await devtools.send("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH, "worldName": WORLD})
        await devtools.send("Page.addScriptToEvaluateOnNewDocument", {"source": TIMERS})

    async def render(self, response: Response, requests: Requests, seconds: float = SECONDS) -> Rendered:
        """Open the page, wait for it, and copy what it shows; `FetchError` if it does not answer."""
        self.pages += 1
        self._requests = requests
        self._world = asyncio.get_running_loop().create_future()
        began = monotonic()
        await self._page.goto(response.url, wait_until="commit", timeout=SECONDS * 1000)
        ended = await self._settled(requests, began, seconds)
        markup = await self._markup(response.url, ended)
        if ended == QUIET:
            requests.refuses_all = True  # so that no click can reach anything
            with suppress(PlaywrightError, TimeoutError):
                async with asyncio.timeout(ALL_CLICKS_SECONDS):
                    await self._click(requests.leads)
        markup += "".join(_link(url, text) for url, text in requests.leads.items())
        return Rendered(markup.encode("utf-8", "replace"), ended, tuple(requests.resources))

    async def clear(self, origin: str) -> None:
        """Leave the page, and delete what it has stored: the next one finds nothing of it."""
        self._requests = None
        async with asyncio.timeout(CLEAR_SECONDS):
            await self._page.goto("about:blank")
            await self._devtools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
            await self._context.clear_cookies()

    async def close(self) -> None:
        """Close it, with its context."""
        await self._context.close()

    async def _answer(self, route: Route, request: Request) -> None:
        if self._requests is not None:
            await self._requests.answer(route, request)
        else:  # of a page that is being left
            with suppress(PlaywrightError):
                await route.abort("aborted")

    def _note_world(self, event: dict[str, Any]) -> None:
        """Note the context in which our script runs; a page that leaves makes another."""
        created = event["context"]
        if created["name"] == WORLD and created["auxData"]["frameId"] == self._frame:
            if self._world.done():
                self._world = asyncio.get_running_loop().create_future()
            self._world.set_result(created["id"])

    def _note_wanted(self, event: dict[str, Any]) -> None:
        """Note where the page wants to go. The browser tells it before the click that caused it has ended."""
        is_page = event.get("frameId", self._frame) == self._frame and event["url"].startswith(
            ("http://", "https://")
        )
        if is_page and len(self._wanted) < MOST_LEADS:
            self._wanted.append(event["url"])

    def _note_crash(self, page: Page) -> None:
        if not self.crashed.done():
            self.crashed.set_result(None)

    async def _settled(self, requests: Requests, began: float, seconds: float) -> str:
        """Wait until the page is quiet or its time is over; which of them it was."""
        while True:
            await asyncio.sleep(POLL)
            left = min(seconds + requests.waited, LONGEST) - (monotonic() - began)
            if left <= 0:
                return DEADLINE
            if requests.in_flight:
                continue
            try:
                async with asyncio.timeout(left):
                    state = await self._call("state()")
            except TimeoutError:
                return DEADLINE
            if state and state["ready"]:
                needed = TIMER_SECONDS if state["timers"] > 0 else QUIET_SECONDS
                if min(state["quiet"] / 1000, requests.quiet) >= needed:
                    return QUIET

    async def _markup(self, home: str, ended: str) -> str:
        """The markup of the page at `home`; scripts that do not end are stopped."""
        call = f"markup({json.dumps(home)}, {MOST_MARKUP})"
        for seconds in COPY_SECONDS[ended]:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    if markup := await self._call(call):
                        return str(markup)
            with suppress(TimeoutError):
                async with asyncio.timeout(STOP_SECONDS):
                    await self._devtools.send("Runtime.terminateExecution")
        raise FetchError(RENDER, "its scripts do not end")

    async def _click(self, leads: dict[str, str]) -> None:
        """Click what handles clicks: where it leads becomes a link. Nothing is answered meanwhile."""
        for element, text in await self._clickable():
            before, known = await self._call("place()"), set(leads)
            self._wanted.clear()
            await self._on(element, "function() { this.click() }")
            leads.update((url, text) for url in self._wanted if url not in known)
            await asyncio.sleep(CLICK_SECONDS)
            leads.update((url, text) for url in leads if url not in known)
            if (now := await self._call("place()")) != before:
                leads.setdefault(now, text)
                await self._evaluate("history.back()")
                await asyncio.sleep(CLICK_SECONDS)

    async def _clickable(self) -> list[tuple[str, str]]:
        """The elements that handle clicks themselves, as objects of our world, with their texts.

        All are found before the first click, which may take others out of the document: they still lead somewhere.
        """
        document = await self._devtools.send("DOM.getDocument", {"depth": 0})
        theirs = await self._devtools.send("DOM.resolveNode", {"nodeId": document["root"]["nodeId"]})
        heard = await self._devtools.send(
            "DOMDebugger.getEventListeners", {"objectId": theirs["object"]["objectId"], "depth": -1}
        )
        nodes = [each["backendNodeId"] for each in heard["listeners"] if each["type"] == "click"]
        world = await self._world
        found = []
        for node in list(dict.fromkeys(nodes))[:CLICKS]:
            resolved = await self._devtools.send(
                "DOM.resolveNode", {"backendNodeId": node, "executionContextId": world}
            )
            element = resolved["object"]["objectId"]
            text = await self._on(element, "function() { return topicrawl.clickable(this) }")
            if text is not None:
                found.append((element, text))
        return found

    async def _call(self, expression: str) -> Any:
        return await self._evaluate(f"topicrawl.{expression}")

    async def _evaluate(self, expression: str) -> Any:
        asked = {"expression": expression, "contextId": await self._world, "returnByValue": True}
        return _result(await self._devtools.send("Runtime.evaluate", asked))

    async def _on(self, element: str, function: str) -> Any:
        asked = {"objectId": element, "functionDeclaration": function, "returnByValue": True}
        return _result(await self._devtools.send("Runtime.callFunctionOn", asked))


def _result(answer: dict[str, Any]) -> Any:
    """The result of an expression; None where it raised an exception."""
    return None if "exceptionDetails" in answer else answer["result"].get("value")


def _link(url: str, text: str) -> str:
    return f'<p><a href="{html.escape(url)}">{html.escape(text)}</a></p>'


async def _refuse_socket(socket: WebSocketRoute) -> None:
    await socket.close()


async def _dismiss(dialog: Dialog) -> None:
    """Close a dialog; one that asks whether to leave the page is agreed to."""
    with suppress(PlaywrightError):
        await (dialog.accept() if dialog.type == "beforeunload" else dialog.dismiss())


async def _close(page: Page) -> None:
    with suppress(PlaywrightError):
        await page.close()
