"""The waiting queue of the papers: the links worth fetching, from which one is drawn at random or the best is taken.

Nothing is removed when a link is chosen or discarded: a link that turns out unchoosable is dropped when it is drawn.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator

import numpy as np

from topicrawl.frontier import PEEKED, Frontier, Ids

OUT = -1
PATIENCE = 32
"""Draws (or looks) in vain before all links are looked at."""


class Queue:
    """Links in no particular order, each at most once; 4 bytes a link, and 4 for its place (column `place`)."""

    def __init__(self, frontier: Frontier) -> None:
        self._links = array("i")
        frontier.columns.add("place", np.int32, OUT)

    def __len__(self) -> int:
        """Links entered and not dropped yet: at least as many as wait."""
        return len(self._links)

    def add(self, frontier: Frontier, links: Ids) -> None:
        """Enter links; those that are in already stay where they are."""
        places = frontier.columns["place"]
        fresh = links[places[links] == OUT]
        places[fresh] = np.arange(len(self._links), len(self._links) + len(fresh))
        self._links.extend(fresh.tolist())

    def draw(self, frontier: Frontier, rng: random.Random) -> int | None:
        """A choosable link, each with the same probability; it stays in. None when there is none."""
        return next(self.draws(frontier, rng), None)

    def draws(self, frontier: Frontier, rng: random.Random) -> Iterator[int]:
        """Choosable links without end, each with the same probability every time; nothing may change meanwhile.

        Where few are choosable all links are looked at, once for all draws.
        """
        while (link := self._lucky_draw(frontier, rng)) is not None:
            yield link
        links = np.array(self._links, dtype=np.int32)
        choosable = links[frontier.columns["key"][links] > -np.inf]
        while len(choosable):
            yield int(choosable[rng.randrange(len(choosable))])

    def _lucky_draw(self, frontier: Frontier, rng: random.Random) -> int | None:
        """A choosable link, if a few draws hit one."""
        keys = frontier.columns["key"]
        for _ in range(min(PATIENCE, len(self._links))):
            link = self._links[rng.randrange(len(self._links))]
            if keys[link] > -np.inf:
                return link
            self._drop_if_gone(frontier, link)
        return None

    def offers(self, frontier: Frontier) -> bool:
        """Whether any link is choosable now. Draws no randomness and changes nothing."""
        keys, stride = frontier.columns["key"], max(1, len(self._links) // PATIENCE)
        sample = self._links[::-stride]
        return any(keys[link] > -np.inf for link in sample) or frontier.best() is not None

    def hosts(self, frontier: Frontier, most: int) -> set[int]:
        """Up to `most` different hosts of links in the queue that wait and are not discarded."""
        columns, found = frontier.columns, set[int]()
        for link in reversed(self._links):
            if columns["state"][link] <= PEEKED and columns["priority"][link] > -np.inf:
                found.add(int(columns["host"][link]))
                if len(found) >= most:
                    break
        return found

    def _drop_if_gone(self, frontier: Frontier, link: int) -> None:
        """Drop a link that is settled or discarded (one whose host is held only waits for it)."""
        columns = frontier.columns
        if columns["state"][link] <= PEEKED and columns["priority"][link] > -np.inf:
            return
        places = columns["place"]
        last = self._links.pop()
        if last != link:
            self._links[places[link]] = last
            places[last] = places[link]
        places[link] = OUT
