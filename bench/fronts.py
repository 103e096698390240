"""Two steps of web space evolution: sorting 100,000 links into fronts, and distances in a graph of 15,000 pages.

Objectives are uniformly random; rounded to two decimals and to one, so that many links tie; as in a crawl, with most
anchor values 0; all on one front; and on a diagonal of a thousand values, the most fronts.
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
PAGES, LINKS_PER_PAGE, SEEDS = 15_000, 40, 30


def main() -> None:
    """Print a line for each measurement."""
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
    rng = np.random.default_rng(0)
    even = rng.random((LINKS, 4))
    yield "uniform", even
    yield "two decimals", even.round(2)
    yield "one decimal", even.round(1)
    without_terms = even.copy()
    without_terms[rng.random(LINKS) < 0.7, 2] = 0.0
    yield "seven anchors in ten without terms", without_terms
    yield "one front", _sphere()
    yield "a thousand fronts", np.repeat(rng.random((LINKS, 1)).round(3), 4, axis=1)


def _sphere() -> Points:
    towards = np.random.default_rng(1).random((LINKS, 4))
    points: Points = towards / np.linalg.norm(towards, axis=1, keepdims=True)
    return points


def _distances() -> None:
    """From 30 seeds and 30 test links to 30 test links."""
    rng, graph, known = np.random.default_rng(0), Graph(), 1_000
    for page in range(PAGES):
        graph.add(page, np.unique(rng.integers(0, known + LINKS_PER_PAGE, LINKS_PER_PAGE)), LINKS_PER_PAGE)
        known += LINKS_PER_PAGE - 4
    pages = rng.integers(0, PAGES, 2 * SEEDS).tolist()
    began = time.perf_counter()
    search = Search(Edges(graph, known + LINKS_PER_PAGE, range(SEEDS)), pages, pages[SEEDS:])
    for test in range(SEEDS):
        search.to(test, range(SEEDS))
    spent = time.perf_counter() - began
    print(f"nearest seeds of {SEEDS} test links in a graph of {graph.size} edges: {spent:.2f} s", flush=True)


if __name__ == "__main__":
    main()
