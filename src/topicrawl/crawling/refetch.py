"""Fetches again the pages whose records are missing in the archive of a run. The log does not change.

Each page is requested as in the crawl (redirects followed, robots.txt, delays and guard obeyed), one at a time per
host. The archive gets the page of today, with today's date; a page that is gone or redirects elsewhere by now stays
missing.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from topicrawl.crawling.event_loop import signals
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
    """One session for the missing records. `told` is called with each visit and why it stays missing, or None."""

    config: Config
    run: Run
    told: Callable[[Visit, str | None], None] = lambda visit, problem: None
    say: Callable[[str], None] = lambda sentence: None
    stopped: bool = field(default=False, init=False)

    async def sit(self) -> None:
        """Fetch the missing pages. SIGINT and SIGTERM end it cleanly: pages already archived stay."""
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
            await _cancel(tasks)
            await web.close()

    def _stop(self, tasks: Iterable[asyncio.Future[None]]) -> None:
        self.stopped = True
        for task in tasks:
            task.cancel()

    async def _work(self, web: Web, queues: Iterator[list[Visit]]) -> None:
        for visits in queues:
            for visit in visits:
                self.told(visit, await self._refetch(web, visit))

    async def _refetch(self, web: Web, visit: Visit) -> str | None:
        """Fetch the page of a visit again and archive it; returns why that failed, or None."""
        began = time.time()
        try:
            response = await web.fetch(visit.asked)
        except FetchError as error:
            return str(error)
        if problem := difference(visit, response):
            return problem
        started = time.time() - response.took if response.took else began
        space = (self.run.path, self.config.min_free, lambda: self.stopped, self.say)
        await asyncio.to_thread(wait_for_room, *space)
        return (
            None if self.run.restore_archived(visit.n, response, started) else "the web kept no bytes of it"
        )


def difference(visit: Visit, response: Response) -> str | None:
    """Why an answer cannot replace that of a visit; None if it can."""
    if response.status >= 400 and response.status != visit.status:
        return f"it now answers {response.status}"
    if response.url != visit.url:
        return f"it now leads to {response.url}"
    return None


def _by_host(visits: Iterable[Visit]) -> dict[str, list[Visit]]:
    queues_by_host: dict[str, list[Visit]] = {}
    for visit in visits:
        queues_by_host.setdefault(host_of(visit.asked), []).append(visit)
    return queues_by_host


async def _cancel(tasks: Iterable[asyncio.Future[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
