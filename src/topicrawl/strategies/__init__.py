"""Which link next: one small file per paper, one shared protocol.

A strategy is a dataclass whose fields are the paper's parameters. It sees link numbers and the frontier's columns, does
no input or output, reads no clock and draws randomness only from the generator it is handed; what it remembers follows
from the calls it got, in order. With one fetch in flight it is the paper's algorithm to the letter.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from topicrawl.frontier import Frontier, Ids
from topicrawl.model import Outcome, Topic, Visit


@dataclass(frozen=True, slots=True)
class Choice:
    """A link to fetch, and for whom: with several fetches in flight a searching strategy is several walkers."""

    link: int
    walker: int = 0
    peek: bool = False


@dataclass(frozen=True, slots=True)
class Observation:
    """One visit as a strategy sees it, after the frontier has taken it in."""

    link: int
    """The page's own row: where redirects led."""
    visit: Visit
    outcome: Outcome
    links: Ids
    """The known links on the page, each once, in document order; empty for a failure."""


@runtime_checkable
class Strategy(Protocol):
    """What the crawl asks of a strategy. Links come and go by number."""

    def start(self, topic: Topic, frontier: Frontier, seeds: Ids, rng: random.Random) -> None:
        """The crawl begins: give the seeds their priorities."""

    def choose(self, frontier: Frontier, rng: random.Random) -> Choice | None:
        """The next link, choosable in `frontier`; None when there is none now."""

    def observe(self, seen: Observation, frontier: Frontier, rng: random.Random) -> None:
        """A visit was told, a failure included: prioritise the links it touched, update what is remembered."""

    def explain(self, frontier: Frontier, link: int) -> dict[str, float]:
        """The factors behind a link's priority now, each under the paper's name for it."""
