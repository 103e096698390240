"""The table of links: choosing, holding, aggregating, and bytes per link."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.frontier import ASKED, PEEKED, VISITED, Frontier
from topicrawl.frontier.hosts import BUSY, TABU


def filled(*priorities: float, hosts: int = 1) -> Frontier:
    frontier = Frontier()
    ids = frontier.add([f"http://h{i % hosts}.test/{i}" for i in range(len(priorities))], depth=0, parent=-1)
    frontier.prioritise(ids, np.array(priorities))
    return frontier


def test_the_best_link_is_chosen_and_the_oldest_among_equals() -> None:
    assert filled(0.2, 0.9, 0.9, 0.1).best() == 1


def test_an_empty_frontier_has_no_best_link() -> None:
    assert Frontier().best() is None


def test_a_link_without_priority_cannot_be_chosen() -> None:
    frontier = Frontier()
    frontier.add(["http://a.test/"], depth=0, parent=-1)
    assert frontier.best() is None


def test_a_settled_link_is_never_chosen_again_even_with_a_new_priority() -> None:
    frontier = filled(0.5, 0.4)
    frontier.settle(0, ASKED)
    frontier.prioritise(np.array([0]), np.array([9.0]))
    assert frontier.best() == 1
    frontier.settle(1, VISITED)
    assert frontier.best() is None
    assert frontier.waiting == 0


def test_links_of_a_held_host_are_not_chosen_until_it_is_released() -> None:
    frontier = filled(0.9, 0.8, 0.7, hosts=2)
    frontier.hold(0)
    assert frontier.best() == 1
    frontier.prioritise(np.array([2]), np.array([5.0]))
    assert frontier.best() == 1
    frontier.release(0)
    assert frontier.best() == 2


def test_a_link_settled_while_its_host_is_held_stays_settled_after_release() -> None:
    frontier = filled(0.9, 0.8)
    frontier.hold(0)
    frontier.settle(0, VISITED)
    frontier.release(0)
    assert frontier.best() == 1


def test_containing_pages_are_averaged() -> None:
    frontier = filled(0.0, 0.0)
    frontier.contained(np.array([0, 1]), 0.6)
    frontier.contained(np.array([0]), 0.2)
    assert frontier.parents_mean(np.array([0, 1])).tolist() == [0.4, 0.6]


def test_the_graph_has_the_links_of_each_page() -> None:
    frontier = filled(0.0, 0.0, 0.0)
    frontier.graph.add(2, np.array([0, 1]), out_degree=5)
    frontier.graph.add(0, np.array([2]), out_degree=1)
    assert frontier.graph.targets(2).tolist() == [0, 1]
    assert frontier.graph.targets(0).tolist() == [2]
    assert frontier.graph.targets(1).tolist() == []
    sources, targets = frontier.graph.edges()
    assert list(zip(sources.tolist(), targets.tolist(), strict=True)) == [(2, 0), (2, 1), (0, 2)]
    assert frontier.graph.out_degree(2) == 5


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=50))
def test_taking_the_best_again_and_again_sorts_the_links(priorities: list[float]) -> None:
    frontier = filled(*priorities)
    taken = []
    while (link := frontier.best()) is not None:
        taken.append(priorities[link])
        frontier.settle(link, VISITED)
    assert taken == sorted(priorities, reverse=True)


def test_a_million_links_cost_at_most_200_bytes_each_beside_the_url() -> None:
    frontier = Frontier()
    for start in range(0, 1_000_000, 10_000):
        urls = [f"http://h{i % 300}.test/page/{i}" for i in range(start, start + 10_000)]
        frontier.add(urls, depth=3, parent=0)
    assert len(frontier) == 1_000_000
    assert frontier.bytes_per_link < 200


def test_a_host_held_for_two_reasons_is_open_when_both_are_released() -> None:
    frontier = filled(0.9, 0.8, hosts=2)
    frontier.hold(0, BUSY)
    frontier.hold(0, TABU)
    frontier.release(0, BUSY)
    assert frontier.best() == 1
    frontier.release(0, TABU)
    assert frontier.best() == 0


def test_a_peeked_link_can_be_chosen_once_it_is_prioritised_again() -> None:
    frontier = filled(0.9, 0.8)
    frontier.settle(0, PEEKED)
    assert frontier.best() == 1
    assert not frontier.may_ask(0)
    frontier.prioritise(np.array([0]), np.array([0.85]))
    assert frontier.best() == 0
    frontier.settle(0, VISITED)
    frontier.prioritise(np.array([0]), np.array([0.95]))
    assert frontier.best() == 1


def test_a_link_may_be_asked_for_whatever_its_priority_unless_its_host_is_held() -> None:
    frontier = filled(0.9)
    frontier.prioritise(np.array([0]), np.array([-np.inf]))
    assert frontier.best() is None
    assert frontier.may_ask(0)
    frontier.hold(0)
    assert not frontier.may_ask(0)


def test_the_best_links_are_those_of_highest_priority_and_known_longest_among_equals() -> None:
    frontier = Frontier()
    links = frontier.add([f"http://h{n}.test/" for n in range(8)], depth=1, parent=-1)
    frontier.prioritise(links, np.array([3.0, 1.0, 2.0, 2.0, 9.0, 2.0, 5.0, 0.0]))
    frontier.settle(4, VISITED)
    assert frontier.best_of_all(4).tolist() == [0, 2, 3, 6]
    assert frontier.best_of_all(100).tolist() == [0, 1, 2, 3, 5, 6, 7]
    assert Frontier().best_of_all(3).tolist() == []


def test_links_of_one_host_added_together_are_its_links_as_if_added_one_by_one() -> None:
    together, alone = Frontier(), Frontier()
    for count, host in ((3, "a"), (1, "b"), (9, "a"), (30, "b"), (2, "a"), (1, "c")):
        urls = [f"http://{host}.test/{len(alone)}-{number}" for number in range(count)]
        together.add(urls, depth=1, parent=-1)
        for url in urls:
            alone.add([url], depth=1, parent=-1)
    together.add(["http://a.test/last", "http://c.test/last"], depth=1, parent=-1)
    assert together.hosts.links(0).tolist() == [0, 1, 2, *range(4, 13), 43, 44, 46]
    assert together.hosts.links(1).tolist() == alone.hosts.links(1).tolist() == [3, *range(13, 43)]
    assert together.columns["host"][:46].tolist() == alone.columns["host"].tolist()
