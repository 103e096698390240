"""The chance that a link gives no page, learned from the links that were asked for.

Links are grouped by where they lead, each group within a larger one:

    crawl ─ site ─ host ─ first folders of the path, digits as # ─ shape of the name (ending, digits, query)

The chance of a group is the share of its links that failed, smoothed by `SMOOTHING` links with the chance of the group
above. A group counts in the group above only once, as failed while all its links failed: a large folder of dead links
says little about the other folders of its host, and one page of a folder says that not all of it is dead.

Only failures that would come again are learned: a status of 4xx, a name that does not exist, what robots.txt forbids.
Silence, broken connections and 5xx may be over at the next request (crawling/outages.py), so they are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from topicrawl.frontier import PEEKED, Floats, Frontier, Ids
from topicrawl.frontier.columns import Columns, pieces
from topicrawl.frontier.texts import Texts
from topicrawl.model import Ints, Visit
from topicrawl.scout.url_shapes import FOLDERS, group_name
from topicrawl.urls import site as site_of

try:
    from topicrawl._native import group_names
except ImportError:  # the same in Python, several times slower
    from topicrawl.scout.url_shapes import group_names

SMOOTHING = 1.0
"""Links with the chance of the group above that are added to each group."""
FIRST_CHANCE = 0.2
"""The chance of failure before anything was asked for."""
LEVELS = 4 + FOLDERS
NOTICED = 0.05
"""A rise of a group's chance that its links are told at once."""
STEP, GROWTH = 5, 50
"""All chances are computed anew after so many failures, at least, and when the failures have grown by 1 / GROWTH."""
WIDE_ROWS = 1 << 13
"""Links that are told of new chances at a time."""
PASSING = frozenset({408, 425, 429})
"""Statuses below 500 that a later request may not get."""
LASTING = frozenset(
    {"type", "dns", "robots", "redirects", "guard", "tls", "url", "scheme", "headers", "protocol"}
)
"""Errors besides `http` that would come again (docs/errors.md)."""
CRAWL = 0
"""The group of all links."""


def lesson(visit: Visit) -> bool | None:
    """Whether a visit failed; None where it says nothing about the links near it."""
    if visit.fetched:
        return False
    if visit.error == "http" and visit.status is not None:
        return True if 400 <= visit.status < 500 and visit.status not in PASSING else None
    return True if visit.error in LASTING else None


