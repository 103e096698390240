"""Several searches over one frontier: with n fetches in flight n walkers, with one the algorithm of the paper.

Each walker has its own position; the state of links and hosts is shared.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, ClassVar, Generic, TypeVar

from topicrawl.frontier import Frontier
from topicrawl.strategies import Choice

Walker = TypeVar("Walker")


class Walkers(Generic[Walker]):
    """Walkers by number, each made when it is first needed. A walker is busy from `send` until `back`."""

    not_stored: ClassVar = ("_new",)

    def __init__(self, new: Callable[[], Walker]) -> None:
        self._new = new
        self._walkers: dict[int, Walker] = {}
        self._busy: set[int] = set()

    def __getitem__(self, number: int) -> Walker:
        """The walker of this number."""
        if number not in self._walkers:
            self._walkers[number] = self._new()
        return self._walkers[number]

    def idle(self) -> int:
        """The first walker that is not busy."""
        return next(number for number in count() if number not in self._busy)

    def send(self, number: int) -> None:
        """Mark a walker as busy: it waits for the page it chose."""
        self._busy.add(number)

    def back(self, number: int) -> Walker:
        """Mark a walker as idle: its page was fetched or failed."""
        self._busy.discard(number)
        return self[number]


class Walking:
    """Part of a `Valued` strategy whose choices are made by walkers."""

    walkers: Walkers[Any]

    def retract(self, choice: Choice, frontier: Frontier) -> None:
        """The walker of a choice that was not made is idle."""
        self.walkers.back(choice.walker)

    def follow(self, choice: Choice, frontier: Frontier) -> None:
        """The walker of a choice made by the log is busy."""
        self.walkers.send(choice.walker)
