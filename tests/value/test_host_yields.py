"""What is learned of hosts."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.frontier import Frontier
from topicrawl.value.host_yields import (
    FEW_PAGES,
    FEW_PAGES_OF_HOST,
    MANY_HOSTS,
    MEAN_HOSTS,
    MEAN_PAGES,
    WORTHWHILE,
    HostYields,
)

MEAN = 0.25


def frontier_of(*urls: str) -> Frontier:
    frontier = Frontier()
    frontier.add(list(urls), depth=0, parent=-1)
    for name in ("host_yield", "host_ratio", "outward"):
        frontier.columns.add(name, np.float32, 0.0)
    return frontier


def test_a_host_is_worth_what_its_pages_were_and_one_without_pages_the_mean() -> None:
    frontier, hosts = frontier_of("http://good.test/", "http://poor.test/", "http://new.test/"), HostYields()
    hosts.add_page(-1, frontier)
    hosts.count(np.array([0, 0, 1]), np.array([0.75, 0.5, 0.05]), (), MEAN)
    hosts.measure(frontier.columns, np.arange(3), MEAN)
    good, poor = 0.75 / (2 + MEAN_PAGES), -0.2 / (1 + MEAN_PAGES)
    assert frontier.columns["host_yield"].tolist() == pytest.approx([good, poor, 0])
    good, poor = (1.25 + MEAN) / (3 * MEAN) - 1, (0.05 + MEAN) / (2 * MEAN) - 1
    assert frontier.columns["host_ratio"].tolist() == pytest.approx([good, poor, 0])


def test_hosts_that_become_known_are_counted_for_the_host_that_shows_them() -> None:
    frontier, hosts = frontier_of("http://list.test/", "http://seed.test/"), HostYields()
    hosts.add_page(-1, frontier)
    frontier.add([f"http://h{number}.test/" for number in range(4)], depth=1, parent=0)
    hosts.add_page(0, frontier)
    hosts.add_page(1, frontier)
    hosts.count(np.array([0, 1, 2, 2]), np.array([0, 0, 1.0, 1.0]), (0, 1), MEAN)
    hosts.measure(frontier.columns, np.arange(2), MEAN)
    shown = 4 / (1 + FEW_PAGES) / MANY_HOSTS
    brought = (2 / MEAN + MEAN_HOSTS * FEW_PAGES_OF_HOST) / (1 + MEAN_HOSTS)
    worth = (brought - 1) / WORTHWHILE
    assert 0 < worth < 1
    assert frontier.columns["outward"][:2].tolist() == pytest.approx([shown * worth, 0])


def test_lists_of_hosts_are_worth_nothing_where_no_host_tried_brought_more_than_a_page() -> None:
    frontier, hosts = frontier_of("http://list.test/", "http://seed.test/"), HostYields()
    hosts.add_page(-1, frontier)
    frontier.add([f"http://h{number}.test/" for number in range(40)], depth=1, parent=0)
    hosts.add_page(0, frontier)
    hosts.count(np.arange(42), np.full(42, MEAN / 2), (0, 1), MEAN)
    hosts.measure(frontier.columns, np.arange(2), MEAN)
    assert frontier.columns["outward"][0] == 0
