"""Records that the archive of a run has lost, fetched again. The log stays as it is: only bytes come back.

Each page is asked for as it was then (redirects followed, robots.txt, delays and guard obeyed), one at a time of each
host. What is archived is what the page is today, under today's date; a page that is gone, or that leads elsewhere by
now, stays missing.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from topicrawl.crawling.session import signals
from topicrawl.errors import FetchError
from topicrawl.model import Response, Visit
from topicrawl.setup.config import Config
from topicrawl.store.disk import wait_for_room
from topicrawl.store.run import Run
from topicrawl.urls import host as host_of
from topicrawl.web import Web
from topicrawl.web.open import open_web


@dataclass
class Refetch:
    """One sitting over what a run is missing. `told` hears of each visit and why it stays missing, if it does."""

    config: Config
    run: Run
    told: Callable[[Visit, str | None], None] = lambda visit, problem: None
    say: Callable[[str], None] = lambda sentence: None
    stopped: bool = field(default=False, init=False)

    async def sit(self) -> None:
        """Fetch what is missing. SIGINT and SIGTERM end it well: what came is kept."""
        queues = iter(_by_host(self.run.missing()).values())
        web = open_web(self.config.web, bodies=True, http=self.config.http)
        web.rest(
            {host_of(visit.asked) for visit in self.run.missing()}
        )  # an earlier session may have just asked
        try:
            tasks = [asyncio.ensure_future(self._work(web, queues)) for _ in range(self.config.concurrency)]
            with signals(lambda _: self._stop(tasks)), suppress(asyncio.CancelledError):
                await asyncio.gather(*tasks)
        finally:
            await _ended(tasks)
            await web.close()

    def _stop(self, tasks: Iterable[asyncio.Future[None]]) -> None:
        self.stopped = True
        for task in tasks:
            task.cancel()

    async def _work(self, web: Web, queues: Iterator[list[Visit]]) -> None:
        for visits in queues:
            for visit in visits:
                self.told(visit, await self._again(web, visit))

    async def _again(self, web: Web, visit: Visit) -> str | None:
        """Ask for the page of a visit again and archive the answer; else why it cannot take the place of the old."""
        began = time.time()
        try:
            response = await web.fetch(visit.asked)
        except FetchError as error:
            return str(error)
        if problem := difference(visit, response):
            return problem
        started = time.time() - response.took if response.took else began
        room = (self.run.path, self.config.min_free, lambda: self.stopped, self.say)
        await asyncio.to_thread(wait_for_room, *room)
        return (
            None if self.run.restore_archived(visit.n, response, started) else "the web kept no bytes of it"
        )


def difference(visit: Visit, response: Response) -> str | None:
    """Why an answer cannot stand for the one that a visit had; None when it can."""
    if response.status >= 400 and response.status != visit.status:
        return f"it now answers {response.status}"
    if response.url != visit.url:
        return f"it now leads to {response.url}"
    return None


def _by_host(visits: Iterable[Visit]) -> dict[str, list[Visit]]:
    found: dict[str, list[Visit]] = {}
    for visit in visits:
        found.setdefault(host_of(visit.asked), []).append(visit)
    return found


async def _ended(tasks: Iterable[asyncio.Future[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
