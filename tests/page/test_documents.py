"""Feeds and PDF as pages: their text and links; hostile ones are refused."""

from __future__ import annotations

import asyncio
import io

import pytest

from topicrawl.crawling.parsing.pool import ParseWorkers
from topicrawl.page.documents import KINDS, read_document
from topicrawl.page.read import read

RSS = b"""<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Flood news</title>
<item><title>Dam &amp; river</title><link>http://n.test/dam</link>
<description>&lt;p&gt;The dam holds.&lt;/p&gt;</description>
</item><item><title>Rain</title><link>http://n.test/rain</link>
<content:encoded><![CDATA[<p>Heavy rain</p>]]></content:encoded>
</item></channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><title>Atom flood</title>
<entry><title>One</title><link rel="self" href="http://n.test/self"/><link href="/one"/>
<summary>First words</summary></entry>
</feed>"""


def pdf(text: str, link: str = "") -> bytes:
    from pypdf import PdfWriter
    from pypdf.annotations import Link
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = PdfWriter()
    page = writer.add_blank_page(400, 400)
    font = DictionaryObject(
        {NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1"),
         NameObject("/BaseFont"): NameObject("/Helvetica")}
    )  # fmt: skip
    page[NameObject("/Resources")] = DictionaryObject(
        {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
    )
    stream = DecodedStreamObject()
    stream.set_data(f"BT /F1 12 Tf 20 300 Td ({text}) Tj ET".encode())
    page[NameObject("/Contents")] = writer._add_object(stream)
    if link:
        writer.add_annotation(0, Link(rect=(0, 0, 9, 9), url=link))
    writer.add_metadata({"/Title": "On floods"})
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_a_feed_becomes_a_page_with_its_entries_and_links() -> None:
    page = read_document(KINDS, "http://n.test/feed", RSS, "application/rss+xml")
    assert page is not None
    assert page.title == "Flood news"
    assert page.links.urls == ["http://n.test/dam", "http://n.test/rain"]
    assert page.links.anchors == ["Dam & river", "Rain"]
    assert "The dam holds." in page.text
    assert "Heavy rain" in page.text
    assert page.media_type == "application/rss+xml"


def test_an_atom_feed_resolves_its_links_and_leaves_out_the_one_to_itself() -> None:
    page = read_document(KINDS, "http://n.test/feed", ATOM, "application/atom+xml")
    assert page is not None
    assert page.links.urls == ["http://n.test/one"]
    assert "First words" in page.text


def test_a_feed_with_a_bare_document_type_and_raw_ampersands_is_read() -> None:
    feed = RSS.replace(b"<rss", b'<!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "rss.dtd"><rss', 1)
    feed = feed.replace(b"<item>", b"<item><author>A & B</author>")
    assert read_document(KINDS, "http://n.test/feed", feed) == read_document(KINDS, "http://n.test/feed", RSS)


def test_a_feed_with_entities_is_not_read() -> None:
    bomb = RSS.replace(b"<rss", b'<!DOCTYPE x [<!ENTITY a "aaaa">]><rss', 1)
    assert read_document(KINDS, "http://n.test/feed", bomb, "application/rss+xml") is None


@pytest.mark.parametrize(
    "content", [b"<rss><channel>", b"<feed>\xff\xfe</feed>", b"%PDF-1.7 nonsense", b"%PDF-"]
)
def test_broken_documents_are_no_pages(content: bytes) -> None:
    assert read_document(KINDS, "http://n.test/x", content, "application/octet-stream") is None


def test_a_pdf_becomes_a_page_with_its_text_title_and_links() -> None:
    page = read_document(KINDS, "http://n.test/a.pdf", pdf("Floods in the valley", "http://n.test/dam"))
    assert page is not None
    assert (page.title, page.text) == ("On floods", "Floods in the valley")
    assert page.links.urls == ["http://n.test/dam"]


def test_without_these_kinds_neither_is_read() -> None:
    assert read("http://n.test/feed", RSS, "application/rss+xml") is None
    assert read_document((), "http://n.test/a.pdf", pdf("Floods"), "application/pdf") is None


def test_workers_read_documents_within_their_limits() -> None:
    async def parse() -> list[str]:
        async with ParseWorkers(["dam", "valley"], documents=["feed", "pdf"]) as workers:
            found = [
                await workers.parse("http://n.test/feed", RSS, "application/rss+xml"),
                await workers.parse("http://n.test/a.pdf", pdf("Floods in the valley"), "application/pdf"),
            ]
        return [parsed.page.title for parsed in found if parsed]

    assert asyncio.run(parse()) == ["Flood news", "On floods"]


@pytest.mark.parametrize("before", [b"\n", b"\xef\xbb\xbf \r\n"])
def test_a_feed_is_recognised_after_white_space_and_byte_order_marks(before: bytes) -> None:
    page = read_document(KINDS, "http://n.test/feed", before + RSS, "application/rss+xml")
    assert page is not None
    assert page.links.urls == ["http://n.test/dam", "http://n.test/rain"]
