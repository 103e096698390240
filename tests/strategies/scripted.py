"""A strategy in a situation made by hand: links with given values, a generator with given numbers."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from topicrawl.frontier import Frontier
from topicrawl.model import Topic
from topicrawl.strategies.valued import Valued
from value.seen import observed

TOPIC = Topic("storms", ("rainstorm", "flood"), (1.0, 0.5))
Kind = TypeVar("Kind", bound=Valued)


class Scripted(random.Random):
    """`random()` gives the numbers of a script and fails at its end; draws from lists are unchanged."""

    def __init__(self, *numbers: float) -> None:
        super().__init__(1)
        self._numbers = list(numbers)

    def random(self) -> float:
        assert self._numbers, "a random number was drawn that nobody expected"
        return self._numbers.pop(0)

    @property
    def left(self) -> list[float]:
        """The numbers that were not drawn yet."""
        return self._numbers

    def getrandbits(self, k: int, /) -> int:
        return super().getrandbits(k)


def at_page(
    strategy: Kind, head: float, others: Sequence[float], links: Sequence[int]
) -> tuple[Kind, Frontier]:
    """The strategy has just fetched link 0, worth `head`; link i waits and is worth `others[i − 1]`.

    Page 0 contains `links`.
    """
    frontier = Frontier()
    urls = [f"http://h{number}.test/" for number in range(1 + len(others))]
    seeds = frontier.add(urls[:1], depth=0, parent=-1)
    strategy.start(TOPIC, frontier, seeds, Scripted())
    choice = strategy.choose(frontier, Scripted())
    assert choice is not None
    assert choice.link == 0
    waiting = frontier.add(urls[1:], depth=1, parent=0)
    strategy.observe(observed(frontier, 0, links), frontier, Scripted())
    frontier.columns["value"][:] = (head, *others)
    frontier.prioritise(waiting, np.array(others))
    strategy.queue.add(frontier, waiting)
    return strategy, frontier
