"""Native code and Python add up the same over the edges of the link graph, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.scout import edge_sums
from topicrawl.scout.edge_sums import EACH_AS_ONE

native = pytest.importorskip("topicrawl._native", reason="built without native code")

EDGES, LINKS, GROUPS = 400, 60, 9


def test_sums_over_edges_are_equal() -> None:
    random = np.random.default_rng(1)
    targets, groups = random.integers(0, LINKS, EDGES, np.int32), random.integers(0, GROUPS, EDGES, np.int32)
    judged, visited = random.random(LINKS), random.random(LINKS) < 0.4
    parents, mean = random.integers(0, 5, LINKS, np.int32), np.array([0.3])
    found = []
    for of in (native, edge_sums):
        sums, each, shared = np.zeros(LINKS), np.zeros((2, GROUPS)), np.full((2, GROUPS), 2.0)
        of.add_to_targets(targets, groups, judged[:GROUPS].copy(), sums)
        of.add_visited(targets, groups, visited, judged, EACH_AS_ONE, mean, *each)
        of.add_visited(targets, groups, visited, judged, parents, mean, *shared)
        found.append([part.tobytes() for part in (sums, each, shared)])
        assert each[1].sum() == visited[targets].sum()
    assert found[0] == found[1]


def test_places_of_edges_are_equal() -> None:
    random = np.random.default_rng(2)
    numbers, rows = random.integers(0, 9, 50, np.uint8), random.integers(0, 50, LINKS)
    places = random.integers(0, GROUPS, 6).astype(np.uint16)
    targets, parents = random.permutation(LINKS), random.integers(0, 3, LINKS, np.int32)
    found = []
    for of in (native, edge_sums):
        edges, path = np.zeros(LINKS, np.uint16), np.full(LINKS, 0.5, np.float32)
        of.add_places(numbers, rows, places, targets, parents, np.arange(GROUPS) / 3, edges, path)
        found.append([edges.tobytes(), path.tobytes()])
        assert np.array_equal(path == 0.5, parents > 1)
    assert found[0] == found[1]


def test_native_code_refuses_edges_that_do_not_fit() -> None:
    edge, visited, two, one = np.ones(1, np.int32), np.ones(2, np.bool_), np.ones(2), np.ones(1)
    number, row, place = np.zeros(1, np.uint8), np.zeros(1, np.int64), np.zeros(1, np.uint16)
    of_page, path = (edge, one, place.copy()), np.zeros(1, np.float32)
    refused = [
        lambda: native.add_places(number, row + 1, place, row, *of_page, path),
        lambda: native.add_places(number, row - 1, place, row, *of_page, path),
        lambda: native.add_places(number, row, place[:0], row, *of_page, path),
        lambda: native.add_places(number, row, place + np.uint16(1), row, *of_page, path),
        lambda: native.add_places(number, row, place, row + 1, *of_page, path),
        lambda: native.add_places(number, row, place, row[:0], *of_page, path),
        lambda: native.add_places(number, row, place, row, edge, one, place[:0], path),
        lambda: native.add_places(number, row, place, row, *of_page, path[:0]),
        lambda: native.add_to_targets(edge, edge, two, one.copy()),
        lambda: native.add_to_targets(edge, edge, one, two.copy()),
        lambda: native.add_to_targets(edge, -edge, two, two.copy()),
        lambda: native.add_to_targets(edge, edge[:0], two, two.copy()),
        lambda: native.add_visited(edge + 1, edge, visited, two, EACH_AS_ONE, one, two.copy(), two.copy()),
        lambda: native.add_visited(edge, edge + 1, visited, two, EACH_AS_ONE, one, two.copy(), two.copy()),
        lambda: native.add_visited(edge, edge, visited, one, EACH_AS_ONE, one, two.copy(), two.copy()),
        lambda: native.add_visited(edge, edge, visited, two, edge, one, two.copy(), two.copy()),
        lambda: native.add_visited(edge, edge, visited, two, EACH_AS_ONE, two, two.copy(), two.copy()),
        lambda: native.add_visited(edge, edge, visited, two, EACH_AS_ONE, one, two.copy(), one.copy()),
    ]
    for call in refused:
        with pytest.raises(ValueError, match="do not fit"):
            call()
