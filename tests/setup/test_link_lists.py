"""Lists of other programs: OPML, bookmarks (HTML, JSON), BibTeX, RIS and Markdown; what is done with broken ones."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from topicrawl.setup.link_lists import LinkList, read_link_list
from topicrawl.setup.seeds import read_listing
from topicrawl.urls import canonical

OPML = b"""<?xml version="1.0"?><opml version="2.0"><head><title>Feeds</title></head><body>
<outline text="Rain"><outline type="rss" text="Rain desk" xmlUrl="http://rain.test/feed" htmlUrl="http://rain.test/"/>
<outline type="rss" text="Hail" xmlUrl="http://hail.test/rss.xml"/></outline>
<outline text="Wind" type="link" url="https://wind.test/a?b=1&amp;c=2"/></body></opml>"""

BOOKMARKS = b"""<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8"><TITLE>Bookmarks</TITLE><H1>Bookmarks</H1>
<DL><p><DT><H3 ADD_DATE="1">Storms</H3><DL><p>
<DT><A HREF="http://rain.test/storm" ADD_DATE="1700000000">Storm</A>
<DT><A HREF="https://hail.test/" ADD_DATE="1700000001">Hail</A></DL><p>
<DT><A HREF="javascript:void(0)">A bookmarklet</A></DL>"""

BIBTEX = rb"""@article{rain, title = {Rain {S}torms}, url = {https://rain.test/a\_b}, doi = {10.1000/ignored} }
@misc{hail, title = "Hail", howpublished = "\url{http://hail.test/x}" }
@article{wind, title={Wind}, doi = {10.1234/wind(2020)5<7>}}
@book{snow, title={Snow}}
@comment{not, url = {http://no.test/}}
"""

RIS = b"""TY  - JOUR\r
TI  - Rain\r
L1  - https://rain.test/a.pdf\r
UR  - https://rain.test/a\r
UR  - https://rain.test/b\r
ER  - \r
TY  - JOUR\r
TI  - Hail\r
L1  - https://hail.test/1.pdf\r
DO  - https://doi.org/10.5555/HAIL.1\r
ER  - \r
TY  - JOUR\r
TI  - Fog\r
L1  - https://fog.test/1.pdf\r
ER  - \r
TY  - JOUR\r
TI  - Snow\r
ER  - \r
"""

MARKDOWN = """# Reading
* [Rain](http://rain.test/storm "A storm") and [Hail (2020)](https://hail.test/Hail_(2020)).
* <https://wind.test/x>, https://snow.test/y.
1. ![picture](/local.png) [local](other.md)

[fog]: http://fog.test/ 'Fog'
"""


def urls(content: bytes) -> list[str]:
    return list(read_listing(content).urls)


def test_opml_gives_the_sites_and_the_feeds_of_those_without() -> None:
    assert urls(OPML) == ["http://rain.test/", "http://hail.test/rss.xml", "https://wind.test/a?b=1&c=2"]


def test_bookmarks_give_their_web_pages() -> None:
    assert urls(BOOKMARKS) == ["http://rain.test/storm", "https://hail.test/"]


def test_bookmarks_in_json_give_their_web_pages_in_order() -> None:
    leaf = {"guid": "a", "type": "text/x-moz-place"}
    menu = [leaf | {"uri": uri} for uri in ("http://rain.test/storm", "place:sort=8", "javascript:void(0)")]
    firefox = {
        "guid": "root________", "title": "", "id": 1, "type": "text/x-moz-place-container", "root": "placesRoot",
        "children": [
            {"guid": "menu________", "title": "menu", "children": menu},
            {"guid": "toolbar_____", "children": [leaf | {"uri": "https://hail.test/", "iconUri": "http://no.test/"}]},
            {"guid": "mobile______"},
        ],
    }  # fmt: skip
    assert urls(json.dumps(firefox).encode()) == ["http://rain.test/storm", "https://hail.test/"]
    other = {"children": [{"type": "folder", "children": [{"type": "url", "url": "http://rain.test/storm"}]}]}
    chromium = {"checksum": "0", "roots": {"bookmark_bar": other, "synced": {"children": []}}, "version": 1}
    assert urls(json.dumps(chromium, indent=3).encode()) == ["http://rain.test/storm"]
    assert read_link_list(b'{"guid": "a", "children": [' + b"[" * 10_000) is None


def test_bibtex_gives_addresses_and_else_dois_and_says_how_many_have_neither() -> None:
    found = read_listing(BIBTEX)
    assert found.urls == (
        "https://rain.test/a_b",
        "http://hail.test/x",
        "https://doi.org/10.1234/wind(2020)5",
    )
    assert found.damage == "has 1 of 4 records without url or doi"


def test_ris_gives_the_first_address_of_a_record_and_else_its_doi_and_else_its_text() -> None:
    found = read_listing(RIS)
    assert found.urls == ("https://rain.test/a", "https://doi.org/10.5555/HAIL.1", "https://fog.test/1.pdf")
    assert found.damage == "has 1 of 4 records without UR, L1, L2, LK or DO"


def test_markdown_gives_its_links_without_the_marks_around_them() -> None:
    assert urls(MARKDOWN.encode()) == [
        "http://rain.test/storm",
        "https://hail.test/Hail_(2020)",
        "https://wind.test/x",
        "https://snow.test/y",
        "http://fog.test/",
    ]


def test_of_a_broken_opml_file_the_part_before_the_damage_is_taken() -> None:
    found = read_listing(OPML[: OPML.index(b"<outline text=")] + OPML[OPML.index(b"<outline type") : -30])
    assert found.urls[:2] == ("http://rain.test/", "http://hail.test/rss.xml")
    assert found.damage.startswith("is malformed XML at line ")


def test_opml_with_a_bare_document_type_and_raw_ampersands_is_read() -> None:
    opml = b'<!DOCTYPE opml><opml><body><outline url="http://a.test/?a=1&b=2"/><outline url="http://b.test/"/></body></opml>'
    assert read_link_list(opml) == LinkList(("http://a.test/?a=1&b=2", "http://b.test/"))


def test_opml_that_defines_entities_is_refused() -> None:
    bomb = b'<!DOCTYPE opml [<!ENTITY a "aaaa">]><opml><body><outline url="http://a.test/&a;"/></body></opml>'
    assert read_link_list(bomb) == LinkList((), "declares a document type or entities, which are not read")


def test_a_plain_list_with_brackets_in_a_url_is_still_a_plain_list() -> None:
    assert read_link_list(b"http://a.test/(x)\nhttp://b.test/[1]\n") is None


@given(st.binary(max_size=300))
def test_any_bytes_give_canonical_urls_or_nothing(content: bytes) -> None:
    for begin in (b"", b"<opml>", b"@misc{a,url={", b"TY  - X\nUR  - http://a.test/", b"- http://a.test/"):
        found = read_link_list(begin + content)
        assert found is None or all(canonical(url) == url for url in found.urls)
