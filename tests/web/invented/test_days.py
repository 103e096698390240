"""An invented web with time: what is added, changes and vanishes follows from seed and day alone."""

from __future__ import annotations

import asyncio
from xml.etree import ElementTree

import pytest

from topicrawl.errors import WebError
from topicrawl.model import Response
from topicrawl.web.invented import InventedWeb, invented_web
from topicrawl.web.invented.atlas import Spot
from topicrawl.web.invented.days import PACES, Days
from topicrawl.web.open import open_web


def fetch(web: InventedWeb, url: str, *headers: tuple[str, str]) -> Response:
    return asyncio.run(web.fetch(url, headers))


@pytest.fixture(scope="module")
def later() -> InventedWeb:
    return InventedWeb(7, day=100)


def test_on_day_0_the_pages_are_those_of_the_web_without_time() -> None:
    still, begun = InventedWeb(7), InventedWeb(7, day=0)
    for spot in (Spot(3, 0, 0), Spot(3, 1, 0), Spot(3, 1, 7), Spot(40, 1, 2)):
        url = still.atlas.url(spot)
        assert fetch(begun, url).content == fetch(still, url).content


def test_the_same_day_gives_the_same_bytes_however_one_came_there(later: InventedWeb) -> None:
    other = InventedWeb(7, day=3)
    url = other.atlas.url(Spot(3, 1, 0))
    before = fetch(other, url).content
    other.go_to(100)
    assert fetch(other, url).content == fetch(later, url).content != before
    other.go_to(3)
    assert fetch(other, url).content == before


def test_new_pages_are_listed_by_their_section_and_can_be_fetched(later: InventedWeb) -> None:
    still = InventedWeb(7)
    section = next(
        Spot(host.number, 1, 0)
        for host in later.atlas.hosts
        if later.atlas.size(host.number, 1) > still.atlas.size(host.number, 1)
    )
    newest = later.atlas.size(section.host, 1) - 1
    url = later.atlas.url(section._replace(page=newest))
    assert fetch(still, url).status == 404
    assert fetch(later, url).status in (200, 500)
    assert url.partition(".test")[2] in fetch(later, later.atlas.url(section)).content.decode(
        "utf-8", "replace"
    )


def test_a_changed_page_has_another_etag_and_says_something_more(later: InventedWeb) -> None:
    days = later.atlas.days
    assert days is not None
    spots = (Spot(3, 1, page) for page in range(1, 40))
    spot = next(
        s for s in spots if days.changes(s) and later.atlas.exists(s) and not later.atlas.traits(s).fault
    )
    url, still = later.atlas.url(spot), InventedWeb(7, day=0)
    before, now = fetch(still, url), fetch(later, url)
    assert before.header("etag") != now.header("etag")
    assert len(now.content) > len(before.content)
    assert fetch(later, url, ("If-None-Match", now.header("etag"))).status == 304
    assert fetch(later, url, ("If-None-Match", before.header("etag"))).status == 200


def test_some_pages_vanish_and_stay_away(later: InventedWeb) -> None:
    spots = [Spot(host, 1, page) for host in range(9) for page in range(1, later.atlas.size(host, 1))]
    gone = [spot for spot in spots if not later.atlas.exists(spot)]
    assert gone
    assert fetch(later, later.atlas.url(gone[0])).status == 404
    assert not InventedWeb(7, day=400).atlas.exists(gone[0])


def test_pages_change_as_often_as_their_kind_says() -> None:
    days = Days(5, 24 * 1000, lambda host, section: 10**6)
    counts = [len(days.changes((1, 1, page))) for page in range(2000)]
    mean = sum(counts) / len(counts)
    shares = [most - before for (most, _), (before, _) in zip(PACES[1:], PACES, strict=False)]
    expected = sum(
        share / 1000 * 24_000 / (hours + 1) for share, (_, hours) in zip(shares, PACES[1:], strict=True)
    )
    assert 0.85 * expected < mean < 1.15 * expected
    assert 900 < counts.count(0) < 1100


def test_the_sitemap_of_a_host_says_when_its_pages_changed(later: InventedWeb) -> None:
    host = later.atlas.hosts[60]
    robots = fetch(later, f"http://{host.name}/robots.txt").content.decode()
    assert f"Sitemap: http://{host.name}/sitemap.xml" in robots
    root = ElementTree.fromstring(fetch(later, f"http://{host.name}/sitemap.xml").content)
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    listed = {entry.findtext(f"{space}loc"): entry.findtext(f"{space}lastmod") for entry in root}
    assert set(listed) == {later.atlas.url(spot) for spot in later.atlas.spots_of(host)}
    assert any(listed.values())
    assert fetch(InventedWeb(7), f"http://{host.name}/sitemap.xml").status == 404


@pytest.mark.parametrize(
    "spec", ["invented:7@day=30", "invented:7@day=30.5", "invented:scale:3@day=0", "invented:site@day=2"]
)
def test_a_web_with_time_is_opened_by_its_name(spec: str) -> None:
    assert invented_web(spec).name == spec
    assert open_web(spec).name == spec


@pytest.mark.parametrize(
    "spec",
    ["invented:7@day=", "invented:7@day=-1", "invented:7@day=x", "invented:7@30", "invented:7@day=1e9"],
)
def test_other_days_are_refused_with_a_remedy(spec: str) -> None:
    with pytest.raises(WebError, match="invented:7@day=30"):
        invented_web(spec)
