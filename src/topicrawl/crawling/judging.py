"""A judge from outside at work: asked in batches, in a thread of its own, before the core is told of a page.

It may take long, so pages that arrive while it is busy wait for the next batch. What it may learn waits too: a judge is
never called twice at a time.
"""

from __future__ import annotations

import asyncio
import reprlib
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import cast

from topicrawl.errors import ConfigError, JudgeError
from topicrawl.judge import Judge, Seen
from topicrawl.model import Page, Topic

LARGEST = 32
"""Pages of a batch, at most."""


MADE = "http://made-up.invalid/"
"""The address of the page that a judge is tried on."""
MISTAKES = (AttributeError, NameError, TypeError)
"""Errors that are the same at every page. A judge may fail at the made page alone: it may know no other address."""


def try_judge(judge: Judge, topic: Topic) -> None:
    """Ask a judge about a made page of the topic's words, in a thread of its own; `ConfigError` if it is mistaken."""
    seen = [Seen(Page(MADE, topic.name, text="\n".join((topic.name, *topic.terms))))]
    try:
        with ThreadPoolExecutor(1) as thread:
            said = thread.submit(judge.judge, seen).result()
    except MISTAKES as error:
        raise ConfigError(f"judge: tried on a made page, it fails: {error!r}; mend it") from error
    except Exception:
        return
    try:
        read_words(said, seen)
    except JudgeError as error:
        raise ConfigError(f"judge: tried on a made page: {error}") from None


def read_words(said: object, batch: Sequence[Seen]) -> list[float]:
    """The numbers that a judge said of a batch; `JudgeError` if they are none."""
    try:
        words = [float(each) for each in cast("Iterable[float]", said)]
        is_right = len(words) == len(batch) and all(0 <= each <= 1 for each in words)
    except (TypeError, ValueError):
        is_right = False
    if not is_right:
        raise JudgeError(
            f"the judge said {reprlib.repr(said)} of {len(batch)} pages, {batch[0].page.url} first; it must return "
            "one number from 0 to 1 for each, in order"
        )
    return words


class Judging:
    """Asks `judge`. `word` is called on the event loop, `learn` on any thread."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._waiting: deque[tuple[Seen, asyncio.Future[float]]] = deque()
        self._to_learn: deque[tuple[Seen, bool | None]] = deque()
        self._worker: asyncio.Task[None] | None = None

    async def word(self, seen: Seen) -> float:
        """What the judge says of a page; `JudgeError` if it fails."""
        answer: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._waiting.append((seen, answer))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        return await answer

    def learn(self, seen: Seen, verdict: bool | None) -> None:
        """Have the judge learn a page before it is asked again."""
        self._to_learn.append((seen, verdict))

    async def finish(self) -> None:
        """Have the judge learn what still waits; nothing is asked any more."""
        if self._worker is not None:
            await asyncio.gather(self._worker, return_exceptions=True)
        await asyncio.to_thread(self._learn_all)

    async def _work(self) -> None:
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(LARGEST, len(self._waiting)))]
            try:
                words = await asyncio.to_thread(self._ask, [seen for seen, _ in batch])
            except Exception as error:
                for _, answer in batch:
                    if not answer.done():
                        answer.set_exception(error)
                continue
            for (_, answer), said in zip(batch, words, strict=True):
                if not answer.done():  # its visit may have been cancelled
                    answer.set_result(said)

    def _ask(self, batch: list[Seen]) -> list[float]:
        self._learn_all()
        try:
            said = self._judge.judge(batch)
        except JudgeError:
            raise
        except Exception as error:
            raise JudgeError(
                f"the judge failed at {batch[0].page.url}: {error!r}; mend it, then resume"
            ) from error
        return read_words(said, batch)

    def _learn_all(self) -> None:
        while self._to_learn:
            self._judge.learn(*self._to_learn.popleft())
