"""What is learned of hosts."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.frontier import Frontier
from topicrawl.scout.hosts import DOUBT, FEW_PAGES, Hosts


def frontier_of(*urls: str) -> Frontier:
    frontier = Frontier()
    frontier.add(list(urls), depth=0, parent=-1)
    frontier.columns.add("host_worth", np.float32, 0.0)
    return frontier


def worth(frontier: Frontier, hosts: Hosts) -> list[float]:
    hosts.measure(frontier.columns, np.arange(len(frontier)))
    values: list[float] = frontier.columns["host_worth"].tolist()
    return values


def test_a_host_without_relevant_pages_is_worth_less_than_one_that_was_not_visited() -> None:
    frontier, hosts = frontier_of("http://good.test/", "http://poor.test/", "http://new.test/"), Hosts()
    hosts.know(frontier)
    hosts.count(np.array([0, 0, 1, 1]), np.array([0.75, 0.25, 0.0, 0.0]), 0.25)
    level = 0.5  # the mean of good.test, where all that is relevant is
    poor = -(1 - 0.25 / level) * 2 / (2 + DOUBT)
    assert worth(frontier, hosts) == pytest.approx([0, poor, 0])


def test_hosts_say_nothing_where_each_has_its_part_of_the_relevant_pages() -> None:
    frontier, hosts = frontier_of("http://one.test/", "http://other.test/", "http://new.test/"), Hosts()
    hosts.know(frontier)
    hosts.count(np.array([0, 0, 1, 1]), np.array([1.0, 0.0, 0.0, 1.0]), 0.5)
    assert worth(frontier, hosts) == [0, 0, 0]


def test_a_host_leads_to_those_whose_first_page_was_found_on_it() -> None:
    frontier, hosts = frontier_of("http://list.test/", "http://good.test/"), Hosts()
    frontier.add([f"http://h{number}.test/" for number in range(4)], depth=1, parent=0)
    frontier.add(["http://h0.test/more", "http://list.test/more"], depth=1, parent=0)
    for link in (0, 1, 2, 3, 6, 7):  # the hosts of 4 and 5 are never fetched
        hosts.add_page(link, 0.0, frontier)
    hosts.count(frontier.columns["host"][[0, 1, 2, 3, 6, 7]], np.array([0.0, 0.6, 0, 0, 0, 0]), 0.1)
    concentration = 1 - 0.1 / 0.6
    led = 2 / (2 + FEW_PAGES)
    poor = 2 / (2 + DOUBT)
    found = worth(frontier, hosts)
    assert found[0] == found[7] == pytest.approx(concentration * (led - poor * (1 - led)))
    assert found[2] == pytest.approx(-concentration * poor)
    assert found[4] == found[5] == 0, "hosts that were never fetched"


def test_links_of_a_host_are_told_when_its_first_pages_are_poor() -> None:
    frontier, hosts = frontier_of("http://good.test/", "http://poor.test/"), Hosts()
    hosts.know(frontier)
    hosts.count(np.array([0, 0, 0, 1]), np.array([0.9, 0.9, 0.9, 0.0]), 0.675)
    hosts.count(np.array([0]), np.array([0.9]), 0.2)  # later: the mean has fallen
    assert not hosts.add_page(0, 0.9, frontier)
    assert [hosts.add_page(1, 0.0, frontier) for _ in range(4)] == [True, True, False, False]
