"""The waiting queue of the papers: the links worth fetching, from which one is drawn at random or the best is taken.

Removal is lazy: a chosen or discarded link is dropped when it is drawn.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from topicrawl.frontier import PEEKED, Frontier, Ids

OUT = -1
TRIES = 32
"""Draws (or samples) without success before all links are checked."""


class Queue:
    """Links in no particular order, each at most once.

    They fill the first rows of column `queued`, which is as long as the frontier; column `place` is the row of each.
    """

    def __init__(self, frontier: Frontier) -> None:
        self._size = 0
        frontier.columns.add("queued", np.int32, 0)
        frontier.columns.add("place", np.int32, OUT)

    def __len__(self) -> int:
        """Links in the queue, those to be dropped included."""
        return self._size

    def add(self, frontier: Frontier, links: Ids) -> None:
        """Add links; those in the queue already keep their place."""
        places = frontier.columns["place"]
        fresh = links[places[links] == OUT]
        before, self._size = self._size, self._size + len(fresh)
        places[fresh] = np.arange(before, self._size)
        frontier.columns["queued"][before : self._size] = fresh

    def draw(self, frontier: Frontier, rng: random.Random) -> int | None:
        """A choosable link, each with the same probability; it stays in. None when there is none."""
        return next(self.draws(frontier, rng), None)

    def draws(self, frontier: Frontier, rng: random.Random) -> Iterator[int]:
        """Choosable links without end, drawn uniformly; the frontier must not change meanwhile.

        Where few are choosable all links are checked, once for all draws.
        """
        while (link := self._lucky_draw(frontier, rng)) is not None:
            yield link
        links = self._links(frontier)
        choosable = links[frontier.columns["key"][links] > -np.inf]
        while len(choosable):
            yield int(choosable[rng.randrange(len(choosable))])

    def _lucky_draw(self, frontier: Frontier, rng: random.Random) -> int | None:
        """A choosable link, if a few draws hit one."""
        keys, queued = frontier.columns["key"], frontier.columns["queued"]
        for _ in range(min(TRIES, self._size)):
            link = int(queued[rng.randrange(self._size)])
            if keys[link] > -np.inf:
                return link
            self._drop_if_gone(frontier, link)
        return None

    def offers(self, frontier: Frontier) -> bool:
        """Whether any link is choosable now. Draws no randomness and changes nothing."""
        sample = self._links(frontier)[:: -max(1, self._size // TRIES)]
        return bool(frontier.choosable(sample).any()) or frontier.best() is not None

    def hosts(self, frontier: Frontier, most: int) -> set[int]:
        """Up to `most` different hosts of links in the queue that wait and are not discarded."""
        columns, found = frontier.columns, set[int]()
        for link in reversed(self._links(frontier)):
            if columns["state"][link] <= PEEKED and columns["priority"][link] > -np.inf:
                found.add(int(columns["host"][link]))
                if len(found) >= most:
                    break
        return found

    def _links(self, frontier: Frontier) -> Ids:
        links: Ids = frontier.columns["queued"][: self._size]
        return links

    def _drop_if_gone(self, frontier: Frontier, link: int) -> None:
        """Drop a link that is settled or discarded, but not one whose host is held."""
        columns = frontier.columns
        if columns["state"][link] <= PEEKED and columns["priority"][link] > -np.inf:
            return
        places = columns["place"]
        self._size -= 1
        last = columns["queued"][self._size]
        if last != link:
            columns["queued"][places[link]] = last
            places[last] = places[link]
        places[link] = OUT
