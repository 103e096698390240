"""Distances between pages: the published example, and any small graph against a plain search."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from topicrawl.frontier.distance import FAR, TOGETHER, Edges, hops
from topicrawl.frontier.graph import Graph

S1, S2, S3, A, B, C, D, E = range(8)
PAGES = {S1: [A, B], B: [S2], S2: [C], A: [D], D: [E]}
LINKS = 20
Contents = dict[int, set[int]]
contents = st.dictionaries(
    st.integers(0, LINKS - 1), st.sets(st.integers(0, LINKS - 1), max_size=5), max_size=12
)


def graph_of(pages: dict[int, list[int]]) -> Graph:
    graph = Graph()
    for page, links in pages.items():
        graph.add(page, np.array(links, dtype=np.int64), out_degree=len(links))
    return graph


def plain(pages: Contents, seeds: list[int], led_to: dict[int, int], start: int) -> dict[int, int]:
    """Breadth-first search, one link at a time."""
    near: dict[int, set[int]] = defaultdict(set)
    pairs = [(page, led_to.get(link, link)) for page, links in pages.items() for link in links]
    for one, other in [*pairs, *((led_to.get(seed, seed), -1) for seed in seeds)]:
        near[one].add(other)
        near[other].add(one)
    found, level = {start: 0}, [start]
    while level:
        after = [there for here in level for there in near[here] if there not in found]
        found |= dict.fromkeys(after, found[level[0]] + 1)
        level = list(dict.fromkeys(after))
    return found


def test_seeds_without_links_between_them_have_distance_two() -> None:
    edges = Edges(graph_of(PAGES), 8, [S1, S2, S3])
    assert hops(edges, [S1, S2, S3], [S1, S2, S3]).tolist() == [[0, 2, 2], [2, 0, 2], [2, 2, 0]]


def test_a_link_between_seeds_is_shorter_than_the_virtual_page() -> None:
    edges = Edges(graph_of({**PAGES, S1: [A, B, S3]}), 8, [S1, S2, S3])
    assert hops(edges, [S1], [S2, S3]).tolist() == [[2, 1]]


def test_distances_ignore_the_direction_of_links() -> None:
    edges = Edges(graph_of(PAGES), 8, [S1, S2, S3])
    assert hops(edges, [S1, S2, S3], [E, D, A, B, C]).T.tolist() == [
        [3, 5, 5], [2, 4, 4], [1, 3, 3], [1, 1, 3], [3, 1, 3],
    ]  # fmt: skip


def test_a_seed_that_redirects_is_the_page_it_led_to() -> None:
    edges = Edges(graph_of({}), 4, [0, 1], {0: 2, 1: 3})
    assert hops(edges, [2], [3]).tolist() == [[2]]


def test_an_unreachable_page_is_far() -> None:
    assert hops(Edges(graph_of({}), 3, [0]), [0, 1], [0, 2]).tolist() == [[0, FAR], [FAR, FAR]]


@given(
    contents,
    st.lists(st.integers(0, LINKS - 1), unique=True, max_size=4),
    st.dictionaries(st.integers(0, 9), st.integers(10, LINKS - 1), max_size=3),
)
@example({0: {1}, 3: {1}}, [], {})
@example({0: {1}, 12: {2}}, [0], {1: 12})
def test_many_searches_at_once_agree_with_single_ones(
    pages: Contents, seeds: list[int], led_to: dict[int, int]
) -> None:
    pages = {page: links for page, links in pages.items() if page not in led_to}
    edges = Edges(graph_of({page: sorted(links) for page, links in pages.items()}), LINKS, seeds, led_to)
    nodes = [link for link in range(LINKS) if link not in led_to]
    found = hops(edges, nodes, nodes)
    for row, start in enumerate(nodes):
        expected = plain(pages, seeds, led_to, start)
        assert found[row].tolist() == [expected.get(goal, FAR) for goal in nodes]


def test_more_sources_than_a_word_has_bits() -> None:
    ring = {page: [(page + 1) % 150] for page in range(150)}
    sources = list(range(TOGETHER + 40))
    found = hops(Edges(graph_of(ring), 150, []), sources, [0])
    assert found[:, 0].tolist() == [min(source, 150 - source) for source in sources]
