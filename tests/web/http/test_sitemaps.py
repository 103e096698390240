"""Sitemaps of a site, valid and hostile."""

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


async def test_indexes_are_followed_two_deep_and_loops_end() -> None:
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


@pytest.mark.parametrize(
    "declaration",
    ["<!DOCTYPE urlset>", '<?xml version="1.0"?><!DOCTYPE urlset SYSTEM "http://a.test/s.dtd">'],
)
def test_a_document_type_that_declares_nothing_and_a_raw_ampersand_cost_no_link(declaration: str) -> None:
    found = ["http://a.test/?a=1&b=2", "http://a.test/?a=1&amp;b=3", "<![CDATA[http://a.test/?a=1&b=4]]>"]
    text = f"{declaration}<urlset>{''.join(f'<url><loc>{link}</loc></url>' for link in found)}</urlset>"
    sitemap = parse_sitemap(text.encode(), LIMIT, 10)
    assert sitemap.locations == [f"http://a.test/?a=1&b={number}" for number in (2, 3, 4)]
    assert not sitemap.damage


def test_links_before_the_damage_are_taken_and_those_of_images_are_not() -> None:
    text = (
        f'<urlset xmlns="{SCHEMA}" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">'
        "<url><loc>http://a.test/1</loc><image:image><image:loc>http://a.test/i.png</image:loc></image:image></url>"
        "<url><loc><![CDATA[http://a.test/2]]></loc></url><url><loc>http://a.test/3"
    )
    assert parse_sitemap(text.encode(), LIMIT, 10).canonical() == ["http://a.test/1", "http://a.test/2"]


@pytest.mark.parametrize(
    "before", [b"\n", b"  \r\n\t", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n", b"\n\xef\xbb\xbf"]
)
def test_white_space_and_a_byte_order_mark_before_the_declaration_are_ignored(before: bytes) -> None:
    read = parse_sitemap(before + urlset("http://a.test/1").encode(), LIMIT, 10)
    assert (read.locations, read.damage) == (["http://a.test/1"], "")
    assert parse_sitemap(before + index("http://a.test/s.xml").encode(), LIMIT, 10).is_index


@pytest.mark.parametrize("before", ["", "\n"])
def test_a_sitemap_in_utf_16_is_read(before: str) -> None:
    text = before + urlset("http://a.test/\u00e9").replace("UTF-8", "UTF-16")
    assert parse_sitemap(text.encode("utf-16"), LIMIT, 10).canonical() == ["http://a.test/%C3%A9"]
    assert parse_sitemap("http://a.test/\u00e9\n".encode("utf-16"), LIMIT, 10).canonical() == [
        "http://a.test/%C3%A9"
    ]


RSS = """
<?xml version="1.0"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Rain</title>
<link>http://a.test/</link><atom:link rel="self" href="http://a.test/feed"/>
<image><link>http://a.test/logo</link></image>
<item><title>One</title><link> http://a.test/1?a=1&amp;b=2 </link><guid>http://a.test/guid</guid></item>
<item><atom:link rel="self" href="http://a.test/no"/><link><![CDATA[/2]]></link></item>
<item><guid isPermaLink="true">http://a.test/3</guid></item>
<item><guid isPermaLink="false">tag:a.test,4</guid></item>
<item><title>no link</title></item>
</channel></rss>"""
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
<channel rdf:about="http://a.test/feed"><link>http://a.test/</link></channel>
<item rdf:about="http://a.test/1"><title>One</title><link>http://a.test/1</link></item></rdf:RDF>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://a.test/blog/"><link href="http://a.test/"/>
<link rel="self" href="http://a.test/feed"/>
<entry><link rel="edit" href="http://a.test/edit"/><link rel="alternate" href="http://a.test/1"/>
<link href="/no"/></entry>
<entry xml:base="2026/"><link href="2"/><source><link href="http://b.test/"/></source></entry>
<entry><source><link href="http://b.test/"/></source><link href="http://[bad/"/></entry>
<entry><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><link href="x"/></div></content></entry>
</feed>"""


@pytest.mark.parametrize(
    ("feed", "links"),
    [
        (RSS, ["http://a.test/1?a=1&b=2", "http://a.test/2", "http://a.test/3"]),
        (RDF, ["http://a.test/1"]),
        (ATOM, ["http://a.test/1", "http://a.test/blog/2026/2"]),
    ],
    ids=["rss", "rdf", "atom"],
)
def test_a_feed_gives_the_links_of_its_entries(feed: str, links: list[str]) -> None:
    read = parse_sitemap(feed.encode(), LIMIT, 50)
    assert read.is_feed
    assert read.damage == ""
    assert read.canonical("http://a.test/feed") == links
    assert parse_sitemap(gzip.compress(feed.encode()), LIMIT, 50).canonical("http://a.test/feed") == links
    assert len(parse_sitemap(feed.encode(), LIMIT, 1).locations) == 1


async def test_feeds_that_robots_txt_names_as_sitemaps_are_read() -> None:
    pages = {
        "/robots.txt": reply("Sitemap: http://a.test/rss\nSitemap: /atom"),
        "/rss": reply(RSS),
        "/atom": reply(ATOM.replace('xml:base="http://a.test/blog/"', "")),
    }
    async with serve(pages) as site, browse(site) as web:
        found = await sitemap_urls(web, "http://a.test/")
    assert found == [
        "http://a.test/1?a=1&b=2",
        "http://a.test/2",
        "http://a.test/3",
        "http://a.test/1",
        "http://a.test/2026/2",
    ]


def test_a_feed_with_entities_is_refused_and_a_damaged_one_is_read_up_to_the_damage() -> None:
    bomb = f'<!DOCTYPE rss [<!ENTITY e "http://a.test/">]>{RDF}'
    refused = parse_sitemap(bomb.encode(), LIMIT, 10)
    assert refused.locations == []
    assert "document type" in refused.damage
    broken = parse_sitemap(RSS.replace("</guid></item>", "</item>", 1).encode(), LIMIT, 10)
    assert broken.damage == "is malformed XML at line 6: mismatched tag"
    cut = parse_sitemap(RSS[:-150].encode(), LIMIT, 10)
    assert cut.locations == ["http://a.test/1?a=1&b=2", "/2"]
    assert "malformed XML" in cut.damage


def test_relative_lines_and_locations_are_no_links() -> None:
    assert parse_sitemap(b"Not found\n/x\n", LIMIT, 10).canonical("http://a.test/sitemap.xml") == []
    assert parse_sitemap(urlset("/x").encode(), LIMIT, 10).canonical("http://a.test/sitemap.xml") == []
