"""A crawl writes its sinks: a thread of their own reads the log behind the crawl, and never holds it up.

A place that does not answer is tried again, and said once. What is not written when the session ends is written by the
next one, or by `topicrawl sink RUN`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from topicrawl.errors import AwayError
from topicrawl.setup.config import Config
from topicrawl.store.lock import Lock
from topicrawl.store.run import Run
from topicrawl.store.sinks.sink import Sink, catch_up
from topicrawl.store.sinks.spec import read_spec

SECONDS = 1.0
"""Time between two looks at the log."""
PART_SECONDS = 60.0
"""Time after which a part is written though it is not complete."""
LAST_TRIES, BETWEEN = 5, 2.0
"""Tries to write what is left when a session ends, and seconds between two."""
LOCK = "sinks.lock"


def sinks_of(run: Path, config: Config) -> list[Sink]:
    """The sinks that a configuration names for the run in a folder."""
    return [Sink(run, read_spec(text), config.sink_tables, config.sink_rows) for text in config.sink]


class Sinking:
    """The sinks of a running crawl. `follow` beside it, then `finish`."""

    def __init__(self, run: Run, config: Config, say: Callable[[str], None]) -> None:
        self._sinks = sinks_of(run.path, config)
        for sink in self._sinks:
            sink.check(run)
        self._run, self._say = run.path, say
        self._thread = ThreadPoolExecutor(1, "sinks")
        self._written = time.monotonic()
        self._is_away = False
        self._lock: Lock | None = Lock(run.path / LOCK)

    async def follow(self) -> None:
        """Write parts as they become due; never ends by itself."""
        while True:
            await asyncio.sleep(SECONDS)
            await asyncio.get_running_loop().run_in_executor(self._thread, self._look)

    async def finish(self) -> None:
        """Write what is left; says how to do so later where a place does not answer."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._finish)
        self.close()

    def close(self) -> None:
        """Let others write the sinks; a second call does nothing."""
        self._thread.shutdown(wait=True, cancel_futures=True)
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _look(self) -> None:
        is_due = time.monotonic() - self._written > PART_SECONDS
        try:
            for sink in self._sinks:
                while sink.step(whole_parts=not is_due):
                    pass
        except AwayError as error:
            if not self._is_away:
                self._say(f"{error}; the crawl goes on, and the sink is written when it answers")
            self._is_away = True
            return
        self._is_away = False
        if is_due:
            self._written = time.monotonic()

    def _finish(self) -> None:
        for sink in self._sinks:
            for left in range(LAST_TRIES - 1, -1, -1):
                try:
                    catch_up(sink)
                    break
                except AwayError as error:
                    if not left:
                        self._say(f"{error}; write the rest later: topicrawl sink {self._run}")
                    else:
                        time.sleep(BETWEEN)
