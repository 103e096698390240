"""The chance that a link gives no page, learned from the links that were asked for.

Links are grouped by where they lead, each group within a larger one:

    crawl ─ site ─ host ─ first folders of the path, digits as # ─ shape of the name (ending, digits, query)

The chance of a group is the share of its links that failed, smoothed by `SMOOTHING` links with the chance of the group
above. A group counts in the group above only once, with its first link: a large folder of dead links says little about
the other folders of its host.

Only failures that would come again are learned: a status of 4xx, a name that does not exist, what robots.txt forbids.
Silence, broken connections and 5xx may be over at the next request (crawling/outages.py), so they are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from topicrawl.frontier import PEEKED, Floats, Frontier, Ids
from topicrawl.frontier.columns import Columns, pieces
from topicrawl.frontier.texts import Texts
from topicrawl.model import Visit
from topicrawl.urls import site as site_of

SMOOTHING = 1.0
"""Links with the chance of the group above that are added to each group."""
FIRST_CHANCE = 0.2
"""The chance of failure before anything was asked for."""
FOLDERS = 3
"""Folders of a path that make groups; deeper ones are in the group of the third."""
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
_NUMBER = re.compile(r"\d+")


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
        self._add("", CRAWL, 0)
        self._grouped = self._failed = self._measured = 0
        """Links with a group; failures learned, and those learned when all chances were last computed."""

    def chance(self, frontier: Frontier, links: Ids) -> Floats:
        """The chance of each link that it fails, as last computed."""
        self._group_new_links(frontier)
        chances: Floats = self._groups["chance"][frontier.columns["failure_group"][links]]
        return chances

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
        while True:
            is_first = groups["tried"][at] == 0
            groups["tried"][at] += 1
            groups["failed"][at] += failed
            if not is_first or at == CRAWL:
                break
            at = int(groups["above"][at])
        above = groups["chance"][groups["above"][group]]
        chance = _smoothed(groups["failed"][group], groups["tried"][group], above)
        if chance < groups["chance"][group] + NOTICED:
            return False
        groups["chance"][group] = chance
        return True

    def _group_new_links(self, frontier: Frontier) -> None:
        first, self._grouped = self._grouped, len(frontier)
        if first < self._grouped:
            frontier.columns["failure_group"][first:] = self._numbers(frontier.urls[first:])

    def _numbers(self, urls: list[str]) -> list[int | None]:
        """The smallest group of each URL."""
        names = list(map(group_name, urls))
        numbers = self._names.numbers(names)
        unknown = [name for name, number in zip(names, numbers, strict=True) if number is None]
        if not unknown:
            return numbers
        for name in dict.fromkeys(unknown):
            self._enter(name)
        return self._names.numbers(names)

    def _enter(self, name: str) -> None:
        """Add a smallest group, and those above it that are missing."""
        above = CRAWL
        for level, each in enumerate(_path(name), 1):
            (known,) = self._names.numbers([each])
            above = self._add(each, above, level) if known is None else known

    def _add(self, name: str, above: int, level: int) -> int:
        groups, group = self._groups, self._groups.grow(1)
        self._names.extend([name])
        groups["above"][group], groups["level"][group] = above, level
        groups["chance"][group] = groups["chance"][above]
        return group


def in_a_row(chances: Floats, count: int) -> Floats:
    """The chance that `count` links with this chance all fail, by multiplication: the same bits everywhere."""
    result: Floats = np.ones(len(chances))
    while count:
        if count % 2:
            result = result * chances
        chances, count = chances * chances, count // 2
    return result


def _smoothed(failed: Any, tried: Any, above: Any) -> Any:
    return (failed + SMOOTHING * above) / (tried + SMOOTHING)


def group_name(url: str) -> str:
    """The name of the smallest group of a URL.

    >>> group_name("http://h.test/cal/2026/11/day3.html?view=all")
    'h.test/cal/#/#/*#.html?'
    """
    path, question, _ = url[url.index("/") + 2 :].partition("?")
    host, *folders, name = path.split("/")
    stem, dot, ending = name.rpartition(".")
    kept = "".join(f"{folder}/" for folder in folders[:FOLDERS])
    digits = "#" if any(map(str.isdigit, stem or ending)) else ""
    return f"{host}/{_NUMBER.sub('#', kept)}*{digits}{dot}{ending.lower() if dot else ''}{question}"


def _path(name: str) -> Iterator[str]:
    """The names of the groups that a smallest group is in, from its site down to itself."""
    *folders, _ = name.split("/")
    yield f"@{site_of(folders[0])}"
    for count in range(1, len(folders) + 1):
        yield "/".join(folders[:count])
    yield name
