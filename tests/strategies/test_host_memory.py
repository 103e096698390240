"""When a host becomes tabu, and when it is released."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.frontier import Frontier
from topicrawl.frontier.hosts import BUSY
from topicrawl.strategies.host_memory import HostMemory
from value.seen import observed


@pytest.mark.parametrize(
    ("visits", "share", "keeps"),
    [
        (0, 0.0, True),
        (49, 0.1, True),
        (50, 0.9, True),
        (50, 0.8, False),
        (99, 0.81, True),
        (99, 0.5, False),
        (100, 0.99, False),
    ],
)
def test_the_published_rule(visits: int, share: float, *, keeps: bool) -> None:
    assert HostMemory(0.62).keeps(visits, share) is keeps


def two_hosts() -> Frontier:
    frontier = Frontier()
    ids = frontier.add([f"http://h{i // 200}.test/{i}" for i in range(400)], depth=0, parent=-1)
    frontier.prioritise(ids, np.linspace(1, 0.5, 400))
    return frontier


def visit(memory: HostMemory, frontier: Frontier, pages: range, relevance: float) -> None:
    for page in pages:
        memory.observe(observed(frontier, page, relevance=relevance), frontier)


def test_a_poor_host_becomes_tabu_after_its_trial() -> None:
    frontier, memory = two_hosts(), HostMemory(0.62)
    visit(memory, frontier, range(49), 0.1)
    assert frontier.best() == 49
    visit(memory, frontier, range(49, 50), 0.1)
    assert memory.tabu == (0,)
    assert frontier.best() == 200


def test_a_good_host_becomes_tabu_after_twice_that() -> None:
    frontier, memory = two_hosts(), HostMemory(0.62)
    visit(memory, frontier, range(99), 0.9)
    assert memory.tabu == ()
    visit(memory, frontier, range(99, 100), 0.9)
    assert memory.tabu == (0,)


def test_the_host_tabu_longest_is_released_first() -> None:
    frontier, memory = two_hosts(), HostMemory(0.62)
    visit(memory, frontier, range(50), 0.1)
    visit(memory, frontier, range(200, 250), 0.1)
    assert frontier.best() is None
    assert memory.forget_oldest(frontier)
    assert memory.tabu == (1,)
    assert frontier.best() == 50
    visit(memory, frontier, range(50, 51), 0.9)
    assert memory.tabu == (1, 0)


def test_a_host_that_is_busy_as_well_stays_held() -> None:
    frontier, memory = two_hosts(), HostMemory(0.62)
    visit(memory, frontier, range(50), 0.1)
    frontier.hold(0, BUSY)
    memory.forget_oldest(frontier)
    assert frontier.best() == 200
    frontier.release(0, BUSY)
    assert frontier.best() == 50
    assert not memory.forget_oldest(frontier)


def test_a_page_is_good_if_its_relevance_is_above_the_threshold() -> None:
    """FCITS_OH §4.7: R(phead-page) > α."""
    frontier, memory = two_hosts(), HostMemory(0.62)
    visit(memory, frontier, range(50), 0.62)
    assert memory.tabu == (0,), "none of its fifty pages is good"
