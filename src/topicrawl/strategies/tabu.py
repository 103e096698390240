"""Base class of the tabu searches: a position moves over fetched pages until it reaches a link to fetch.

    Plink       the position of the search: a link whose page was fetched
    C(Plink)    the links above the threshold on the page behind Plink
    Hlink       the best position so far
    H1          the tabu list: link → how many more turns it is tabu

Paper: FCITS_OH §4.1–4.6; without its algorithm listings: the steps are ours, from the text (docs/papers.md, S6–S11).
Differs: the paper reads the page behind a link before it is fetched, which is impossible; here Plink is a fetched link,
and the first one is drawn from the queue and fetched at once. Moving to a fetched page costs no download.
With n fetches in flight n walkers have positions of their own; H1 and Hlink are shared.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from topicrawl.frontier import VISITED, Frontier
from topicrawl.frontier.graph import Numbers
from topicrawl.strategies import Choice, Observation
from topicrawl.strategies.parameters import parameter
from topicrawl.strategies.valued import Valued
from topicrawl.strategies.walkers import Walkers, Walking

NO_LINKS: Numbers = np.empty(0, dtype=np.int32)


@dataclass
class TabuList:
    """H1. Terms are counted in turns, from 1 to `length`."""

    length: int = 5
    terms: dict[int, int] = field(default_factory=dict)

    def __contains__(self, link: int) -> bool:
        return link in self.terms

    def add(self, link: int) -> None:
        """Make a link tabu for a full term; the terms of all others fall by one, and those at 0 are released."""
        self.terms = {other: term - 1 for other, term in self.terms.items() if term > 1 and other != link}
        self.terms[link] = self.length

    def release(self, link: int) -> None:
        """Release a link before its term ends."""
        del self.terms[link]


@dataclass
class Position:
    """The position of a walker, and its position before its last choice; None before the first."""

    link: int | None = None
    before: int | None = None


@dataclass
class TabuSearch(Walking, Valued):
    """A walk over links by their values. A search adds `step`."""

    tabu_length: int = parameter(5, "turns for which a link is tabu", symbol="H1", where="§4.4", low=1)
    moves: int = parameter(
        50, "positions tried for one choice; then the best link that waits is taken", low=1
    )

    def begin(self, frontier: Frontier) -> None:
        self.tabu = TabuList(self.tabu_length)
        self.best: int | None = None
        self.walkers = Walkers(Position)
        self._led_to: dict[int, int] = {}

    def step(self, frontier: Frontier, position: int, rng: random.Random) -> int:
        """The position after `position`; `self.best` is known."""
        raise NotImplementedError

    def select(self, frontier: Frontier, rng: random.Random) -> Choice:
        number = self.walkers.idle()
        walker = self.walkers[number]
        walker.before = walker.link
        if walker.link is None:
            walker.link = self.queue.draw(frontier, rng)
            assert walker.link is not None
            self.update_best(frontier, walker.link)
        else:
            walker.link = self.walk(frontier, walker.link, rng)
        self.walkers.send(number)
        return Choice(walker.link, number)

    def walk(self, frontier: Frontier, position: int, rng: random.Random) -> int:
        """Step until the position is a link to fetch."""
        keys = frontier.columns["key"]
        for _ in range(self.moves):
            position = self.step(frontier, position, rng)
            self.update_best(frontier, position)
            if keys[position] > -np.inf:
                return position
        return self.jump(frontier)

    def update_best(self, frontier: Frontier, position: int) -> None:
        """Update Hlink."""
        if self.best is None or self.is_better(frontier, position, self.best):
            self.best = position

    def arrive(self, seen: Observation, frontier: Frontier) -> None:
        walker = self.walkers.back(seen.walker)
        if not seen.visit.fetched:
            walker.link = walker.before
        asked = frontier.number(seen.visit.asked)
        if asked is not None and asked != seen.link:
            self._led_to[asked] = seen.link

    def retract(self, choice: Choice, frontier: Frontier) -> None:
        walker = self.walkers.back(choice.walker)
        walker.link = walker.before
        self.tabu.terms.pop(choice.link, None)

    def follow(self, choice: Choice, frontier: Frontier) -> None:
        self.walkers.send(choice.walker)
        walker = self.walkers[choice.walker]
        walker.before, walker.link = walker.link, choice.link
        self.update_best(frontier, choice.link)

    def explain(self, frontier: Frontier, link: int) -> dict[str, float]:
        factors = super().explain(frontier, link)
        if link in self.tabu:
            factors["tabu for turns"] = float(self.tabu.terms[link])
        return factors

    def page_behind(self, link: int) -> int:
        """The page that a fetched link led to."""
        return self._led_to.get(link, link)

    def links_on(self, frontier: Frontier, pages: Iterable[int]) -> Numbers:
        """The links above the threshold on these pages that can be a position: choosable now, or fetched already."""
        found = [frontier.graph.targets(page) for page in pages]
        links = np.concatenate(found) if found else NO_LINKS
        columns = frontier.columns
        reachable = (columns["key"][links] > -np.inf) | (columns["state"][links] == VISITED)
        kept: Numbers = links[reachable & (columns["value"][links] > self.weights.threshold)]
        return kept

    def best_free(self, frontier: Frontier, links: Numbers) -> int | None:
        """The best of `links` that is not tabu; one already fetched only if there is no other."""
        free = np.array([link for link in links.tolist() if link not in self.tabu], dtype=np.int32)
        fresh = free[frontier.columns["key"][free] > -np.inf]
        return highest(frontier, fresh if len(fresh) else free)

    def is_better(self, frontier: Frontier, link: int, other: int) -> bool:
        """Whether P(link) > P(other), as of now."""
        values = frontier.columns["value"]
        return bool(values[link] > values[other])

    def jump(self, frontier: Frontier) -> int:
        """The best waiting link; it is never tabu, because a link becomes tabu only after it was chosen."""
        link = frontier.best()
        assert link is not None
        return link


def highest(frontier: Frontier, links: Numbers) -> int | None:
    """The link of highest value, the first among equals."""
    return int(links[frontier.columns["value"][links].argmax()]) if len(links) else None
