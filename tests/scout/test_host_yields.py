"""What is learned of hosts."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.frontier import Frontier
from topicrawl.scout.host_yields import DOUBT, FEW_PAGES, MEAN_PAGES, HostYields


def frontier_of(*urls: str) -> Frontier:
    frontier = Frontier()
    frontier.add(list(urls), depth=0, parent=-1)
    for name in ("host_yield", "host_ratio", "outward"):
        frontier.columns.add(name, np.float32, 0.0)
    return frontier


def features(name: str, frontier: Frontier, hosts: HostYields, mean: float) -> list[float]:
    hosts.measure(frontier.columns, np.arange(len(frontier)), mean)
    values: list[float] = frontier.columns[name].tolist()
    return values


def test_a_host_is_worth_what_its_pages_were_and_one_without_pages_the_mean() -> None:
    frontier, hosts = frontier_of("http://good.test/", "http://poor.test/", "http://new.test/"), HostYields()
    hosts.know(frontier)
    hosts.count(np.array([0, 0, 1]), np.array([0.75, 0.5, 0.05]), 0.25)
    good, poor = 0.75 / (2 + MEAN_PAGES), -0.2 / (1 + MEAN_PAGES)
    assert features("host_yield", frontier, hosts, 0.25) == pytest.approx([good, poor, 0])


def test_a_host_without_relevant_pages_is_worth_less_than_one_that_was_not_visited() -> None:
    frontier, hosts = frontier_of("http://good.test/", "http://poor.test/", "http://new.test/"), HostYields()
    hosts.know(frontier)
    hosts.count(np.array([0, 0, 1, 1]), np.array([0.75, 0.25, 0.0, 0.0]), 0.25)
    level = 0.5  # the mean of good.test, where all that is relevant is
    poor = -(1 - 0.25 / level) * 2 / (2 + DOUBT)
    assert features("host_ratio", frontier, hosts, 0.25) == pytest.approx([0, poor, 0])


def test_hosts_say_nothing_where_each_has_its_part_of_the_relevant_pages() -> None:
    frontier, hosts = frontier_of("http://one.test/", "http://other.test/", "http://new.test/"), HostYields()
    hosts.know(frontier)
    hosts.count(np.array([0, 0, 1, 1]), np.array([1.0, 0.0, 0.0, 1.0]), 0.5)
    assert features("host_ratio", frontier, hosts, 0.5) == [0, 0, 0]


def test_a_host_leads_to_those_whose_first_page_was_found_on_it() -> None:
    frontier, hosts = frontier_of("http://list.test/", "http://good.test/"), HostYields()
    frontier.add([f"http://h{number}.test/" for number in range(4)], depth=1, parent=0)
    frontier.add(["http://h0.test/more", "http://list.test/more"], depth=1, parent=0)
    for link in (0, 1, 2, 3, 6, 7):  # the hosts of 4 and 5 are never fetched
        hosts.add_page(link, 0.0, frontier)
    hosts.count(frontier.columns["host"][[0, 1, 2, 3, 6, 7]], np.array([0.0, 0.6, 0, 0, 0, 0]), 0.1)
    concentration = 1 - 0.1 / 0.6
    led = 2 / (2 + FEW_PAGES)
    outward = features("outward", frontier, hosts, 0.1)
    assert outward[0] == outward[7] == pytest.approx(concentration * led)
    assert outward[1:7] == [0] * 6
    poor = -concentration * 2 / (2 + DOUBT)
    assert frontier.columns["host_ratio"][[0, 2]].tolist() == pytest.approx([poor * (1 - led), poor])


def test_links_of_a_host_are_told_when_its_first_pages_are_poor() -> None:
    frontier, hosts = frontier_of("http://good.test/", "http://poor.test/"), HostYields()
    hosts.know(frontier)
    hosts.count(np.array([0, 0, 0, 1]), np.array([0.9, 0.9, 0.9, 0.0]), 0.675)
    hosts.count(np.array([0]), np.array([0.9]), 0.2)  # later: the mean has fallen
    assert not hosts.add_page(0, 0.9, frontier)
    assert [hosts.add_page(1, 0.0, frontier) for _ in range(4)] == [True, True, False, False]