class Failures:
    """The groups of a frontier's links, in column `failure_group`, and the chance of each group that a link fails."""

    def __init__(self, frontier: Frontier) -> None:
        frontier.columns.add("failure_group", np.int32, CRAWL)
        self._names = Texts(frontier.allocator)
        self._groups = Columns(
            frontier.allocator,
            above=(np.int32, CRAWL),
            level=(np.int8, 0),
            tried=(np.int32, 0),
            failed=(np.int32, 0),
            chance=(np.float64, FIRST_CHANCE),
        )
        self._groups.grow(1)
        self._names.extend([""])
        self._grouped = self._failed = self._measured = 0
        """Links with a group; failures learned, and those learned when all chances were last computed."""

    def chance(self, frontier: Frontier, links: Ids) -> Floats:
        """The chance of each link that it fails, as last computed."""
        groups, chances = self.groups(frontier)
        found: Floats = chances[groups[links]]
        return found

    def groups(self, frontier: Frontier) -> tuple[Ints, Floats]:
        """The group of every link, and the chance of every group, as last computed."""
        self._group_new_links(frontier)
        return frontier.columns["failure_group"], self._groups["chance"]

    def learn(self, visit: Visit, frontier: Frontier) -> Iterator[Ids]:
        """Learn from a visit; yields the waiting links whose chance rose.

        Those of the same group are told at once, all others when the failures have grown by 1 / GROWTH.
        """
        failed, link = lesson(visit), frontier.number(visit.asked)
        if failed is None or link is None:
            return
        self._group_new_links(frontier)
        columns = frontier.columns
        group = int(columns["failure_group"][link])
        rose = self._count(group, failed=failed)
        self._failed += failed
        if self._failed - self._measured >= max(STEP, self._failed // GROWTH):
            self.measure()
            for some in pieces(frontier.allocator, len(frontier), WIDE_ROWS):
                yield some.start + np.flatnonzero(columns["state"][some] <= PEEKED)
        elif rose:
            near = frontier.hosts.links(int(columns["host"][link]))
            yield near[(columns["failure_group"][near] == group) & (columns["state"][near] <= PEEKED)]

    def measure(self) -> None:
        """Compute the chance of every group, those above first."""
        self._measured = self._failed
        groups = self._groups
        for level in range(LEVELS):
            rows = np.flatnonzero(groups["level"] == level)
            above = groups["chance"][groups["above"][rows]] if level else FIRST_CHANCE
            groups["chance"][rows] = _smoothed(groups["failed"][rows], groups["tried"][rows], above)

    def _count(self, group: int, *, failed: bool) -> bool:
        """Count a link of a group; whether the chance of the group rose noticeably."""
        groups, at = self._groups, group
        tried, dead = 1, int(failed)
        while tried or dead:
            was_tried, was_dead = groups["tried"][at] > 0, self._is_dead(at)
            groups["tried"][at] += tried
            groups["failed"][at] += dead
            if at == CRAWL:
                break
            tried, dead = int(not was_tried), int(self._is_dead(at)) - int(was_dead)
            at = int(groups["above"][at])
        above = groups["chance"][groups["above"][group]]
        chance = _smoothed(groups["failed"][group], groups["tried"][group], above)
        if chance < groups["chance"][group] + NOTICED:
            return False
        groups["chance"][group] = chance
        return True

    def _is_dead(self, group: int) -> bool:
        """Whether links of a group were tried and all failed."""
        tried = self._groups["tried"][group]
        return bool(tried > 0 and self._groups["failed"][group] == tried)

    def _group_new_links(self, frontier: Frontier) -> None:
        first, self._grouped = self._grouped, len(frontier)
        if first < self._grouped:
            frontier.columns["failure_group"][first:] = self._numbers(frontier.urls[first:])

    def _numbers(self, urls: list[str]) -> list[int | None]:
        """The smallest group of each URL."""
        names = group_names(urls, group_name)
        numbers = self._names.numbers(names)
        if None not in numbers:
            return numbers
        self._add([name for name, number in zip(names, numbers, strict=True) if number is None])
        return self._names.numbers(names)

    def _add(self, names: list[str]) -> None:
        """Add smallest groups, and those above them that are missing; each has the chance of the group above."""
        places = {  # the groups above first
            name: (above, level)
            for path in map(_path, dict.fromkeys(names))
            for level, (above, name) in enumerate(pairwise(path), 1)
        }
        known = dict(zip(places, self._names.numbers(list(places)), strict=True))
        new = [name for name, number in known.items() if number is None]
        groups, first = self._groups, self._groups.grow(len(new))
        self._names.extend(new)
        numbers = {"": CRAWL} | known | {name: group for group, name in enumerate(new, first)}
        groups["above"][first:] = [numbers[places[name][0]] for name in new]
        groups["level"][first:] = [places[name][1] for name in new]
        chances, above = groups["chance"], groups["above"][first:].tolist()
        for group, larger in enumerate(above, first):
            chances[group] = chances[larger]


def _smoothed(failed: Any, tried: Any, above: Any) -> Any:
    return (failed + SMOOTHING * above) / (tried + SMOOTHING)


def _path(name: str) -> list[str]:
    """The names of the groups that a smallest group is in, from the crawl down to itself.

    >>> _path("a.h.test/x/*")
    ['', '@h.test', 'a.h.test', 'a.h.test/x', 'a.h.test/x/*']
    """
    *folders, _ = name.split("/")
    return ["", f"@{site_of(folders[0])}", *accumulate(folders, "{}/{}".format), name]
