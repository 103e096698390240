"""The hosts of seeds and examples: every link was reached from one of them, and each is due an equal share of pages."""

from __future__ import annotations

import numpy as np

from topicrawl.frontier import WAITING, Floats, Frontier
from topicrawl.scout.lessons import Model

ELSEWHERE = -1
"""Stands for the host that links found by another crawl come from."""


class Starts:
    """Starts by number, in column `start` of the frontier, and the pages reached from each."""

    def __init__(self, frontier: Frontier) -> None:
        frontier.columns.add("start", np.int32, 0)
        self._numbers: dict[int, int] = {}
        """By host."""
        self.names: list[str] = []
        self._reached: list[int] = []
        """Visited pages."""

    def trace_back(self, frontier: Frontier, first: int, end: int) -> None:
        """Set the start of new links: that of a seed or example is its host, of any other that of its parent.

        Links found by another crawl have one start in common.
        """
        columns = frontier.columns
        parents, starts = columns["parent"][first:end], columns["start"]
        if 0 <= parents[0] < first and (parents == parents[0]).all():  # links of one page, as nearly always
            starts[first:end] = starts[parents[0]]
            return
        for link in first + np.flatnonzero(parents < 0):
            elsewhere = columns["depth"][link] > 0 and columns["state"][link] == WAITING
            host = ELSEWHERE if elsewhere else int(columns["host"][link])
            starts[link] = self._numbers.setdefault(host, len(self._numbers))
            if len(self._numbers) > len(self.names):
                self.names.append("" if elsewhere else frontier.hosts.names[host])
                self._reached.append(0)
        for found in (
            (parents >= 0) & (parents < first),
            parents >= first,
        ):  # what a redirect led to, then its links
            starts[first:end][found] = starts[parents[found]]

    def count(self, start: int) -> None:
        """Count a visited page."""
        self._reached[start] += 1

    def shares(self, pages: int, given: Model | None) -> Floats:
        """The part of an equal share of `pages` that each start lacks; 0 where there is a single start.

        `given`: what a teacher of many shards said of all pages.
        """
        if len(self.names) == 1:
            return np.zeros(1)
        had = np.array(self._reached)
        if given is not None:
            had, pages = np.array([given.reached.get(name, 0) for name in self.names]), given.pages
        lack: Floats = 1 - had * len(had) / max(pages, 1)
        return np.maximum(lack, 0.0)
