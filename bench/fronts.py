"""Web space evolution's two heavy steps: sorting 100,000 links into fronts, and distances in a graph of 15,000 pages.

Objectives are drawn evenly; with two decimals and with one, so that many links tie; as a crawl has them, most anchors
saying nothing; all on one front; and along a diagonal of a thousand values, the longest chain of fronts.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import numpy as np

from topicrawl.frontier.distance import Edges, Search
from topicrawl.frontier.graph import Graph
from topicrawl.strategies.pareto import Points, front_of, nearest_and_farthest

LINKS = 100_000
PAGES, A_PAGE, SEEDS = 15_000, 40, 30


def main() -> None:
    """A line each."""
    for name, points in _points():
        began = time.perf_counter()
        fronts = front_of(points)
        spent = time.perf_counter() - began
        print(f"{LINKS} links, {name}: {fronts.max() + 1} fronts in {spent:.2f} s", flush=True)
    began = time.perf_counter()
    nearest_and_farthest(points := _sphere(), 2 * SEEDS, random.Random(0))
    print(
        f"{2 * SEEDS} of one front of {len(points)} by NFCS: {time.perf_counter() - began:.2f} s", flush=True
    )
    _distances()


def _points() -> Iterator[tuple[str, Points]]:
    dice = np.random.default_rng(0)
    even = dice.random((LINKS, 4))
    yield "drawn evenly", even
    yield "two decimals", even.round(2)
    yield "one decimal", even.round(1)
    silent = even.copy()
    silent[dice.random(LINKS) < 0.7, 2] = 0.0
    yield "seven anchors in ten silent", silent
    yield "one front", _sphere()
    yield "a chain of a thousand", np.repeat(dice.random((LINKS, 1)).round(3), 4, axis=1)


def _sphere() -> Points:
    towards = np.random.default_rng(1).random((LINKS, 4))
    points: Points = towards / np.linalg.norm(towards, axis=1, keepdims=True)
    return points


def _distances() -> None:
    """From 30 seeds and 30 test links to 30 test links."""
    dice, graph, known = np.random.default_rng(0), Graph(), 1_000
    for page in range(PAGES):
        graph.add(page, np.unique(dice.integers(0, known + A_PAGE, A_PAGE)), A_PAGE)
        known += A_PAGE - 4
    pages = dice.integers(0, PAGES, 2 * SEEDS).tolist()
    began = time.perf_counter()
    search = Search(Edges(graph, known + A_PAGE, range(SEEDS)), pages, pages[SEEDS:])
    for test in range(SEEDS):
        search.to(test, range(SEEDS))
    spent = time.perf_counter() - began
    print(f"nearest seeds of {SEEDS} test links in a graph of {graph.size} edges: {spent:.2f} s", flush=True)


if __name__ == "__main__":
    main()
