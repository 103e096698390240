"""Several searches over one frontier: with n fetches in flight n walkers, with one the algorithm of the paper.

Each walker has its own position; the state of links and hosts is shared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Generic, TypeVar

Walker = TypeVar("Walker")


class Walkers(Generic[Walker]):
    """Walkers by number. A walker is busy from `send` until `back`."""

    not_stored: ClassVar = ("_new",)

    def __init__(self, new: Callable[[], Walker]) -> None:
        self._new = new
        self._walkers: list[Walker] = []
        self._busy: set[int] = set()

    def __getitem__(self, number: int) -> Walker:
        """The walker of this number."""
        return self._walkers[number]

    def idle(self) -> int:
        """The first walker that is not busy; a new one when all are."""
        number = next((n for n in range(len(self._walkers)) if n not in self._busy), len(self._walkers))
        if number == len(self._walkers):
            self._walkers.append(self._new())
        return number

    def send(self, number: int) -> None:
        """Mark a walker as busy: it waits for the page it chose."""
        self._busy.add(number)

    def back(self, number: int) -> Walker:
        """Mark a walker as idle: its page was fetched or failed."""
        self._busy.discard(number)
        return self._walkers[number]
