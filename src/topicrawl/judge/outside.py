"""Judges from outside, made from what there is: a function, or nothing but the words in a log."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from topicrawl.errors import JudgeError
from topicrawl.judge import Judge, Seen

Judgement = Callable[[Sequence[Seen]], Sequence[float]]
"""A function of the user: the probability that each page is relevant."""


class ByFunction:
    """Judges by a function; learns nothing."""

    def __init__(self, function: Judgement) -> None:
        self._function = function

    def judge(self, seen: Sequence[Seen]) -> Sequence[float]:
        """What the function says."""
        return self._function(seen)

    def learn(self, seen: Seen, verdict: bool | None) -> None:
        """Learn nothing."""
        return

    def save(self) -> bytes:
        """Nothing."""
        return b""

    def load(self, data: bytes) -> None:
        """Load nothing."""
        return


class Absent:
    """Stands for a judge that is not here, where a log is read: the log has its words."""

    def __init__(self, name: str) -> None:
        self._name = name

    def save(self) -> bytes:
        """Nothing."""
        return b""

    def load(self, data: bytes) -> None:
        """Load nothing: the state is that of the judge that is not here."""
        return

    def judge(self, seen: Sequence[Seen]) -> Sequence[float]:
        """Raise: there is nothing that could judge."""
        raise JudgeError(f"the judge {self._name!r} of this run is not here; resume it where it is")

    def learn(self, seen: Seen, verdict: bool | None) -> None:
        """Learn nothing."""
        return


def as_judge(given: Judge | Judgement) -> Judge:
    """A judge, or the judge that a function makes."""
    return given if isinstance(given, Judge) else ByFunction(given)
