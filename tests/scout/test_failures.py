"""The chance that a link fails: groups of links, rates computed by hand, which failures are learned."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from topicrawl.frontier import FAILED, Frontier
from topicrawl.model import Visit
from topicrawl.scout.failures import FIRST_CHANCE, Failures, lesson
from topicrawl.scout.link_features import in_a_row
from topicrawl.scout.url_shapes import group_name


def visit(error: str | None = None, status: int | None = None) -> Visit:
    url, fetched = "http://a.test/", error is None
    return Visit(1, url, url, status, fetched, False, 0.0, 0.0, "a.test", 1, None, "", 0, error)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://h.test/", "h.test/*"),
        ("https://h.test/page", "h.test/*"),
        ("http://h.test/a/b.HTML", "h.test/a/*.html"),
        ("http://h1.test/v2/day3.html", "h1.test/v#/*#.html"),
        ("http://h.test/item?path=/a/b", "h.test/*?"),
        ("http://h.test/a/b/c/d/e/f", "h.test/a/b/c/*"),
        ("http://h.test/2026", "h.test/*#"),
        ("http://h.test/wiki/John_F._Kennedy", "h.test/wiki/*"),
        ("http://h.test/pkg/lib-1.5.35", "h.test/pkg/*#"),
    ],
)
def test_links_are_grouped_by_host_folders_and_shape_of_their_name(url: str, name: str) -> None:
    assert group_name(url) == name


def frontier_of(*urls: str) -> Frontier:
    frontier = Frontier()
    frontier.add(list(urls), depth=1, parent=-1)
    return frontier


def told(failures: Failures, frontier: Frontier, url: str, *, failed: bool) -> list[int]:
    """The links that are told of a visit of `url`."""
    seen = visit("http", 404) if failed else visit()
    seen = msgspec.structs.replace(seen, asked=url)
    return [link for links in failures.learn(seen, frontier) for link in links.tolist()]


def test_rates_are_smoothed_by_the_group_above_which_counts_each_group_once() -> None:
    """Two failures in one folder, worked out on paper: the host counts one, as do the site and the crawl."""
    urls = ["http://a.test/x/p", "http://a.test/y/p", "http://b.org/p", "http://c.org/p"]
    frontier = frontier_of(*urls)
    failures, links = Failures(frontier), np.arange(4)
    assert failures.chance(frontier, links).tolist() == [FIRST_CHANCE] * 4
    for _ in range(2):
        told(failures, frontier, urls[0], failed=True)
    failures.measure()
    crawl = (1 + FIRST_CHANCE) / 2
    site = (1 + crawl) / 2
    host = (1 + site) / 2
    folder = (1 + host) / 2
    shape = (2 + folder) / 3
    assert failures.chance(frontier, links).tolist() == pytest.approx([shape, host, crawl, crawl])
    told(failures, frontier, urls[1], failed=False)
    failures.measure()
    after = failures.chance(frontier, links)
    assert after[1] < host
    assert after[2] == pytest.approx(FIRST_CHANCE / 2), "the only site is not dead any more"
    told(failures, frontier, urls[2], failed=False)
    failures.measure()
    assert failures.chance(frontier, links)[3] == pytest.approx(FIRST_CHANCE / 3)


def test_a_page_of_a_folder_says_that_its_host_is_not_dead() -> None:
    urls = [f"http://a.test/{folder}/{name}" for folder in ("x/one", "x/two", "y") for name in "pqr"]
    frontier = frontier_of(*urls)
    failures, links = Failures(frontier), np.arange(len(urls))
    for url in urls[:2]:
        told(failures, frontier, url, failed=True)
    failures.measure()
    dead = failures.chance(frontier, links)
    told(failures, frontier, urls[2], failed=False)
    failures.measure()
    alive = failures.chance(frontier, links)
    assert (alive < dead).all()
    assert alive[3] < 0.2 < alive[0], "the folder beside it is not condemned by the first links of this one"


def test_links_like_a_failed_one_are_told_at_once_and_all_links_after_five_failures() -> None:
    urls = [f"http://a.test/x/{n}" for n in range(9)] + ["http://a.test/y/1", "http://b.test/x/1"]
    frontier = frontier_of(*urls)
    failures = Failures(frontier)
    frontier.settle(0, FAILED)
    assert told(failures, frontier, urls[0], failed=True) == list(range(1, 9)), (
        "the folder, without what is settled"
    )
    assert told(failures, frontier, urls[1], failed=False) == []
    heard = [told(failures, frontier, url, failed=True) for url in urls[2:6]]
    assert heard[-1] == list(range(1, len(urls)))
    assert all(len(each) < len(urls) - 1 for each in heard[:-1])
    assert told(failures, frontier, "http://unknown.test/", failed=True) == []


def test_a_group_that_keeps_failing_says_nothing_new() -> None:
    frontier = frontier_of("http://a.test/x/p", "http://a.test/x/q")
    failures = Failures(frontier)
    heard = [told(failures, frontier, "http://a.test/x/p", failed=True) for _ in range(400)]
    assert heard[0]
    assert sum(map(bool, heard)) < 150


@pytest.mark.parametrize("count", [1, 2, 5, 16])
def test_failures_in_a_row_are_a_power_of_the_chance(count: int) -> None:
    chances = np.array([0.0, 0.25, 0.9, 1.0])
    assert in_a_row(chances, count).tolist() == pytest.approx([float(each) ** count for each in chances])


@pytest.mark.parametrize(
    ("error", "status", "learned"),
    [
        (None, 200, False),
        ("http", 404, True),
        ("http", 403, True),
        ("http", 429, None),
        ("http", 503, None),
        ("dns", None, True),
        ("robots", None, True),
        ("type", 200, True),
        ("timeout", None, None),
        ("connect", None, None),
        ("robots-unreachable", None, None),
        ("retry-later", 503, None),
        ("duplicate", 200, None),
        ("scope", None, None),
    ],
)
def test_only_failures_that_would_come_again_are_learned(
    error: str | None, status: int | None, learned: bool | None
) -> None:
    assert lesson(visit(error, status)) is learned
