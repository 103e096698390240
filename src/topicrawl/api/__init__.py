"""The Python interface: a crawl as an iterator over its visits, and a run on disk.

>>> import topicrawl
>>> for visit in topicrawl.crawl_sync(
...     topic="storms: storm, flood 0.5", seeds="http://no-such-host.invented.test/", web="invented:7", pages=1
... ):
...     print(visit.asked, visit.status)
http://no-such-host.invented.test/ 404
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, Unpack

from topicrawl.api.run import Run
from topicrawl.api.settings import Settings
from topicrawl.api.tables import Table
from topicrawl.api.visit import Visit, with_page
from topicrawl.crawling.event_loop import run_loop
from topicrawl.crawling.hooks import Hooks, Link
from topicrawl.crawling.lifecycle import Finished, start
from topicrawl.crawling.session import Session
from topicrawl.judge import Judge, Seen
from topicrawl.judge.outside import check_call
from topicrawl.judge.registry import PYTHON
from topicrawl.model import Page, Response
from topicrawl.model import Visit as LoggedVisit
from topicrawl.setup.config import SETTINGS, read_flags

__all__ = ["Judge", "Link", "Run", "Seen", "Settings", "Table", "Visit", "crawl", "crawl_sync"]

HELD_BACK = 1000
"""Visits that may wait for a slow reader before the crawl does."""

log = logging.getLogger(__name__)


async def crawl(
    *,
    filter_link: Callable[[Link], bool] | None = None,
    on_page: Callable[[Visit], None] | None = None,
    fetch: Callable[[str], str | bytes | Response | None] | None = None,
    **settings: Unpack[Settings],
) -> AsyncGenerator[Visit, None]:
    """Crawl and yield each visit as it is made, failures included (`visit.fetched` tells them apart).

    `settings` are those of crawl.toml by name: `topic`, `seeds`, `pages`, `strategy`, `web`, `delay` … (`parameters`
    are the strategy's). With `out` the crawl is kept in that folder: a new one, or that of a run, which is then resumed
    with no topic or seeds needed. Leaving the loop early ends the crawl and keeps the run (a generator held in a
    variable ends when it is closed).

    `visit.page` has title, text and links of the page, `visit.asdict()` the fields of a line of visits.jsonl.

    `filter_link(link)` says whether a link (`url`, `anchor`, `page`) of a page or example may be followed; it is not
    asked about the targets of redirects. `fetch(url)` may answer for a URL: with HTML, a `Response`, or None to let the
    web answer; it is called from other threads. What both decide is logged, so that a resumed run does not ask again.
    `on_page(visit)` is called for each visit with a page, from the thread that crawls. An exception
    raised in one of them ends the crawl and comes out here.

    `judge` is what says how likely a page is relevant: a name as --judge takes it, a function that gets a list of
    `Seen` (`page`, `anchor`, `words`, `term_relevance`) and returns a number from 0 to 1 for each, or an object with
    `judge` and `learn` (`topicrawl.Judge`). It may be slow: it is asked in batches, in a thread of its own, and what it
    said is logged.
    """
    session = await asyncio.to_thread(_session, settings, filter_link, on_page, fetch)
    if session is None:
        return
    loop, visits = asyncio.get_running_loop(), asyncio.Queue[Visit | None]()
    space = threading.Semaphore(HELD_BACK)

    def hand_over(visit: LoggedVisit, page: Page | None) -> None:
        space.acquire()
        loop.call_soon_threadsafe(visits.put_nowait, with_page(visit, page))

    session.on_visit = hand_over
    driving = asyncio.create_task(_complete(session))
    driving.add_done_callback(lambda _: visits.put_nowait(None))
    try:
        while (visit := await visits.get()) is not None:
            space.release()
            yield visit
    finally:
        session.stop("left early")
        space.release(HELD_BACK)
        await driving


def crawl_sync(
    *,
    filter_link: Callable[[Link], bool] | None = None,
    on_page: Callable[[Visit], None] | None = None,
    fetch: Callable[[str], str | bytes | Response | None] | None = None,
    **settings: Unpack[Settings],
) -> Generator[Visit, None, None]:
    """`crawl` for code without an event loop; takes the same."""
    session = _session(settings, filter_link, on_page, fetch)
    if session is None:
        return
    visits: queue.Queue[Visit | BaseException | None] = queue.Queue(HELD_BACK)
    session.on_visit = lambda visit, page: visits.put(with_page(visit, page))

    def work() -> None:
        try:
            run_loop(lambda: _complete(session))
            visits.put(None)
        except BaseException as error:
            visits.put(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        while (item := visits.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        session.stop("left early")
        while thread.is_alive() or not visits.empty():
            with suppress(queue.Empty):
                left = visits.get(timeout=0.05)
                if isinstance(left, BaseException):
                    raise left


def _session(
    settings: Mapping[str, Any],
    filter_link: Callable[[Link], bool] | None,
    on_page: Callable[[Visit], None] | None,
    fetch: Callable[[str], str | bytes | Response | None] | None,
) -> Session | None:
    """The session that these arguments ask for; None where the run has nothing left to do."""
    for name, function, argument in (
        ("filter_link", filter_link, "link"),
        ("on_page", on_page, "visit"),
        ("fetch", fetch, "url"),
    ):
        if function is not None:
            check_call(function, (argument,), name)
    given = {name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()}
    out = given.pop("out", None)
    folder = None if out is None else Path(SETTINGS["out"].read(str(out), "out"))
    seen = None if on_page is None else lambda visit, page: on_page(with_page(visit, page))
    judge = settings.get("judge")
    code = None if isinstance(judge, str) else judge
    if code is not None:
        given["judge"] = PYTHON
    session = start(read_flags(given), folder, log.warning, Hooks(filter_link, fetch, seen, code))
    if isinstance(session, Finished):
        log.warning("%s is finished: %s", session.path, session.reason)
        return None
    return session


async def _complete(session: Session) -> None:
    """Drive a session; however that ends, its run is closed, with a summary wherever one can be written."""
    with session.run or nullcontext():
        try:
            reason = await session.drive()
        except asyncio.CancelledError:
            session.finish("interrupted")
            raise
        session.finish(reason)
