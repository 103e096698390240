"""Two HTML parsers read the recorded webs; the pages must be the same."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from page import html_selectolax
from topicrawl.page.decode import decode
from topicrawl.page.html import read_html

PAGES = 500
"""Pages of each web that are compared: every fourth from its start."""


def pages(archive: Path) -> Iterator[tuple[str, str]]:
    with archive.open("rb") as stream:
        records = ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True)
        for record in islice(records, 0, 4 * PAGES, 4):
            content_type = record.http_headers.get("content-type") or ""
            yield record.headers["WARC-Target-URI"], decode(record.reader.read(), content_type)[0]


@pytest.mark.webs
@pytest.mark.parametrize("name", ["uci_ics", "webkb", "wikispeedia"])
def test_both_parsers_read_the_same_pages(webs: Path, name: str) -> None:
    read, links, differing = 0, 0, []
    for url, text in pages(webs / f"{name}.warc.gz"):
        page = read_html(url, text)
        read, links = read + 1, links + len(page.links.urls)
        if page != read_html(url, text, parser=html_selectolax.parse):
            differing.append(url)
    assert read == PAGES
    assert links > PAGES
    assert len(differing) <= PAGES // 100, differing
