"""Improved PageRank, against iterations and solutions with dense matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.frontier import Floats, Frontier
from topicrawl.value.pagerank import PageRank
from value.seen import frontier_of

EDGES = {(0, 1): 0.5, (0, 2): 0.0, (1, 2): 1.0, (2, 0): 0.8, (3, 2): 0.2}
"""Four pages; the anchor relevance of each link."""
Edges = dict[tuple[int, int], float]


def graph(edges: Edges, nodes: int, *, beyond: int = 0) -> Frontier:
    """Pages visited in order; each has `beyond` more links that are out of scope."""
    frontier = frontier_of(nodes)
    for page in range(nodes):
        targets = [target for source, target in edges if source == page]
        frontier.graph.add(page, np.array(targets, dtype=np.int64), out_degree=len(targets) + beyond)
        frontier.graph.weigh(page, np.array([edges[page, target] for target in targets]))
    return frontier


def ranks(frontier: Frontier, rank: PageRank, sweeps: int | None = None) -> Floats:
    rank.start(frontier)
    if sweeps is not None:
        rank.refresh(frontier, sweeps)
    return rank(frontier, np.arange(len(frontier)))


def shares(edges: Edges, nodes: int, emphasis: float, variant: str, beyond: int = 0) -> Floats:
    """The matrix of the published equation, element by element."""
    matrix = np.zeros((nodes, nodes))
    for (source, target), anchor in edges.items():
        matrix[target, source] = 1 + emphasis * anchor
    if variant == "stochastic":
        return matrix / np.maximum(matrix.sum(axis=0), 1.0)
    links = np.array([sum(source == page for source, _ in edges) for page in range(nodes)]) + beyond
    return matrix / np.maximum(links, 1)


@pytest.mark.parametrize(
    ("emphasis", "sweeps", "expected"),
    [
        (0.0, 1, (1, 0.575, 2.275, 0.15)),
        (0.0, 20, (1.490126, 0.783255, 1.576619, 0.15)),
        (0.1, 1, (1.068, 0.59625, 2.377, 0.15)),
        (0.1, 20, (2.251102, 1.149067, 2.300801, 0.15)),
        (0.6, 1, (1.408, 0.7025, 2.887, 0.15)),
        (0.6, 20, (60.753863, 29.068839, 56.444237, 0.15)),
    ],
)
def test_iterations_of_the_equation(emphasis: float, sweeps: int, expected: tuple[float, ...]) -> None:
    found = ranks(graph(EDGES, 4), PageRank(emphasis=emphasis, normalised=False), sweeps)
    assert found == pytest.approx(np.array(expected), rel=1e-6)


def test_a_refresh_is_twenty_iterations_divided_by_the_highest_rank() -> None:
    frontier = graph(EDGES, 4)
    rank = PageRank()
    rank.start(frontier)
    rank.refresh(frontier)
    assert rank(frontier, np.arange(4)) == pytest.approx([1, 0.478469, 0.929064, 0.002469], abs=1e-6)


@pytest.mark.parametrize(("emphasis", "radius"), [(0.1, 0.902523), (0.6, 1.1613)])
def test_the_published_equation_diverges_with_the_published_emphasis(emphasis: float, radius: float) -> None:
    eigenvalues = np.linalg.eigvals(0.85 * shares(EDGES, 4, emphasis, "literal"))
    assert max(abs(eigenvalues)) == pytest.approx(radius, abs=1e-4)


@pytest.mark.parametrize(
    ("emphasis", "variant", "expected"),
    [
        (0.0, "literal", (1.490107, 0.783296, 1.576597, 0.15)),
        (0.1, "literal", (2.362379, 1.204212, 2.409999, 0.15)),
        (0.6, "stochastic", (1.459017, 0.850963, 1.540020, 0.15)),
    ],
)
def test_iterations_converge_where_there_is_a_solution(
    emphasis: float, variant: str, expected: tuple[float, ...]
) -> None:
    found = ranks(graph(EDGES, 4), PageRank(emphasis=emphasis, variant=variant, normalised=False), 400)
    exact = np.linalg.solve(np.eye(4) - 0.85 * shares(EDGES, 4, emphasis, variant), np.full(4, 0.15))
    assert found == pytest.approx(exact)
    assert found == pytest.approx(np.array(expected), rel=1e-6)


def test_a_newly_visited_page_passes_its_rank_on_before_the_next_refresh() -> None:
    frontier = frontier_of(3)
    rank = PageRank(normalised=False)
    rank.start(frontier)
    frontier.graph.add(0, np.array([1, 2]), out_degree=2)
    frontier.graph.weigh(0, np.array([1.0, 0.0]))
    rank.follow(frontier, 0)
    assert rank(frontier, np.arange(3)) == pytest.approx(
        [0.15, 0.15 + 0.85 * 0.15 / 2 * 1.6, 0.15 + 0.85 * 0.15 / 2]
    )


@pytest.mark.parametrize("variant", ["literal", "stochastic"])
def test_between_refreshes_a_tree_has_the_ranks_of_the_full_computation(variant: str) -> None:
    tree: Edges = {(0, 1): 0.3, (0, 2): 0.0, (1, 3): 1.0, (1, 4): 0.4, (2, 5): 0.2}
    step, full = graph(tree, 6), graph(tree, 6)
    one = PageRank(variant=variant)
    one.start(step)
    for page in range(6):
        one.follow(step, page)
    assert one(step, np.arange(6)) == pytest.approx(ranks(full, PageRank(variant=variant), 20))


edges = st.dictionaries(st.tuples(st.integers(0, 6), st.integers(0, 6)), st.floats(0, 1), max_size=30)


@given(edges, st.sampled_from(["literal", "stochastic"]), st.integers(0, 3))
def test_any_graph_agrees_with_the_written_equation_and_normalised_ranks_are_in_0_to_1(
    found: Edges, variant: str, beyond: int
) -> None:
    found = {pair: float(np.float32(anchor)) for pair, anchor in found.items()}
    matrix, expected = shares(found, 7, 0.6, variant, beyond), np.ones(7)
    for _ in range(20):
        expected = 0.15 + 0.85 * matrix @ expected
    raw = ranks(graph(found, 7, beyond=beyond), PageRank(variant=variant, normalised=False), 20)
    assert raw == pytest.approx(expected)
    normal = ranks(graph(found, 7, beyond=beyond), PageRank(variant=variant), 20)
    assert normal == pytest.approx(expected / expected.max())


def test_a_refresh_is_due_when_the_graph_has_grown_by_two_percent() -> None:
    frontier = graph({(0, target): 0.0 for target in range(1, 101)}, 101)
    rank = PageRank()
    rank.start(frontier)
    assert rank.is_due(frontier)
    rank.refresh(frontier)
    assert not rank.is_due(frontier)
    for page in range(101, 104):
        frontier.graph.add(page, np.array([0]), out_degree=1)
        assert rank.is_due(frontier) == (page == 103)
