"""What sitemaps say of changes: how it is read, and when it is not believed."""

from __future__ import annotations

import asyncio

import pytest

from topicrawl.setup.config import Config
from topicrawl.watching.announced import announced_since, believed, moment_of
from topicrawl.web.http.sitemap_file import parse_sitemap
from topicrawl.web.http.sitemaps import dated
from topicrawl.web.invented import InventedWeb
from topicrawl.web.invented.days import EPOCH


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("1970-01-02T00:00:00Z", 86400.0),
        ("1970-01-02T01:00:00+01:00", 86400.0),
        ("1970-01-01T00:00:01", 1.0),
        ("1970-01-01", 86399.0),
        ("yesterday", None),
        ("", None),
    ],
)
def test_moments_are_read_as_sitemaps_write_them(written: str, seconds: float | None) -> None:
    assert moment_of(written) == seconds


def test_a_site_that_says_most_of_its_pages_have_changed_is_not_believed() -> None:
    entries = {f"http://a.test/{n}": "1970-01-02T00:00:00Z" for n in range(30)}
    assert believed(entries, since=0.0, now=1e6) == []
    some = entries | {f"http://a.test/{n}": "" for n in range(10, 30)}
    assert len(believed(some, since=0.0, now=1e6)) == 10
    assert believed(some, since=86400.0, now=1e6) == []


def test_a_change_in_the_future_counts_as_now() -> None:
    assert believed({"http://a.test/": "2999-01-01"}, since=0.0, now=5.0) == [("http://a.test/", 5.0)]


def test_entries_keep_their_dates_before_or_after_their_links() -> None:
    text = (
        b"<urlset><url><lastmod> 2026-01-02 </lastmod><loc>http://a.test/1</loc></url>"
        b"<url><loc>http://a.test/2</loc><image><loc>http://a.test/i.png</loc></image></url>"
        b"<url><loc>http://a.test/3</loc><lastmod>2026-01-03</lastmod></url></urlset>"
    )
    sitemap = parse_sitemap(text, 10_000, 100)
    assert sitemap.locations == ["http://a.test/1", "http://a.test/2", "http://a.test/3"]
    assert dated(sitemap) == {"http://a.test/1": "2026-01-02", "http://a.test/3": "2026-01-03"}


def test_the_sitemaps_of_a_web_with_time_tell_what_changed() -> None:
    web = InventedWeb(7, day=20)
    homes = [f"http://{host.name}/" for host in web.atlas.hosts[40:43]]
    since, now = EPOCH + 19 * 86400.0, EPOCH + 20 * 86400.0
    found = asyncio.run(
        announced_since(Config(), "invented:7@day=20", [*homes, "http://not.test/"], since, now)
    )
    expected = {
        web.atlas.url(spot)
        for host in web.atlas.hosts[40:43]
        for spot in web.atlas.spots_of(host)
        if web.atlas.last_change(spot) > 19 * 24
    }
    assert {url for url, _ in found} == expected
    assert expected
