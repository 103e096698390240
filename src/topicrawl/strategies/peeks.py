"""Peeks: pages fetched for their relevance before a link is chosen, which FCWSEO's link value implies.

All new links of a page are peeked at, in document order, before the next choice, which is made when the last of these
pages is visited. Every peek is a fetch and is counted as one. (Web space evolution peeks at a generation: wse.py.)
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import PEEKED, WAITING, Frontier, Ids
from topicrawl.model import Topic
from topicrawl.strategies import Choice, Observation
from topicrawl.strategies.valued import Valued


class Peeks:
    """Links to peek at."""

    def __init__(self) -> None:
        self._links: dict[int, None] = {}

    def add(self, frontier: Frontier, links: Ids) -> None:
        """Add new links; seeds are fetched like any page and not peeked at."""
        fresh = links[(frontier.columns["state"][links] == WAITING) & ~frontier.seeds(links)]
        self._links.update(dict.fromkeys(fresh.tolist()))

    def next(self, frontier: Frontier) -> int | None:
        """The next link to peek at that may be fetched now."""
        states = frontier.columns["state"]
        for link in [link for link in self._links if states[link] != WAITING]:
            del self._links[link]
        return next((link for link in self._links if frontier.may_ask(link)), None)


@dataclass
class Peeking(Valued):
    """A strategy over valued links that peeks at them if `peeks` says so."""

    def start(self, topic: Topic, frontier: Frontier, seeds: Ids, rng: random.Random) -> None:
        self._peeks = Peeks()
        self._decided: Choice | None = None
        """The choice that follows those of links to peek at."""
        self._observed = False
        super().start(topic, frontier, seeds, rng)

    def chose(self, choice: Choice, frontier: Frontier) -> None:
        self._drop_decision(frontier)
        super().chose(choice, frontier)

    def observe(self, seen: Observation, frontier: Frontier, rng: random.Random) -> int | None:
        self._observed = True
        return super().observe(seen, frontier, rng)

    def enter(
        self, links: Ids, frontier: Frontier, rng: random.Random, seen: Observation | None = None
    ) -> None:
        super().enter(links, frontier, rng, seen)
        if self.peeks:
            self._peeks.add(frontier, links)

    def keeps(self, frontier: Frontier, links: Ids) -> npt.NDArray[np.bool_]:
        return super().keeps(frontier, links) | self.unread(frontier, links)

    def unread(self, frontier: Frontier, links: Ids) -> npt.NDArray[np.bool_]:
        """Which of `links` are compared with the threshold later, when their pages were peeked at."""
        waits: npt.NDArray[np.bool_] = frontier.columns["state"][links] == WAITING
        return waits & self.peeks

    def decide(self, frontier: Frontier, rng: random.Random) -> Choice | None:
        """The next choice: links to peek at come before the one decided."""
        if not self.peeks or not self._observed:
            return super().decide(frontier, rng)
        link = self._peeks.next(frontier)
        if link is not None:
            return Choice(link, peek=True)
        decided, self._decided = self._decided, None
        if decided is not None and not frontier.columns["key"][decided.link] > -np.inf:
            self.retract(decided, frontier)
            decided = None
        if decided is None and not self._in_flight:  # the log did something else, or links were entered
            return super().decide(frontier, rng)
        return decided

    def accept(self, seen: Observation, frontier: Frontier, rng: random.Random) -> int | None:
        """The peeked link that is chosen now; None while pages are in flight or links are to be peeked at."""
        if not self.peeks:
            return super().accept(seen, frontier, rng)
        self._peeks.add(frontier, seen.links)
        if self._in_flight or self._peeks.next(frontier) is not None:
            return None
        self._drop_decision(frontier)
        self._decided = choice = self._select(frontier, rng)
        if choice is not None and frontier.columns["state"][choice.link] == PEEKED:
            return choice.link
        return None

    def accepted(self, seen: Observation, frontier: Frontier) -> Observation:
        """The page is observed with the walker that chose it."""
        decided, self._decided = self._decided, None
        if decided is not None and decided.link == seen.link:
            return replace(seen, walker=decided.walker)
        if decided is not None:
            self.retract(decided, frontier)
        return super().accepted(seen, frontier)

    def _drop_decision(self, frontier: Frontier) -> None:
        if self._decided is not None:
            self.retract(self._decided, frontier)
            self._decided = None
