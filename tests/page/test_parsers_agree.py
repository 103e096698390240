"""Two HTML parsers read the recorded webs; the pages must be the same."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from page import html_selectolax
from page.recorded_pages import recorded
from topicrawl.page.html import read_html

PAGES = 500
"""Pages of each web that are compared: every fourth from its start."""


@pytest.mark.webs
@pytest.mark.parametrize("name", ["uci_ics", "webkb", "wikispeedia"])
def test_both_parsers_read_the_same_pages(webs: Path, name: str) -> None:
    read, links, differing = 0, 0, []
    for url, text, _ in islice(recorded(webs / f"{name}.warc.gz", 4), PAGES):
        page = read_html(url, text)
        read, links = read + 1, links + len(page.links.urls)
        if page != read_html(url, text, parser=html_selectolax.parse):
            differing.append(url)
    assert read == PAGES
    assert links > PAGES
    assert len(differing) <= PAGES // 100, differing
