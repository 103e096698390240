from __future__ import annotations

import re
from functools import partial
from hashlib import blake2b
from itertools import pairwise
from unicodedata import normalize

import pytest

from topicrawl.model import IMAGE, Page, ints
from topicrawl.page.read import read
from topicrawl.web.invented import InventedWeb, invented_web
from topicrawl.web.invented.atlas import Spot

from .conftest import Graph

normal = partial(normalize, "NFKC")


def page_at(web: InventedWeb, spot: Spot) -> Page:
    answer = web.exchange(web.atlas.url(spot))
    assert answer.status == 200
    page = read(answer.url, answer.content, answer.header("content-type"))
    assert page is not None
    return page


def sound(graph: Graph, step: int = 37) -> list[Spot]:
    """Some pages that can be read."""
    return [spot for spot, traits in graph.traits.items() if traits.fault in ("", "slow")][::step]


def test_a_page_has_exactly_the_links_of_the_link_graph(graph: Graph) -> None:
    for spot in sound(graph):
        page = page_at(graph.web, spot)
        assert sorted(page.links.urls) == sorted(link.url for link in graph.links[spot])
        assert sorted(page.links.anchors) == sorted(normal(link.anchor) for link in graph.links[spot])


def test_pages_fill_all_five_tag_groups_and_carry_pictures(graph: Graph) -> None:
    pages = [page_at(graph.web, spot) for spot in sound(graph)]
    groups = {int(group) for page in pages for group in ints(page.segment_groups)}
    assert groups == {0, 1, 2, 3, 4}
    assert any(flag & IMAGE for page in pages for flag in page.links.flags)


def test_pages_are_in_the_language_and_encoding_of_their_host(graph: Graph) -> None:
    seen = set()
    for spot in sound(graph):
        page, host = page_at(graph.web, spot), graph.web.atlas.hosts[spot.host]
        assert page.language == host.language
        assert bool(re.search("[\u4e00-\u9fff]", page.title)) == (host.language == "zh")
        assert "\ufffd" not in page.text
        seen.add((host.language, host.charset))
    assert seen == {("en", "utf-8"), ("zh", "utf-8"), ("zh", "gbk")}


def test_most_pages_measure_3_to_8_kilobytes(graph: Graph) -> None:
    sizes = [graph.web.exchange(graph.web.atlas.url(spot)).size for spot in sound(graph)]
    assert sum(3000 <= size <= 8000 for size in sizes) > 0.95 * len(sizes)


def test_all_pages_of_a_host_share_head_and_foot(web: InventedWeb) -> None:
    host = web.atlas.hosts[3]
    bodies = [
        web.exchange(web.atlas.url(Spot(3, 1, page))).content.decode(host.charset) for page in (0, 2, 5)
    ]
    for part in (r"<header>.*</header>", r"<footer>.*</footer>"):
        assert len({re.search(part, body)[0] for body in bodies}) == 1  # type: ignore[index]


def test_a_twin_nearly_repeats_its_origin(graph: Graph) -> None:
    def shingles(spot: Spot) -> set[str]:
        words = page_at(graph.web, spot).text.split()
        return {" ".join(words[start : start + 4]) for start in range(len(words))}

    pairs = [
        (spot, traits.origin)
        for spot, traits in graph.traits.items()
        if traits.origin != spot
        and traits.fault == ""
        and graph.traits[traits.origin].fault == ""
        and graph.traits[traits.origin].origin == traits.origin
        and graph.web.atlas.hosts[spot.host].language == "en"
    ][::8]
    assert len(pairs) > 10
    for spot, origin in pairs:
        one, other = shingles(spot), shingles(origin)
        assert 0.5 < len(one & other) / len(one | other) < 1


def test_other_pages_of_one_topic_do_not_repeat_each_other(graph: Graph) -> None:
    topic = graph.traits[Spot(20, 1, 1)].topic
    texts = [
        set(re.findall(r"[^.]+\.", page_at(graph.web, spot).text))
        for spot, traits in graph.traits.items()
        if traits.topic == topic and traits.fault == "" and traits.origin == spot
    ][:20]
    for one, other in pairwise(texts):
        assert len(one & other) < 0.4 * len(one | other)


GOLDEN = {
    "invented:7": "b482cea8081401bf",
    "invented:scale": "87374d6e82a9e7fc",
    "invented:site": "ac37690eb87191d0",
}


@pytest.mark.parametrize("spec", GOLDEN)
def test_the_same_seed_gives_the_same_bytes_on_every_machine(spec: str) -> None:
    """A change of the vocabulary or the code changes every invented web, and with it this digest."""
    web = invented_web(spec)
    digest = blake2b(digest_size=8)
    for host in web.atlas.hosts[::7]:
        for section, _ in enumerate(host.sections):
            digest.update(web.exchange(web.atlas.url(Spot(host.number, section, 1))).content)
    assert digest.hexdigest() == GOLDEN[spec]
