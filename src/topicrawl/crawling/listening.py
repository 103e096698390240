"""A crawl listens: it carries out the wishes of its run, within a second of their being added.

Once a second the event loop looks whether wishes.db was touched; nothing is opened where it was not. A wish becomes an
instruction, which the core carries out and the store logs; then the wish is settled, and the next one is read. What
the log holds counts: a wish that it names is settled and not carried out again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from topicrawl.crawling.wishes import instruction_of
from topicrawl.errors import FetchError, RunError, StorageError, UsageError
from topicrawl.model import Instruction, Page
from topicrawl.store import wishes
from topicrawl.store.run import Run
from topicrawl.store.wishes import DONE, REFUSED, Example, GoOn, Marks, Pause, Stop, Wish
from topicrawl.urls import canonical

SECONDS = 1.0
"""Time between two looks."""
NOT_RUNNING = "the crawl was not running; a resume goes on by itself"

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
        page_at: Callable[[str], Awaitable[Page]],
        say: Callable[[str], None],
    ) -> None:
        self._path, self._page_at, self._say = path, page_at, say
        self._stamp = wishes.NO_STAMP

    async def before(self, instruct: Instruct) -> None:
        """Carry out what was asked since the last session."""
        await self._listen(instruct, stale=(Pause, GoOn, Stop))

    async def during(self, instruct: Instruct) -> None:
        """Carry out wishes as they are added, until cancelled."""
        while True:
            await asyncio.sleep(SECONDS)
            await self._listen(instruct)

    async def after(self, instruct: Instruct) -> None:
        """Carry out the marks that came too late for the crawl; other wishes wait for the next session."""
        await self._listen(instruct, only=(Marks,))

    async def _listen(self, instruct: Instruct, *, stale: Kinds = (), only: Kinds = ()) -> None:
        """Carry out the wishes that wait, if any were added since the last time; refuse those that are `stale`."""
        stamp = wishes.stamp(self._path)
        if stamp == self._stamp:
            return
        self._stamp = stamp
        try:
            for wish in await asyncio.to_thread(unsettled, self._path):
                if not only or isinstance(wish.body, only):
                    await self._carry_out(wish, instruct, is_stale=isinstance(wish.body, stale))
        except (RunError, StorageError) as error:
            self._say(f"wishes are not carried out: {error}")

    async def _carry_out(self, wish: Wish, instruct: Instruct, *, is_stale: bool) -> None:
        try:
            if is_stale:
                raise UsageError(NOT_RUNNING)
            instruction = await self._instruction(wish)
            await instruct(instruction)
        except (UsageError, FetchError) as error:
            await asyncio.to_thread(wishes.settle, self._path, wish.id, REFUSED, answer=str(error))
            self._say(f"refused: {error}")
        else:
            await asyncio.to_thread(_settle_done, self._path, wish.id)

    async def _instruction(self, wish: Wish) -> Instruction:
        pages: dict[str, Page] = {}
        if isinstance(wish.body, Example) and not await asyncio.to_thread(
            _has_page, self._path, wish.body.url
        ):
            pages[wish.body.url] = await self._page_at(wish.body.url)
        return await asyncio.to_thread(_made, self._path, wish, pages)


def unsettled(path: Path) -> list[Wish]:
    """The wishes of a run that wait; those that the log names are settled first."""
    found = wishes.waiting(path)
    if not found:
        return []
    with Run.open(path, writable=False) as run:
        logged = {instruction.wish: seq for seq, _, instruction in run.placed_instructions()}
    for wish in found:
        if wish.id in logged:
            wishes.settle(path, wish.id, DONE, seq=logged[wish.id])
    return [wish for wish in found if wish.id not in logged]


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
        return run.page(canonical(url) or url) is not None


def _made(path: Path, wish: Wish, pages: dict[str, Page]) -> Instruction:
    with Run.open(path, writable=False) as run:
        return instruction_of(run, wish, pages)
