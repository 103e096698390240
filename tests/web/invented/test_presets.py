from __future__ import annotations

from collections import deque
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from protego import Protego

from topicrawl.web.invented import InventedWeb, invented_web
from topicrawl.web.invented.shape import Shape


@pytest.fixture(scope="module")
def scale() -> InventedWeb:
    return invented_web("invented:scale")


@pytest.fixture(scope="module")
def site() -> InventedWeb:
    return invented_web("invented:site")


def walk(web: InventedWeb, seeds: list[str], pages: int) -> tuple[list[str], set[str]]:
    """Breadth-first: the pages visited, and all that are known then."""
    visited: list[str] = []
    known, queue = set(seeds), deque(seeds)
    while queue and len(visited) < pages:
        visited.append(queue.popleft())
        new = [url for url in web.links(visited[-1]) if url not in known]
        known.update(new)
        queue.extend(new)
    return visited, known


def test_the_scale_web_has_300_hosts_and_millions_of_pages(scale: InventedWeb) -> None:
    hosts = scale.atlas.hosts
    assert len(hosts) >= 300
    assert sum(section.size for host in hosts for section in host.sections) > 100_000_000


def test_nearly_every_link_of_the_scale_web_is_new(scale: InventedWeb) -> None:
    """34 new links a page make half a million after 15,000 fetches."""
    visited, known = walk(scale, scale.seeds("tourism", 20), 2000)
    assert len(known) > 34 * len(visited)


def test_a_focused_crawl_of_the_scale_web_finds_new_links_too(scale: InventedWeb) -> None:
    links = [url for page in scale.seeds("tourism", 2000) for url in scale.links(page)]
    assert len(set(links)) > 34 * 2000


def test_pages_of_the_scale_web_measure_about_20_kilobytes_with_about_40_links(scale: InventedWeb) -> None:
    visited, _ = walk(scale, scale.seeds("finance", 20), 200)
    bodies = [answer.content for answer in map(scale.exchange, visited) if answer.status == 200]
    assert 16_000 < sum(map(len, bodies)) / len(bodies) < 24_000
    assert 36 < sum(body.count(b"<a ") for body in bodies) / len(bodies) < 50


def test_all_pages_of_the_site_are_reached_from_its_home_page(site: InventedWeb) -> None:
    (host,) = site.atlas.hosts
    visited, known = walk(site, [f"http://{host.name}/"], 10_000)
    assert len(visited) == len(known) == sum(section.size for section in host.sections) >= 3000


def test_the_site_is_faultless_and_open_to_robots(site: InventedWeb) -> None:
    (host,) = site.atlas.hosts
    urls = [site.atlas.url(spot) for spot in site.atlas.spots()]
    assert all(site.behaviour(url) == "" for url in urls)
    answers = [site.exchange(url) for url in urls[::10]]
    assert all(answer.status == 200 for answer in answers)
    assert 17_000 < sum(answer.size for answer in answers) / len(answers) < 23_000
    links = [link for spot in site.atlas.spots() for link in site.linker.links(spot)]
    assert all(link.target and link.url == site.atlas.url(link.target) for link in links[::20])
    assert 36 < len(links) / len(urls) < 44
    rules = Protego.parse(site.exchange(f"http://{host.name}/robots.txt").content.decode())
    assert rules.crawl_delay("topicrawl") is None
    assert all(rules.can_fetch(url, "topicrawl") for url in urls[::50])


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 5), st.integers(1, 40), st.integers(0, 6), st.integers(1, 2000), st.integers(0, 6))
def test_webs_of_any_size_are_connected(
    seed: int, hosts: int, portals: int, pages: int, chinese: int
) -> None:
    shape = Shape("odd", hosts=hosts, portals=portals, pages=pages, chinese=chinese)
    web = InventedWeb(seed, shape)
    for spot in islice(web.atlas.spots(), 0, None, 61):
        assert web.exchange(web.atlas.url(spot)).status in (200, 500)
    for topic in web.topics():
        assert all(web.relevant(url, topic) for url in web.seeds(topic, 2))
