"""A crawl listens: it carries out the wishes of its run, within a second of their being added.

Twice a second the event loop looks whether wishes.db was touched; nothing is opened where it was not. A wish becomes an
instruction, which the core carries out and the store logs; then the wish is settled, and the next one is read. What
the log holds counts: a wish that it names is settled and not carried out again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

from topicrawl.crawling.marks import page_of
from topicrawl.crawling.wishes import in_words, instruction_of
from topicrawl.errors import FetchError, RunError, StorageError, TopicrawlError, UsageError
from topicrawl.model import Instruction, Page
from topicrawl.setup.run_config import logged_config
from topicrawl.store import wishes
from topicrawl.store.run import Run
from topicrawl.store.wishes import DONE, REFUSED, Example, GoOn, Marks, Pause, Stop, Undo, Wish
from topicrawl.urls import canonical

SECONDS = 0.5
"""Time between two looks."""
NOT_RUNNING = "the crawl was not running; a resume goes on by itself"

CLOCKS = 3600.0
"""Seconds by which the clocks of those who add wishes may differ."""

Instruct = Callable[[Instruction], Awaitable[None]]
"""Has the crawl carry out an instruction; done when it is in the log. `UsageError` if it may not be."""
Kinds = tuple[type, ...]


class Listener:
    """Carries out the wishes of the run in `path`.

    `page_at` fetches a page that the run does not have, or raises a `FetchError`.
    """

    def __init__(
        self,
        path: Path,
        page_at: Callable[[str], Coroutine[Any, Any, Page]],
        say: Callable[[str], None],
    ) -> None:
        self._path, self._page_at, self._say = path, page_at, say
        self._stamp = wishes.NO_STAMP
        self._fetches: dict[str, asyncio.Task[Page]] = {}
        """The pages that are fetched as examples, by wish; other wishes do not wait for them."""

    async def before(self, instruct: Instruct, stopped: Callable[[], bool]) -> None:
        """Carry out what was asked since the last session; examples that are fetched are waited for."""
        await self._listen(instruct, stale=(Pause, GoOn, Stop))
        while self._fetches and not stopped():
            await asyncio.wait(self._fetches.values(), timeout=SECONDS)
            await self._listen(instruct)

    async def during(self, instruct: Instruct) -> None:
        """Carry out wishes as they are added, until cancelled."""
        while True:
            await asyncio.sleep(SECONDS)
            await self._listen(instruct)

    async def after(self, instruct: Instruct) -> None:
        """Carry out the marks that came too late for the crawl; other wishes wait for the next session."""
        await self._listen(instruct, only=(Marks,))

    async def close(self) -> None:
        """Cancel the fetches of examples; their wishes wait for the next session."""
        for fetch in self._fetches.values():
            fetch.cancel()
        await asyncio.gather(*self._fetches.values(), return_exceptions=True)

    async def _listen(self, instruct: Instruct, *, stale: Kinds = (), only: Kinds = ()) -> None:
        """Carry out the wishes that wait, if any were added since the last time; refuse those that are `stale`."""
        stamp = wishes.stamp(self._path)
        if stamp == self._stamp and not any(fetch.done() for fetch in self._fetches.values()):
            return
        self._stamp = stamp
        try:
            for wish in await asyncio.to_thread(unsettled, self._path):
                if isinstance(wish.body, stale):
                    await asyncio.to_thread(wishes.settle, self._path, wish.id, REFUSED, answer=NOT_RUNNING)
                elif not only or isinstance(wish.body, only):
                    await self._carry_out(wish, instruct)
                    self._forget_withdrawn(wish)
        except (RunError, StorageError) as error:
            self._say(f"wishes are not carried out: {error}")

    async def _carry_out(self, wish: Wish, instruct: Instruct) -> None:
        if await asyncio.to_thread(wishes.withdraw, self._path, wish):
            return
        try:
            if (pages := await self._pages_for(wish)) is None:
                return
            instruction, what = await asyncio.to_thread(_made, self._path, wish, pages)
            await instruct(instruction)
        except (UsageError, FetchError) as error:
            await asyncio.to_thread(wishes.settle, self._path, wish.id, REFUSED, answer=str(error))
            self._say(f"refused: {error}")
        else:
            await asyncio.to_thread(_settle_done, self._path, wish.id)
            self._say(f"asked from outside: {what}")

    def _forget_withdrawn(self, wish: Wish) -> None:
        """End the fetch of an example that was taken back."""
        if isinstance(wish.body, Undo) and (fetch := self._fetches.pop(wish.body.wish, None)):
            fetch.cancel()

    async def _pages_for(self, wish: Wish) -> dict[str, Page] | None:
        """The pages that a wish needs and the run does not have; None while they are fetched."""
        if not isinstance(wish.body, Example):
            return {}
        url, fetch = wish.body.url, self._fetches.get(wish.id)
        if fetch is None:
            if await asyncio.to_thread(_has_page, self._path, url):
                return {}
            self._fetches[wish.id] = asyncio.ensure_future(self._page_at(url))
            return None
        if not fetch.done():
            return None
        del self._fetches[wish.id]
        return {url: fetch.result()}


def unsettled(path: Path) -> list[Wish]:
    """The wishes of a run that wait; those that the log names are settled first."""
    found = wishes.waiting(path)
    if not found:
        return []
    logged = _logged_since(path, min(wish.time for wish in found))
    for wish in found:
        if wish.id in logged:
            wishes.settle(path, wish.id, DONE, seq=logged[wish.id])
    return [wish for wish in found if wish.id not in logged]


def _logged_since(path: Path, earliest: float) -> dict[str, int]:
    """The wishes in the log, and the number of the event of each; at least those added at `earliest` or later."""
    logged = {}
    with Run.open(path, writable=False) as run:
        for seq, _, instruction in run.placed_instructions():
            if instruction.wish and instruction.time < earliest - CLOCKS:
                break
            logged[instruction.wish] = seq
    return logged


def anything_waits(path: Path) -> bool:
    """Whether a resume has wishes to carry out; it says so itself where they cannot be read."""
    try:
        return bool(unsettled(path))
    except (RunError, StorageError):
        return False


def _settle_done(path: Path, wish: str) -> None:
    """Settle a wish that was just logged."""
    with Run.open(path, writable=False) as run:
        places = (seq for seq, _, instruction in run.placed_instructions() if instruction.wish == wish)
        wishes.settle(path, wish, DONE, seq=next(places, None))


def _has_page(path: Path, url: str) -> bool:
    with Run.open(path, writable=False) as run:
        return page_of(run, canonical(url) or url) is not None


def _made(path: Path, wish: Wish, pages: dict[str, Page]) -> tuple[Instruction, str]:
    """The instruction that carries out a wish, and what it says.

    Any process may write wishes, so one of which nothing can be made is refused, whatever is wrong with it.
    """
    try:
        with Run.open(path, writable=False) as run:
            instruction = instruction_of(run, wish, pages)
            first, *others = in_words(instruction, logged_config(run))
    except TopicrawlError:
        raise
    except Exception as error:
        raise UsageError(f"nothing can be made of this wish ({type(error).__name__}: {error})") from error
    return instruction, f"{first} (and {len(others):,} more)" if others else first
