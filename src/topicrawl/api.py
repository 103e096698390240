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
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any

from topicrawl.config import Config
from topicrawl.model import Topic, Visit
from topicrawl.resolve import resolve
from topicrawl.session import Session, run_loop
from topicrawl.store.run import Run


async def crawl(
    *,
    topic: str | Topic,
    seeds: Iterable[str],
    strategy: str = "ops",
    pages: int = 1000,
    out: str | Path | None = None,
    **settings: Any,
) -> AsyncGenerator[Visit, None]:
    """Crawl and yield each visit as it is made, failures included (`visit.fetched` tells).

    `settings` are those of crawl.toml by name (`web="invented:7"`, `delay=0.5`, `max_depth=3` …; `parameters` are the
    strategy's). With `out` everything is kept in a new run directory. Leaving the loop early ends the crawl well.
    """
    session = _session(topic, seeds, strategy, pages, out, settings)
    loop, visits = asyncio.get_running_loop(), asyncio.Queue[Visit | None]()
    session.on_visit = lambda visit: _hand_over(loop, visits, visit)
    driving = asyncio.create_task(session.drive())
    driving.add_done_callback(lambda _: visits.put_nowait(None))
    try:
        while (visit := await visits.get()) is not None:
            yield visit
    finally:
        session.stop("left early")
        _close(session, await driving)


def crawl_sync(**arguments: Any) -> Iterator[Visit]:
    """The same for code without an event loop; takes what `crawl` takes."""
    visits: queue.Queue[Visit | BaseException | None] = queue.Queue(maxsize=1000)
    left = threading.Event()

    async def pour() -> str:
        try:
            async with aclosing(crawl(**arguments)) as visiting:
                async for visit in visiting:
                    visits.put(visit)
                    if left.is_set():
                        break
        except BaseException as error:
            visits.put(error)
        visits.put(None)
        return "done"

    thread = threading.Thread(target=run_loop, args=(pour(),), daemon=True)
    thread.start()
    try:
        while (item := visits.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        left.set()
        while thread.is_alive():
            with suppress(queue.Empty):
                visits.get(timeout=0.05)
        thread.join()


def _session(
    topic: str | Topic,
    seeds: Iterable[str],
    strategy: str,
    pages: int,
    out: str | Path | None,
    settings: dict[str, Any],
) -> Session:
    given = {**settings, "topic": topic, "seeds": list(seeds), "strategy": strategy, "pages": pages}
    config = resolve(Config().override(given))
    run = None
    if out is not None:
        run = Run.create(Path(out), config.to_toml(), warc=config.warc, segment_bytes=config.segment_size)
    return Session(config, run)


def _hand_over(loop: asyncio.AbstractEventLoop, visits: asyncio.Queue[Visit | None], visit: Visit) -> None:
    loop.call_soon_threadsafe(visits.put_nowait, visit)


def _close(session: Session, reason: str) -> None:
    if session.run is not None:
        with session.run:
            session.finish(reason)
