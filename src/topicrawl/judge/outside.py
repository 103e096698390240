"""Judges from outside, made from what there is: a function, or nothing but the words in a log."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence

from topicrawl.errors import ConfigError, JudgeError
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


METHODS = {"judge": ("seen",), "learn": ("seen", "verdict"), "save": (), "load": ("data",)}
"""The methods of a judge, and what each is called with."""


def check_given(given: object, flag: str = "judge") -> None:
    """`ConfigError` if a judge from outside cannot be called as a crawl calls it, now or at its first snapshot."""
    if isinstance(given, type):
        raise ConfigError(f"{flag}: {given.__name__} is a class; pass an object: {given.__name__}(…)")
    if not hasattr(given, "judge"):
        check_call(given, ("seen",), flag)
        return
    there = {name for name in METHODS if hasattr(given, name)}
    for one, other in (("judge", "learn"), ("save", "load"), ("load", "save")):
        if one in there and other not in there:
            raise ConfigError(f"{flag}: {type(given).__name__} has {one}() and no {other}(); write both")
    for name in sorted(there):
        check_call(getattr(given, name), METHODS[name], f"{flag}: {type(given).__name__}.{name}")


def check_call(function: object, arguments: tuple[str, ...], flag: str) -> None:
    """`ConfigError` unless `function` can be called with so many arguments and answers at once."""
    wanted = f"({', '.join(arguments)})"
    if not callable(function):
        raise ConfigError(f"{flag}: {function!r} cannot be called; pass a function that takes {wanted}")
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__):
        raise ConfigError(f"{flag}: is asynchronous; write a plain function: it has a thread of its own")
    try:
        inspect.signature(function).bind(*arguments)
    except TypeError as why:
        raise ConfigError(f"{flag}: is called with {wanted}: {why}") from None
    except ValueError:  # code without a signature
        return


def as_judge(given: Judge | Judgement) -> Judge:
    """A judge, or the judge that a function makes."""
    return given if isinstance(given, Judge) else ByFunction(given)
