"""The link graph: both directions, and the relevance of anchors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.frontier.columns import AT_ONCE
from topicrawl.frontier.graph import Graph

pages = st.lists(st.sets(st.integers(0, 30), max_size=8), max_size=20)


@given(pages)
def test_the_pages_that_contain_a_link_are_found_the_latest_first(contents: list[set[int]]) -> None:
    graph = Graph()
    for page, links in enumerate(contents):
        graph.add(page, np.array(sorted(links), dtype=np.int64), out_degree=len(links))
    for link in range(31):
        expected = [page for page, links in enumerate(contents) if link in links][::-1]
        assert graph.sources(link) == expected
        assert graph.sources(link, most=2) == expected[:2]
    assert graph.size == sum(map(len, contents))
    assert [set(graph.targets(page).tolist()) for page in range(len(contents))] == contents


@pytest.mark.parametrize("last", [0, 1, AT_ONCE - 1, AT_ONCE, AT_ONCE + 5])
def test_pieces_of_edges_are_all_edges_in_order(last: int) -> None:
    graph = Graph()
    for page, size in enumerate((3, 0, AT_ONCE - 5, 2, 0, last)):
        graph.add(page, np.arange(size), out_degree=size)
    taken = list(graph.pieces())
    assert all(len(sources) == len(targets) <= AT_ONCE for _, sources, targets in taken)
    numbers = [number for edges, _, _ in taken for number in range(edges.start, edges.stop)]
    assert numbers == list(range(graph.size))
    for column, whole in enumerate(graph.edges(), 1):
        assert np.array_equal(np.concatenate([piece[column] for piece in taken]), whole)


def test_anchor_relevances_are_0_until_set() -> None:
    graph = Graph()
    graph.add(7, np.array([3, 1]), out_degree=4)
    graph.add(3, np.array([7]), out_degree=1)
    assert graph.anchors_of(7).tolist() == [0, 0]
    graph.weigh(7, np.array([0.5, 0.25]))
    assert graph.anchors_of(7).tolist() == [0.5, 0.25]
    assert graph.anchors_of(3).tolist() == [0]
    assert graph.anchors_of(99).tolist() == []
    told, ends, degrees = graph.rows()
    assert (told.tolist(), ends.tolist(), degrees.tolist()) == ([7, 3], [2, 3], [4, 1])
    targets, anchors = graph.columns()
    assert (targets.tolist(), anchors.tolist()) == ([3, 1, 7], [0.5, 0.25, 0])


def test_a_page_without_links_and_links_found_on_a_page_later() -> None:
    graph = Graph()
    graph.add(0, np.array([], dtype=np.int64), out_degree=5)
    graph.add(2, np.array([1]), out_degree=1)
    graph.add(0, np.array([3]), out_degree=9)
    assert graph.targets(0).tolist() == [], "as when it was visited"
    assert graph.sources(3) == [0]
    assert [graph.out_degree(page) for page in (0, 1, 2, 3, 99)] == [5, 0, 1, 0, 0]
    assert [each.tolist() for each in graph.edges()] == [[2, 0], [1, 3]]
