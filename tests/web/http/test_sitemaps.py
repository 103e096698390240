"""What a site says of itself in its sitemaps, true or hostile."""

from __future__ import annotations

import gzip

import pytest

from topicrawl.web.http.sitemap_file import parse_sitemap
from topicrawl.web.http.sitemaps import sitemap_urls
from web.http.loopback import browse, reply, serve

SCHEMA = "http://www.sitemaps.org/schemas/sitemap/0.9"
LIMIT = 1 << 20


def urlset(*links: str) -> str:
    entries = "".join(f"<url><loc>{link}</loc><lastmod>2026-01-01</lastmod></url>" for link in links)
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="{SCHEMA}">{entries}</urlset>'


def index(*links: str) -> str:
    entries = "".join(f"<sitemap><loc>{link}</loc></sitemap>" for link in links)
    return f'<sitemapindex xmlns="{SCHEMA}">{entries}</sitemapindex>'


async def test_sitemaps_of_robots_txt_and_the_usual_place_are_read_once_each() -> None:
    pages = {
        "/robots.txt": reply("Sitemap: http://a.test/one.xml\nSitemap: /two.txt\nSitemap: /one.xml"),
        "/one.xml": reply(urlset("http://a.test/x?a=1&amp;b=2", " http://www.a.test/y#part ")),
        "/two.txt": reply("http://a.test/z\n\nhttp://a.test/y\n"),
        "/sitemap.xml": reply(urlset("http://a.test/z")),
    }
    async with serve(pages) as site, browse(site) as web:
        found = await sitemap_urls(web, "http://a.test/")
    assert found == ["http://a.test/x?a=1&b=2", "http://www.a.test/y", "http://a.test/z", "http://a.test/y"]
    assert site.paths == ["/robots.txt", "/one.xml", "/two.txt", "/sitemap.xml"]


async def test_links_and_sitemaps_of_other_sites_are_left_out() -> None:
    pages = {
        "/robots.txt": reply("Sitemap: http://b.test/s.xml\nSitemap: http://169.254.169.254/s.xml"),
        "/s.xml": reply(urlset("http://b.test/stolen")),
        "/sitemap.xml": reply(urlset("http://b.test/other", "ftp://a.test/f", "http://a.test/own")),
    }
    async with serve(pages) as site, browse(site) as web:
        assert await sitemap_urls(web, "http://a.test/") == ["http://a.test/own"]
    assert {asked.host for asked in site.log} == {"a.test"}


async def test_indexes_are_followed_two_deep_and_circles_end() -> None:
    pages = {
        "/sitemap.xml": reply(index("http://a.test/i1.xml", "http://a.test/sitemap.xml")),
        "/i1.xml": reply(index("http://a.test/i2.xml", "http://a.test/leaf.xml")),
        "/i2.xml": reply(index("http://a.test/i3.xml")),
        "/i3.xml": reply(urlset("http://a.test/too-deep")),
        "/leaf.xml": reply(urlset("http://a.test/leaf")),
    }
    async with serve(pages) as site, browse(site) as web:
        assert await sitemap_urls(web, "http://a.test/") == ["http://a.test/leaf"]
    assert "/i3.xml" not in site.paths


async def test_a_sitemap_that_robots_forbid_is_not_fetched() -> None:
    pages = {
        "/robots.txt": reply("User-agent: *\nDisallow: /sitemap"),
        "/sitemap.xml": reply(urlset("http://a.test/")),
    }
    async with serve(pages) as site, browse(site) as web:
        assert await sitemap_urls(web, "http://a.test/") == []
    assert site.paths == ["/robots.txt"]


async def test_no_more_addresses_are_taken_than_the_limit() -> None:
    pages = {"/sitemap.xml": reply(urlset(*(f"http://a.test/{n}" for n in range(50))))}
    async with serve(pages) as site, browse(site, sitemap_urls=10) as web:
        assert len(await sitemap_urls(web, "http://a.test/")) == 10


async def test_a_host_without_a_scheme_means_https() -> None:
    async with serve({}) as site, browse(site, connect=0.3) as web:
        assert await sitemap_urls(web, "a.test") == []


def test_a_gzipped_file_is_read_within_the_budget() -> None:
    packed = gzip.compress(urlset(*(f"http://a.test/{n}" for n in range(1000))).encode())
    assert len(parse_sitemap(packed, LIMIT, 50_000).locations) == 1000
    assert 0 < len(parse_sitemap(packed, 10_000, 50_000).locations) < 1000


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE x [<!ENTITY % p SYSTEM "http://a.test/p.dtd"> %p;]>',
        '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY e "&a;&a;&a;&a;&a;&a;&a;">]>',
        "<!-- " + "x" * 5000 + ' --><!DOCTYPE x [<!ENTITY e "y">]>',
    ],
    ids=["external", "parameter", "laughs", "late"],
)
def test_document_types_and_entities_are_refused(declaration: str) -> None:
    text = f"{declaration}<urlset><url><loc>http://a.test/&e;</loc></url></urlset>"
    assert parse_sitemap(text.encode(), LIMIT, 10).locations == []


def test_what_stands_before_the_damage_counts_and_images_do_not() -> None:
    text = (
        f'<urlset xmlns="{SCHEMA}" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">'
        "<url><loc>http://a.test/1</loc><image:image><image:loc>http://a.test/i.png</image:loc></image:image></url>"
        "<url><loc><![CDATA[http://a.test/2]]></loc></url><url><loc>http://a.test/3"
    )
    assert parse_sitemap(text.encode(), LIMIT, 10).canonical() == ["http://a.test/1", "http://a.test/2"]
