"""Events of a crawl that are held, to be stored together: a commit of one event costs as much as one of fifty."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from topicrawl.model import Event, Told

W = TypeVar("W")

COMMIT_VISITS = 50
COMMIT_SECONDS = 0.1
"""A commit holds at most this many visits, or those of this time."""
COMMIT_BYTES = 16 << 20
"""Bytes of bodies that are held for a commit at most, but for those of its last visit."""


class Commits(Generic[W]):
    """The events since the last commit, and who waits for the next one.

    `write` stores events; `stored` is then called with each of those who wait.
    """

    def __init__(self, write: Callable[[Sequence[Event]], None], stored: Callable[[W], None]) -> None:
        self._write, self._stored = write, stored
        self._held: list[Event] = []
        self._visits = self._bytes = 0
        """Of the events held."""
        self._since = 0.0
        """When the first of them was recorded."""
        self._waiting: list[W] = []
        self._is_wanted = False

    def record(self, *events: Event) -> None:
        """Hold events for the next commit; those of one call share it."""
        if not self._held:
            self._since = time.monotonic()
        self._held += events
        for event in events:
            if isinstance(event, Told):
                self._visits += 1
                self._bytes += _weight(event)

    def want(self, *waiting: W) -> None:
        """Have the next commit soon, as somebody waits for it."""
        self._waiting += waiting
        self._is_wanted = True

    @property
    def due(self) -> float | None:
        """When the events held are to be stored at the latest, in monotonic time; None where there are none."""
        return self._since + COMMIT_SECONDS if self._held else None

    @property
    def is_due(self) -> bool:
        """Whether the events held are many or have waited long enough, or somebody waits for them."""
        return (
            self._visits >= COMMIT_VISITS
            or self._bytes >= COMMIT_BYTES
            or self._is_wanted
            or (self._held != [] and time.monotonic() - self._since >= COMMIT_SECONDS)
        )

    def commit(self) -> None:
        """Store every event recorded so far; then those who wait for it are told."""
        events, self._held = self._held, []
        self._visits = self._bytes = 0
        if events:
            self._write(events)
        waiting, self._waiting, self._is_wanted = self._waiting, [], False
        for each in waiting:
            self._stored(each)


def _weight(told: Told) -> int:
    """Approximate size of an event in memory, in bytes."""
    if told.response is None:
        return 0
    shown = told.response.rendered
    more = len(shown.html) + sum(len(each.body) for each in shown.resources) if shown else 0
    return len(told.response.body) + more
