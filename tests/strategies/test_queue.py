"""Drawing from the waiting queue."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.frontier import VISITED, Frontier
from topicrawl.strategies.queue import Queue


def filled(links: int, hosts: int = 1) -> tuple[Queue, Frontier]:
    frontier = Frontier()
    queue = Queue(frontier)
    ids = frontier.add([f"http://h{i % hosts}.test/{i}" for i in range(links)], depth=0, parent=-1)
    frontier.prioritise(ids, np.ones(links))
    queue.add(frontier, ids)
    return queue, frontier


def test_every_link_is_drawn_equally_often() -> None:
    queue, frontier = filled(5)
    rng = random.Random(1)
    drawn = Counter(queue.draw(frontier, rng) for _ in range(10_000))
    assert set(drawn) == set(range(5))
    assert all(1850 < count < 2150 for count in drawn.values())


def test_a_link_stays_in_the_queue_until_it_is_settled() -> None:
    queue, frontier = filled(1)
    rng = random.Random(1)
    assert [queue.draw(frontier, rng) for _ in range(3)] == [0, 0, 0]
    frontier.settle(0, VISITED)
    assert queue.draw(frontier, rng) is None
    assert len(queue) == 0


def test_a_discarded_link_is_dropped_and_may_be_added_again() -> None:
    queue, frontier = filled(2)
    rng = random.Random(1)
    frontier.prioritise(np.array([0]), np.array([-np.inf]))
    assert {queue.draw(frontier, rng) for _ in range(20)} == {1}
    frontier.prioritise(np.array([0]), np.array([0.5]))
    queue.add(frontier, np.array([0, 1]))
    assert {queue.draw(frontier, rng) for _ in range(50)} == {0, 1}
    assert len(queue) == 2


def test_links_of_a_held_host_are_not_drawn_and_not_lost() -> None:
    queue, frontier = filled(300, hosts=2)
    rng = random.Random(1)
    frontier.hold(0)
    assert all(queue.draw(frontier, rng) in range(1, 300, 2) for _ in range(100))
    frontier.hold(1)
    assert queue.draw(frontier, rng) is None
    frontier.release(0)
    assert {queue.draw(frontier, rng) for _ in range(2000)} == set(range(0, 300, 2))


@given(st.lists(st.integers(0, 29)), st.integers(0, 99))
def test_whatever_is_settled_only_the_rest_is_drawn_and_offers_agrees(settled: list[int], seed: int) -> None:
    queue, frontier = filled(30, hosts=3)
    rng, left = random.Random(seed), set(range(30))
    for link in settled:
        frontier.settle(link, VISITED)
        left.discard(link)
        queue.add(frontier, np.arange(30)[frontier.columns["key"] > -np.inf])
        assert queue.offers(frontier) == bool(left)
        drawn = queue.draw(frontier, rng)
        assert drawn in left if left else drawn is None


def test_hosts_are_counted_up_to_the_limit() -> None:
    queue, frontier = filled(30, hosts=3)
    assert queue.hosts(frontier, 10) == {0, 1, 2}
    assert len(queue.hosts(frontier, 2)) == 2
    for link in range(0, 30, 3):
        frontier.settle(link, VISITED)
    assert queue.hosts(frontier, 10) == {1, 2}


def test_many_draws_among_many_held_links_hit_the_few_open_ones_equally_often() -> None:
    queue, frontier = filled(3000, hosts=1000)
    for host in range(2, 1000):
        frontier.hold(host)
    drawn = Counter(islice(queue.draws(frontier, random.Random(1)), 6000))
    assert set(drawn) == {0, 1, 1000, 1001, 2000, 2001}
    assert all(850 < count < 1150 for count in drawn.values())


def test_one_choosable_link_among_many_is_offered_and_drawn() -> None:
    queue, frontier = filled(200)
    rng = random.Random(1)
    frontier.prioritise(np.arange(200), np.full(200, -np.inf))
    assert not queue.offers(frontier)
    assert queue.draw(frontier, rng) is None
    assert len(queue) < 200, "discarded links that were drawn are dropped"
    queue, frontier = filled(200)
    frontier.prioritise(np.delete(np.arange(200), 37), np.full(199, -np.inf))
    assert queue.offers(frontier), "whether or not it is in the sample"
    assert queue.draw(frontier, rng) == 37
