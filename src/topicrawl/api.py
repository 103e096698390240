"""For people who script: a crawl as an iterator over its visits.

>>> import topicrawl
>>> for visit in topicrawl.crawl_sync(
...     topic="storms: storm, flood 0.5", seeds=["http://no-such-host.invented.test/"], web="invented:7", pages=1
... ):
...     print(visit.asked, visit.status)
http://no-such-host.invented.test/ 404
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

from topicrawl.crawl.session import Session, run_loop
from topicrawl.model import Topic, Visit
from topicrawl.setup.config import SETTINGS, Config
from topicrawl.setup.resolve import check_web, resolve
from topicrawl.store.run import Run

HELD_BACK = 1000
"""Visits that may wait for a slow reader before the crawl does."""


async def crawl(
    *,
    topic: str | Topic,
    seeds: str | Iterable[str],
    strategy: str = "scout",
    pages: int = 1000,
    out: str | Path | None = None,
    **settings: Any,
) -> AsyncGenerator[Visit, None]:
    """Crawl and yield each visit as it is made, failures included (`visit.fetched` tells).

    `settings` are those of crawl.toml by name (`web="invented:7"`, `delay=0.5`, `max_depth=3` …; `parameters` are the
    strategy's). With `out` everything is kept in a new run directory. Leaving the loop early ends the crawl well.
    """
    session = _session(
        {**settings, "topic": topic, "seeds": seeds, "strategy": strategy, "pages": pages}, out
    )
    loop, visits, room = (
        asyncio.get_running_loop(),
        asyncio.Queue[Visit | None](),
        threading.Semaphore(HELD_BACK),
    )

    def hand_over(visit: Visit) -> None:
        room.acquire()
        loop.call_soon_threadsafe(visits.put_nowait, visit)

    session.on_visit = hand_over
    driving = asyncio.create_task(_sit(session))
    driving.add_done_callback(lambda _: visits.put_nowait(None))
    try:
        while (visit := await visits.get()) is not None:
            room.release()
            yield visit
    finally:
        session.stop("left early")
        room.release(HELD_BACK)
        await driving


def crawl_sync(
    *,
    topic: str | Topic,
    seeds: str | Iterable[str],
    strategy: str = "scout",
    pages: int = 1000,
    out: str | Path | None = None,
    **settings: Any,
) -> Iterator[Visit]:
    """`crawl` for code without an event loop."""
    session = _session(
        {**settings, "topic": topic, "seeds": seeds, "strategy": strategy, "pages": pages}, out
    )
    visits: queue.Queue[Visit | BaseException | None] = queue.Queue(HELD_BACK)
    session.on_visit = visits.put

    def work() -> None:
        try:
            run_loop(_sit(session))
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
        while thread.is_alive():
            with suppress(queue.Empty):
                visits.get(timeout=0.05)


def _session(given: dict[str, Any], out: str | Path | None) -> Session:
    """A session with a new run in `out`; everything is checked before anything is written."""
    seeds = given["seeds"]
    folder = None if out is None else Path(SETTINGS["out"].read(str(out), "out"))
    config = resolve(
        Config().override({**given, "seeds": [seeds] if isinstance(seeds, str) else list(seeds)})
    )
    check_web(config)
    run = None
    if folder is not None:
        run = Run.create(folder, config.to_toml(), warc=config.warc, segment_bytes=config.segment_size)
    return Session(config, run)


async def _sit(session: Session) -> None:
    """Drive a session; however that ends, its run is closed, with a summary wherever one can be written."""
    with session.run or nullcontext():
        try:
            reason = await session.drive()
        except asyncio.CancelledError:
            session.finish("interrupted")
            raise
        session.finish(reason)
