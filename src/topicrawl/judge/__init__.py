"""How likely a page is relevant: the judge of a crawl.

A judge is asked about pages and learns from them. `terms` and `examples` are part of topicrawl; they are fast and
depend on nothing but what they learned, so they are asked in the core of a crawl, and what they say of earlier pages
may be asked again at its end. A judge from outside may be slow or random: it is asked once for each page, before the
core is told of it, and what it said is in the log.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from topicrawl.model import Page


@dataclass(frozen=True, slots=True)
class Seen:
    """A page that a judge is asked about, and what led there."""

    page: Page
    term_relevance: float = 0.0
    """Relevance by the topic's terms, the measure of the papers."""
    anchors: tuple[str, ...] = ()
    """The texts of the links to it, in the order found, the first ten; none for a seed."""
    words: tuple[str, ...] = ()
    """Each of these texts with the words on either side of it."""
    is_seed: bool = False
    """Whether the crawl began with it."""


@runtime_checkable
class Judge(Protocol):
    """Says how likely pages are relevant.

    It may also have `save() -> bytes` and `load(data: bytes)`. Without them, what it learned is repeated from the log
    when a crawl is resumed.
    """

    def judge(self, seen: Sequence[Seen]) -> Sequence[float]:
        """The probability that each page is relevant, in [0, 1]."""
        ...

    def learn(self, seen: Seen, verdict: bool | None) -> None:
        """Learn a page and a person's verdict on it: None where there is none, or where one was taken back."""
        ...


class OwnJudge(ABC):
    """The base class of the judges of topicrawl."""

    @abstractmethod
    def judge(self, seen: Sequence[Seen]) -> Sequence[float]:
        """The probability that each page is relevant, in [0, 1]."""

    def learn(self, seen: Seen, verdict: bool | None) -> None:
        """Learn a page of the crawl, or a person's verdict."""
        return

    def mark(self, verdicts: Sequence[tuple[Seen, bool | None]]) -> None:
        """Learn what a person said of pages, all at once; None: an earlier verdict is taken back."""
        return

    def note(self, seen: Seen) -> None:
        """Learn a page of the crawl that is used by `concluded` only: faster than `learn`."""
        self.learn(seen, None)

    def concluded(self) -> OwnJudge:
        """The judge with all that was learned so far, to judge earlier pages again; this one stays as it is."""
        return self
