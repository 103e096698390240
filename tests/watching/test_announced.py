"""What sitemaps say of changes: how it is read, and when it is not believed."""

from __future__ import annotations

import asyncio

import pytest

from topicrawl.setup.config import Config
from topicrawl.watching.announced import announced_since, believed, moment_of, news
from topicrawl.web.http.sitemap_file import parse_sitemap
from topicrawl.web.invented import InventedWeb
from topicrawl.web.invented.days import EPOCH


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("1970-01-02T00:00:00Z", 86400.0),
        ("1970-01-02T01:00:00+01:00", 86400.0),
        ("1970-01-01T00:00:01", 1.0),
        ("1970-01-01", 86399.0),
        ("Fri, 02 Jan 1970 00:00:00 GMT", 86400.0),
        ("2 Jan 1970 01:00:00 +0100", 86400.0),
        ("02 January 1970, about noon", None),
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
    assert sitemap.dated() == {"http://a.test/1": "2026-01-02", "http://a.test/3": "2026-01-03"}


RSS = b"""<rss xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate>
<item><link>/1</link><pubDate>Tue, 02 Jan 2024 00:00:00 GMT</pubDate></item>
<item><dc:date>2024-01-03</dc:date><guid>http://a.test/2</guid></item><item><link>/3</link></item></channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><updated>2024-01-01T00:00:00Z</updated>
<entry><updated>2024-01-05T00:00:00Z</updated><link href="/1"/><published>2024-01-02T00:00:00Z</published></entry>
<entry><published>2024-01-03T00:00:00Z</published><link href="/2"/><link rel="edit" href="/edit"/></entry></feed>"""


@pytest.mark.parametrize(
    ("feed", "dated"),
    [
        (RSS, {"http://a.test/1": "Tue, 02 Jan 2024 00:00:00 GMT", "http://a.test/2": "2024-01-03"}),
        (RSS[: RSS.index(b"<item><dc")], {"http://a.test/1": "Tue, 02 Jan 2024 00:00:00 GMT"}),
        (ATOM, {"http://a.test/1": "2024-01-05T00:00:00Z", "http://a.test/2": "2024-01-03T00:00:00Z"}),
        (b"<rss><channel>", {}),
    ],
    ids=["rss", "cut rss", "atom", "nothing"],
)
def test_entries_of_feeds_have_the_date_of_their_last_change(feed: bytes, dated: dict[str, str]) -> None:
    assert parse_sitemap(feed, 10_000, 100).dated("http://a.test/feed") == dated


def test_a_feed_that_gives_all_its_entries_one_date_is_not_believed() -> None:
    entries = {f"http://a.test/{n}": f"1970-01-02T00:00:{n:02}Z" for n in range(30)}
    assert len(news(entries, since=0.0, now=1e6)) == 30
    assert len(news(entries, since=86409.0, now=1e6)) == 20
    assert news(dict.fromkeys(entries, "1970-01-02T00:00:00Z"), since=0.0, now=1e6) == []
    assert news({"http://a.test/": "1970-01-02T00:00:00Z"}, since=0.0, now=1e6) == [
        ("http://a.test/", 86400.0)
    ]


def test_the_sitemaps_of_a_web_with_time_tell_what_changed() -> None:
    web = InventedWeb(7, day=20)
    homes = [f"http://{host.name}/" for host in web.atlas.hosts[40:43]]
    since, now = EPOCH + 19 * 86400.0, EPOCH + 20 * 86400.0
    found = asyncio.run(
        announced_since(
            Config(), "invented:7@day=20", {home: [] for home in [*homes, "http://not.test/"]}, since, now
        )
    )
    expected = {
        web.atlas.url(spot)
        for host in web.atlas.hosts[40:43]
        for spot in web.atlas.spots_of(host)
        if web.atlas.last_change(spot) > 19 * 24
    }
    assert {url for url, _ in found} == expected
    assert expected
