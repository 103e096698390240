"""All known links, stored as columns: 15,000 pages of the real web contain half a million links.

A link is a number (its row). Each row holds, besides the URL text: host, depth, state, first parent, sum and count
of the relevance of the pages that contain it, priority and key; see `Frontier.bytes_per_link`. A strategy adds
columns of its own. `key` is the priority of links that may be chosen now and −inf for all others, so that choosing
is one argmax without a mask.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from topicrawl.floats import nth_largest
from topicrawl.frontier.columns import Allocator, Columns, in_memory
from topicrawl.frontier.graph import Graph
from topicrawl.frontier.hosts import BUSY, Hosts
from topicrawl.frontier.largest import Largest
from topicrawl.frontier.texts import Texts

try:
    from topicrawl._native import set_priorities
except ImportError:  # the same in Python, several times slower
    from topicrawl.frontier.priorities import set_priorities

WAITING, PEEKED, ASKED, VISITED, FAILED, LEFT, OUTSIDE, FOREIGN = range(8)
"""The states of a link. When a link redirects, both it and its target become VISITED.

LEFT: given up unvisited, because it belongs to a trap.

OUTSIDE: withdrawn unvisited, because the scope was narrowed; it waits again when the scope admits it.

FOREIGN: of a site that another shard crawls; it is never asked here.

