from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.urls import canonical
from topicrawl.web.invented import InventedWeb, invented_web

from .conftest import Graph

SCALE = invented_web("invented:scale")


def test_every_page_is_found_again_by_its_url(graph: Graph) -> None:
    atlas = graph.web.atlas
    urls = {atlas.url(spot, traits): spot for spot, traits in graph.traits.items()}
    assert len(urls) == len(graph.traits)
    assert all(atlas.spot(url) == spot for url, spot in urls.items())


def test_urls_are_canonical(graph: Graph) -> None:
    urls = [link.url for links in list(graph.links.values())[::40] for link in links]
    assert [canonical(url) for url in urls] == urls


@given(st.data())
def test_pages_of_the_scale_web_are_found_again_by_their_url(data: st.DataObject) -> None:
    atlas = SCALE.atlas
    host = data.draw(st.sampled_from(atlas.hosts))
    section = data.draw(st.integers(0, len(host.sections) - 1))
    page = data.draw(st.integers(0, host.sections[section].size - 1))
    spot = atlas.existing(host.number, section, page)
    assert spot is not None
    assert atlas.spot(atlas.url(spot)) == spot


@pytest.mark.parametrize(
    "change",
    [
        lambda url: url.replace(".html", ".htm"),
        lambda url: url.replace("-1.html", "-01.html"),
        lambda url: url.replace("-1.html", "-999999.html"),
        lambda url: url.replace("-1.html", "-x-1.html"),
        lambda url: url.replace(".invented.test", "x.invented.test"),
        lambda url: url.replace(".invented.test", ".invented.test:81"),
        lambda url: url + "?print=1",
        lambda url: url + "/",
    ],
)
def test_any_variation_of_a_url_is_no_page(web: InventedWeb, change) -> None:  # type: ignore[no-untyped-def]
    url = next(url for url in web.seeds("tourism", 9) if url.endswith("-1.html"))
    assert web.atlas.spot(url) is not None
    assert change(url) != url
    assert web.atlas.spot(change(url)) is None


def test_sizes_of_hosts_are_heavy_tailed(web: InventedWeb) -> None:
    sizes = sorted((sum(part.size for part in host.sections) for host in web.atlas.hosts), reverse=True)
    assert 60 <= len(sizes) <= 120
    assert 3000 <= sum(sizes) <= 6000
    assert sizes[0] > 10 * sizes[len(sizes) // 2]
    assert sum(sizes[:10]) > 0.35 * sum(sizes)


def test_topics_have_about_the_same_number_of_pages(web: InventedWeb) -> None:
    urls = map(web.atlas.url, web.atlas.spots())
    about = Counter(name for url in urls for name, share in web.truth(url).items() if share >= 0.5)
    counts = [about[topic] for topic in web.topics()]
    english, chinese = counts[:8], counts[8:]
    assert min(english) > 450
    assert max(english) < 650
    assert min(chinese) > 200


def test_some_hosts_are_chinese_and_some_of_them_in_gbk(web: InventedWeb) -> None:
    charsets = [host.charset for host in web.atlas.hosts if host.language == "zh"]
    assert 10 <= len(charsets) <= 25
    assert {"gbk", "utf-8"} == set(charsets)


def test_another_seed_gives_another_web(web: InventedWeb) -> None:
    other = invented_web("invented:8")
    assert {host.name for host in other.atlas.hosts} != {host.name for host in web.atlas.hosts}
    assert not set(web.seeds("tourism", 10)) & set(other.seeds("tourism", 10))
