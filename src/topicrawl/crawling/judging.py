"""A judge from outside at work: asked in batches, in a thread of its own, before the core is told of a page.

It may take long, so pages that arrive while it is busy wait for the next batch. What it may learn waits too: a judge is
never called twice at a time.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque

from topicrawl.errors import JudgeError
from topicrawl.judge import Judge, Seen

LARGEST = 32
"""Pages of a batch, at most."""


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
            words = [float(said) for said in self._judge.judge(batch)]
        except JudgeError:
            raise
        except Exception as error:
            raise JudgeError(
                f"the judge failed at {batch[0].page.url}: {error!r}; mend it, then resume"
            ) from error
        if len(words) != len(batch) or not all(math.isfinite(said) and 0 <= said <= 1 for said in words):
            raise JudgeError(
                f"the judge said {words[:3]} of {len(batch)} pages, {batch[0].page.url} first; it must return one "
                "number from 0 to 1 for each, in order"
            )
        return words

    def _learn_all(self) -> None:
        while self._to_learn:
            self._judge.learn(*self._to_learn.popleft())