PEEKED: fetched for its relevance only; the links of its page are not added, and it may still be chosen.
"""

MAX_DEPTH = int(np.iinfo(np.int16).max)

Ids = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Queue = tuple[
    npt.NDArray[np.uint8],
    npt.NDArray[np.int32],
    npt.NDArray[np.uint8],
    Floats,
    Floats,
    npt.NDArray[np.bool_],
]


class Frontier:
    """Every link known to a crawl, waiting or not.

    Whatever grows with the number of links comes from `allocator`, columns of strategies and measures included.
    """

    not_stored: ClassVar = ("allocator", "_largest")

    def __init__(self, allocator: Allocator = in_memory) -> None:
        self.allocator = allocator
        self.urls = Texts(allocator)
        self.hosts = Hosts(allocator)
        self.graph = Graph(allocator)
        self.waiting = 0
        self._largest = Largest()
        """Of the keys."""
        self.columns = Columns(
            allocator,
            host=(np.int32, -1),
            depth=(np.int16, 0),
            state=(np.uint8, WAITING),
            parent=(np.int32, -1),
            parents_sum=(np.float64, 0.0),
            parents_count=(np.int32, 0),
            priority=(np.float64, -np.inf),
            key=(np.float64, -np.inf),
        )

    def remake(self) -> None:
        """Make again what is not stored."""
        self._largest = Largest()
        self._largest.changed(np.arange(len(self)), len(self))

    def __len__(self) -> int:
        return len(self.urls)

    def number(self, url: str) -> int | None:
        """The link with this canonical URL, or None."""
        return self.urls.numbers([url])[0]

    def numbers(self, urls: list[str]) -> list[int | None]:
        """The links with these canonical URLs, None for each that is unknown."""
        return self.urls.numbers(urls)

    def add(self, urls: list[str], depth: int, parent: int) -> Ids:
        """Add links, all unknown so far and all different; they wait without a priority."""
        first = self.columns.grow(len(urls))
        ids = np.arange(first, first + len(urls))
        self.urls.extend(urls)
        self.columns["host"][first:] = self.hosts.add_links([url.split("/", 3)[2] for url in urls], first)
        self.columns["depth"][first:] = min(depth, MAX_DEPTH)
        self.columns["parent"][first:] = parent
        self.waiting += len(urls)
        return ids

    def prioritise(self, ids: Ids, priorities: Floats) -> None:
        """Give links a priority; only those that wait (or were peeked) on an open host become choosable.

        −inf discards a link: it waits and cannot be chosen until it is given another priority.
        """
        numbers = np.ascontiguousarray(ids, np.int64)
        set_priorities(numbers, np.ascontiguousarray(priorities, np.float64), *self.queue)

    @property
    def queue(self) -> Queue:
        """What `set_priorities` reads and sets: states, hosts, which of these are held, priorities, keys, blocks."""
        columns, stale = self.columns, self._largest.stale(len(self))
        return columns["state"], columns["host"], self.hosts.held, columns["priority"], columns["key"], stale

    def choosable(self, ids: Ids) -> npt.NDArray[np.bool_]:
        """Which of these links may be chosen now."""
        mask: npt.NDArray[np.bool_] = self.columns["key"][ids] > -np.inf
        return mask

    def best(self) -> int | None:
        """The choosable link of highest priority, the one known longest among equals."""
        keys = self.columns["key"]
        if not len(keys):
            return None
        link = self._largest.place(keys)
        return link if keys[link] > -np.inf else None

    def best_of_all(self, number: int) -> Ids:
        """The `number` choosable links of highest priority, those known longest among equals, in the order found."""
        keys = self.columns["key"]
        if len(keys) > number:
            least = nth_largest(keys, number)
            above = np.flatnonzero(keys > least)
            equal = np.flatnonzero(keys == least)[: number - len(above)]
            links = np.sort(np.concatenate((above, equal)))
        else:
            links = np.arange(len(keys))
        chosen: Ids = links[keys[links] > -np.inf]
        return chosen

    def seeds(self, ids: Ids) -> npt.NDArray[np.bool_]:
        """Which of these links are seeds: a link found on a page, by this crawl or another, is deeper."""
        mask: npt.NDArray[np.bool_] = self.columns["depth"][ids] == 0
        return mask

    def parents_mean(self, ids: Ids) -> Floats:
        """Mean relevance of the pages that contain each link; 0 for a link on no page."""
        count = self.columns["parents_count"][ids]
        mean: Floats = self.columns["parents_sum"][ids] / np.maximum(count, 1)
        return mean

    def contained(self, ids: Ids, relevance: float) -> None:
        """Record that another page, of this relevance, contains these (different) links."""
        self.columns["parents_sum"][ids] += relevance
        self.columns["parents_count"][ids] += 1

    def revise(self, page: int, change: float) -> None:
        """Add to the relevance of a visited page: for the links that it contains."""
        self.columns["parents_sum"][self.graph.all_targets(page)] += change

    def settle(self, link: int, state: int) -> None:
        """Set the state of a link and make it unchoosable (a PEEKED one becomes choosable when prioritised again)."""
        states = self.columns["state"]
        self.waiting -= int(states[link] == WAITING)
        states[link] = state
        self.columns["key"][link] = -np.inf
        self._largest.changed(link, len(self))

    def leave(self, links: Ids) -> None:
        """Leave links that were just added, and have no priority yet, to other shards."""
        self.columns["state"][links] = FOREIGN
        self.waiting -= len(links)

    def reopen(self, link: int, state: int) -> None:
        """Let a link that was withdrawn wait again, as WAITING or PEEKED; it becomes choosable when prioritised."""
        self.waiting += int(state == WAITING)
        self.columns["state"][link] = state

    def may_ask(self, link: int) -> bool:
        """Whether a link waits on an open host, whatever its priority."""
        columns = self.columns
        return bool(columns["state"][link] == WAITING and not self.hosts.held[columns["host"][link]])

    def hold(self, host: int, why: int = BUSY) -> None:
        """Make all links of a host unchoosable until every reason it was held for is gone."""
        self.hosts.held[host] |= why
        links = self.hosts.links(host)
        self.columns["key"][links] = -np.inf
        self._largest.changed(links, len(self))

    def release(self, host: int, why: int = BUSY) -> None:
        """Undo `hold` for one reason."""
        self.hosts.held[host] &= ~np.uint8(why)
        if self.hosts.held[host]:
            return
        links = self.hosts.links(host)
        waits = self.columns["state"][links] <= PEEKED
        self.columns["key"][links] = np.where(waits, self.columns["priority"][links], -np.inf)
        self._largest.changed(links, len(self))

    @property
    def bytes_per_link(self) -> float:
        """Bytes per link besides its URL text: columns, lists of links by host, hash table."""
        return (self.columns.nbytes + self.hosts.nbytes + self.urls.nbytes) / max(1, len(self))
