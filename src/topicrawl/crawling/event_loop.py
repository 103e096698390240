"""The event loop of a crawl: how it is run, what runs beside the crawl, and signals that end it."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, TypeVar

from topicrawl.store.heap import share_heap

T = TypeVar("T")


TURN_SECONDS = 0.02
"""Seconds after which a thread that computes gives way to another, instead of Python's 0.005: the event loop waits a
little longer while a page is learned, and each change of threads costs processor time."""


def give_all_to_the_crawl() -> None:
    """Set up this process for nothing but a crawl."""
    share_heap()
    sys.setswitchinterval(TURN_SECONDS)
    gc.freeze()  # all loaded modules stay: exempt them from collection


if sys.platform == "win32":
    CAUGHT = (signal.SIGINT, signal.SIGTERM, signal.SIGBREAK)
else:
    CAUGHT = (signal.SIGINT, signal.SIGTERM)
"""Signals that end a crawl; SIGBREAK is Ctrl-Break, the only one that another process of Windows can send."""


@contextmanager
def signals(stop: Callable[[str], None]) -> Iterator[None]:
    """Call `stop` on each of the signals; in a thread that is not the main one they stay as they are."""
    restored = list[Callable[[], object]]()
    for number in CAUGHT:
        with suppress(RuntimeError, ValueError):
            restored.append(_caught(number, stop))
    try:
        yield
    finally:
        for restore in restored:
            restore()


def _caught(number: signal.Signals, stop: Callable[[str], None]) -> Callable[[], object]:
    """Catch one signal; returns what ends that."""
    loop = asyncio.get_running_loop()
    try:
        loop.add_signal_handler(number, stop, "interrupted")
    except NotImplementedError:  # the event loops of Windows
        before = signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop, "interrupted"))
        return lambda: signal.signal(number, before)
    return lambda: loop.remove_signal_handler(number)


@asynccontextmanager
async def beside(*works: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run coroutines that never end during the body of the `async with`; what one of them raises comes out after it."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    for task in tasks:
        if not task.cancelled():
            task.result()


def run_loop(begin: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run the coroutine that `begin` makes in a new event loop: uvloop's where installed.

    It is made here, and closed, so that Python does not warn of it where an interrupt comes before it runs.
    """
    factory: Callable[[], asyncio.AbstractEventLoop] | None = None
    with suppress(ImportError):  # absent on Windows
        from uvloop import new_event_loop

        factory = new_event_loop
    work: Coroutine[Any, Any, T] | None = None
    try:
        with asyncio.Runner(loop_factory=factory) as runner:
            work = begin()
            return runner.run(work)
    finally:
        if work is not None:
            work.close()
