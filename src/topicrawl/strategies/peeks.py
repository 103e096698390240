"""Peeks: pages fetched for their relevance before a link is chosen, which FCWSEO's link value implies.

All new links of a page are peeked at, in document order, before the next choice, which is made when the last of these
pages is visited. Every peek is a fetch and is counted as one.
"""

from __future__ import annotations

from topicrawl.frontier import WAITING, Frontier, Ids


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
