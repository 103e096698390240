"""Which link next: one small file per paper, one shared protocol.

A strategy is a dataclass whose fields are the paper's parameters. It sees link numbers and the frontier's columns, does
no input or output, reads no clock and draws randomness only from the generator it is handed; what it remembers follows
from the calls it got, in order. With one fetch in flight it is the paper's algorithm to the letter.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from topicrawl.frontier import Frontier, Ids
from topicrawl.frontier.observation import Observation
from topicrawl.model import Topic

__all__ = ["Choice", "Evolving", "FromExamples", "Observation", "Storyteller", "Strategy"]


@dataclass(frozen=True, slots=True)
class Choice:
    """A link to fetch, and for whom: with several fetches in flight a searching strategy is several walkers."""

    link: int
    walker: int = 0
    peek: bool = False
    """Fetch it for its relevance only; it stays choosable, and its own links are not taken in yet."""


@runtime_checkable
class Strategy(Protocol):
    """What the crawl asks of a strategy. Links come and go by number."""

    def start(self, topic: Topic, frontier: Frontier, seeds: Ids, rng: random.Random) -> None:
        """The crawl begins: give the seeds their priorities."""

    def choose(self, frontier: Frontier, rng: random.Random) -> Choice | None:
        """The next link, choosable in `frontier`; None when there is none now.

        Choices are in the log and None is not, so an answer of None may change nothing and draw no randomness.
        """

    def observe(self, seen: Observation, frontier: Frontier, rng: random.Random) -> int | None:
        """A visit was told, a failure included: prioritise the links it touched, update what is remembered.

        A strategy that peeks may return a peeked link: its page is then taken in without a fetch and observed in turn.
        """

    def explain(self, frontier: Frontier, link: int) -> dict[str, float]:
        """The factors behind a link's priority now, each under the paper's name for it."""


@runtime_checkable
class FromExamples(Protocol):
    """A strategy that can begin with the examples, which are pages in hand."""

    from_examples: bool
    """Whether it does: then their links are known from the start, and none of them is fetched again."""

    def show(self, seen: Observation, frontier: Frontier) -> None:
        """An example, before the first choice: prioritise its links."""


@runtime_checkable
class Storyteller(Protocol):
    """A strategy that also knows what became of a link after it was fetched."""

    def story(self, frontier: Frontier, link: int) -> list[str]:
        """A sentence for each thing that happened to it, in order."""


@runtime_checkable
class Evolving(Protocol):
    """A strategy that crawls in generations, which the report draws."""

    def evolution(self) -> list[dict[str, Any]]:
        """What each generation was like; plain data."""
